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
