internal import Blobs
internal import Crypto
internal import Curl
internal import Domain
internal import EventLoops
internal import Foundation
internal import Jobs
internal import Logging
internal import Media
internal import Postgres
internal import Store
internal import Submitters

/// A process that works on the harness's queue until it is killed.
enum CrashWorker {
    struct Options: Sendable {
        let conninfo: String
        let folder: String
        let fake: String
        let seed: UInt64
    }

    /// Leases are short, so that the dead are noticed soon.
    static let lease = Duration.seconds(2)

    static func run(_ options: Options) async throws {
        let loop = try EventLoop(name: "worker")
        let logger = Logger(threshold: .error)
        var settings = DatabaseSettings(connection: options.conninfo)
        settings.connectionsPerLoop = 4
        let leases = try EventLoop(name: "leases")
        let database = Database(settings, loops: [loop], reserved: [leases], logger: logger)
        let dice = KillSchedule(seed: options.seed, perMille: 12)
        let context = WorkerContext(
            store: PicsStore(database: database),
            registry: .init(ServiceMemory.allCases.map { CrashSubmitter($0, base: options.fake, dice: dice) }),
            blobs: try BlobStore(
                folder: "\(options.folder)/blobs", threads: BlockingThreads(name: "disk", count: 1)),
            media: MediaPool(MediaPool.Configuration(program: "/nonexistent"), logger: logger),
            transport: try CurlTransport(
                on: loop, threads: BlockingThreads(name: "disk", count: 1),
                options: CurlOptions(userAgent: "pics-bench")),
            keys: try KeyFile.loadOrCreate("\(options.folder)/key"), addresses: Addresses(base: "https://pics.example"),
            copiesFolder: options.folder, logger: logger)
        var configuration = Worker.Configuration(name: "worker \(getpid())", concurrency: 8, lease: lease)
        configuration.heartbeat = lease / 3
        configuration.rescue = .milliseconds(500)
        configuration.poll = .milliseconds(100)
        configuration.backoff.base = .milliseconds(50)
        let worker = Worker(configuration, context: context, loop: loop, leases: leases)
        await Task(executorPreference: loop) { await worker.run() }.value
    }
}
