internal import Blobs
internal import Crypto
internal import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
internal import Jobs
internal import Logging
internal import Media
internal import Postgres
internal import Store
internal import Submitters
internal import System
internal import TestSupport
internal import TestTools

/// Runs `body` with a bench, and ends its workers afterwards.
func withBench(
    _ submitter: any Submitter, media: MediaPool = SharedParts.media, base: String = "https://pics.test",
    _ body: @Sendable (Bench) async throws -> Void
) async throws {
    let folder = NSTemporaryDirectory() + "pics-jobs-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let set = { (database: Database) async throws in
        let store = PicsStore(database: database)
        let log = LogProbe()
        // The database has a clock too.
        let clock = TestClock(at: Date())
        let context = WorkerContext(
            store: store, registry: Registry([submitter]), blobs: try SharedParts.blobs(in: folder),
            media: media, transport: NoTransport(), keys: KeyRing(current: .random()),
            addresses: Addresses(base: base), copiesFolder: folder,
            logger: Logger(threshold: .trace, sink: log), now: { clock.now }, random: { 0.5 })
        let bench = Bench(
            database: database, store: store, log: log, clock: clock, owner: try await store.addUser("alice"),
            context: context)
        do {
            try await body(bench)
        } catch {
            await bench.stopWorkers()
            throw error
        }
        await bench.stopWorkers()
    }
    try await withTestDatabase(migrated: true, adjust: { $0.connectionsPerLoop = 6 }, set)
}

/// Scripted services send nothing.
private struct NoTransport: Transport {
    func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
        throw .notSent("there is no network here")
    }
}

/// Parts that need threads, made once.
enum SharedParts {
    static let threads = BlockingThreads(name: "jobs-tests", count: 2)
    static let media = MediaPool(MediaPool.Configuration(program: "/nonexistent/pics-media"), logger: .silent)
    private static let loops = Result { try (0..<2).map { try EventLoop(name: "jobs-tests-\($0)") } }
    private static let leases = Result { try EventLoop(name: "jobs-tests-leases") }
    private static let turn = Lock(0)

    static func blobs(in folder: String) throws -> BlobStore {
        try BlobStore(folder: "\(folder)/blobs", threads: threads)
    }

    /// Workers that run side by side run on different threads.
    static func nextLoop() -> EventLoop {
        let turn = turn.withLock { turn in
            turn += 1
            return turn
        }
        do { return try loops.get()[turn % 2] } catch { fatalError("no event loop: \(error)") }
    }

    /// The bytes of a file, which a submitter on its loop must not read itself.
    static func content(of path: String) async -> Data? {
        await threads.run { FileManager.default.contents(atPath: path) }
    }

    /// For the leases of all workers.
    static func leaseLoop() -> EventLoop {
        do { return try leases.get() } catch { fatalError("no event loop: \(error)") }
    }
}
