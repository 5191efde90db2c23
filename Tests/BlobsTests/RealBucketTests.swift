import Crypto
import Curl
import EventLoops
import Foundation
import S3
import Testing

@testable import Blobs

/// The bucket of a real store, where one is named: `PICS_TEST_S3` is its origin, access key, secret key and an empty bucket, with spaces
/// between.
let realBucket = ProcessInfo.processInfo.environment["PICS_TEST_S3"]?.split(separator: " ").map(String.init)

/// Runs `body` with a store in a folder of its own of that bucket, parts of 5 MiB and pieces of 1 MiB.
func withRealBucket(_ body: (BlobStore, BlobBucket) async throws -> Void) async throws {
    let words = try #require(realBucket)
    let folder = FileManager.default.temporaryDirectory.appending(path: "blobs-\(UUID().uuidString)").path
    let threads = BlockingThreads(name: "blobs", count: 4)
    defer {
        threads.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
    let loop = try EventLoop(name: "bucket")
    var options = BlobBucket.Options()
    (options.prefix, options.partBytes, options.pieceBytes) = ("\(UUID().uuidString)/", 5 << 20, 1 << 20)
    let bucket = BlobBucket(
        S3Bucket(origin: words[0], name: words[3], region: "us-east-1", style: .path), options,
        keys: S3Keys(S3Credentials(accessKey: words[1], secretKey: Secret(words[2]))),
        over: try CurlTransport(on: loop, threads: threads, options: CurlOptions(userAgent: "Pics/test")),
        threads: threads, pause: { try await loop.sleep(for: $0) })
    try await body(try BlobStore(folder: folder, bucket: bucket, place: .bucket, threads: threads), bucket)
}

/// Blobs in the bucket of a real store, where one is named.
@Suite(.enabled(if: realBucket != nil))
struct RealBucketTests {
    @Test(arguments: [0, 1, 1_000_000, 5 << 20, (12 << 20) + 1])
    func `blobs are kept, read, set aside, taken back and removed`(count: Int) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try await withRealBucket { (store: BlobStore, bucket: BlobBucket) async throws in
            try await store.probe()
            let digest = try await store.put(bytes).digest
            #expect(try await store.fault(of: digest, expecting: Int64(count), readsAll: true) == nil)
            _ = try await store.removeFile(digest, storedBefore: .distantFuture)
            #expect(try Data(contentsOf: URL(filePath: try await store.checkedPath(of: digest))) == Data(bytes))
            #expect(try await store.count() == 1)
            #expect(try await store.setAside(digest, storedBefore: .distantFuture))
            _ = try await store.removeFile(digest, storedBefore: .distantFuture)
            #expect(try await store.open(digest).bytes == Int64(count), "who asks takes it back")
            #expect(try await store.setAside(digest, storedBefore: .distantFuture))
            #expect(try await store.restore(digest))
            #expect(try await store.fault(of: digest, expecting: Int64(count), readsAll: true) == nil)
            let id = UUID()
            try await store.setInstallation(id)
            #expect(try await store.installation() == id)
            #expect(try await store.remove(digest))
            #expect(try await store.count() == 0)
            #expect(try await bucket.abortUploads(begunBefore: .distantFuture) == 0)
        }
    }
}
