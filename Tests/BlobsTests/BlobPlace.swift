import Blobs
import Crypto
import Curl
import EventLoops
import Fakes
import Foundation
import HTTP
import S3
import TestTools
import Testing

/// A store in one of its places, as a test sees it.
struct BlobPlace {
    let store: BlobStore
    let folder: String
    /// The other side of the bucket; nil in a folder.
    let fake: FakeS3?
    let host: FakeHost?
    let open: (BlobStore.Place) throws -> BlobStore

    /// Another store over the same folder and bucket, as after a restart.
    func again(_ place: BlobStore.Place? = nil) throws -> BlobStore { try open(place ?? store.place) }

    /// Takes the copies away, as the loss of a disk does.
    func loseFolder() throws -> BlobStore {
        try FileManager.default.removeItem(atPath: folder)
        return try again()
    }

    func put(_ bytes: [UInt8]) async throws -> SHA256Digest { try await store.put(bytes).digest }

    /// Requests that the bucket has answered, as `GET`.
    func requests(_ method: HTTPMethod) -> Int { host?.requests.count { $0.request.method == method } ?? 0 }
}

/// Small parts and pieces, so that small blobs have several.
private var bucketOptions: BlobBucket.Options {
    var options = BlobBucket.Options()
    (options.prefix, options.partBytes, options.pieceBytes) = ("pics/", 100_000, 40_000)
    return options
}

/// Runs `body` with an empty store in `place`; one in a folder has a bucket beside it where `beside` says so.
func withPlace(
    _ place: BlobStore.Place, beside: Bool = false, _ options: FakeS3.Options = FakeS3.Options(),
    now: @escaping @Sendable () -> Date = { Date() },
    claim: @escaping @Sendable (SHA256Digest, Int64) async throws -> Void = { _, _ in },
    noteFault: @escaping @Sendable (SHA256Digest, BlobFault) -> Void = { _, _ in },
    _ body: (BlobPlace) async throws -> Void
) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "blobs-\(UUID().uuidString)").path
    let threads = BlockingThreads(name: "blobs", count: 2)
    defer {
        threads.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
    guard place == .bucket || beside else {
        let open = { (_: BlobStore.Place) in try BlobStore(folder: folder, threads: threads) }
        return try await body(
            BlobPlace(store: try open(.folder), folder: folder, fake: nil, host: nil, open: open))
    }
    let loop = try EventLoop(name: "bucket")
    let transport = try CurlTransport(on: loop, threads: threads, options: CurlOptions(userAgent: "Pics/test"))
    let fake = FakeS3(options, now: now)
    let server = try await FakeServer(FakeHost(fake), on: loop)
    let bucket = BlobBucket(
        S3Bucket(origin: server.url, name: FakeS3.bucket, region: FakeS3.region, style: .path), bucketOptions,
        keys: S3Keys(S3Credentials(accessKey: FakeS3.accessKey, secretKey: Secret(FakeS3.secretKey))),
        over: transport, threads: threads, pause: { _ in })
    let open = { (place: BlobStore.Place) in
        try BlobStore(
            folder: folder, bucket: bucket, place: place, threads: threads, noteFault: noteFault, claim: claim)
    }
    let result: Result<Void, any Error>
    do {
        try await body(
            BlobPlace(store: try open(place), folder: folder, fake: fake, host: server.host, open: open))
        result = .success(())
    } catch {
        result = .failure(error)
    }
    await server.stop()
    try result.get()
}

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
