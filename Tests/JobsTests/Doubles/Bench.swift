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
internal import Synchronization
internal import TestSupport
internal import Testing

/// A queue with a database and a blob store of its own, whose only service is a scripted one.
struct Bench: Sendable {
    let database: Database
    let store: Store
    let log: LogProbe
    let clock: TestClock
    let owner: User
    let workshop: Workshop
    fileprivate let workers = Mutexed<[RunningWorker]>([])

    // MARK: Accounts and submissions

    /// Connects an account, or connects it again.
    @discardableResult
    func connect(
        _ account: String = "alice", service: String = "scripted", maximumRunning: Int = 1, gap: Duration = .zero,
        settings: String = "{}", key: KeyRing? = nil
    ) async throws -> ConnectionID {
        let credentials = try (key ?? workshop.keys).seal(
            Array(#"{"token":"secret"}"#.utf8), context: CredentialContext.of(service: service, remoteID: account))
        return try await store.connect(
            NewConnection(
                id: .make(), owner: owner.id, service: service, remoteID: account, account: account,
                credentials: credentials, settings: settings, maximumRunning: maximumRunning, gap: gap))
    }

    /// Stores a photo that is to go to an account.
    @discardableResult
    func submit(
        to connection: ConnectionID, caption: String = "Sunset", kind: Photo.Kind = .video, maximumAttempts: Int = 12,
        notify: Bool = false
    ) async throws -> SubmissionID {
        let blob = try await workshop.blobs.put(Array("moving pictures".utf8))
        let id = SubmissionID.make()
        let isVideo = kind == .video
        let photo = NewPhoto(
            id: .make(), owner: owner.id, code: .make(), blob: try #require(BlobID(blob.digest.bytes)), bytes: blob.bytes,
            mediaType: isVideo ? "video/mp4" : "image/jpeg", kind: kind, width: isVideo ? nil : 4, height: isVideo ? nil : 3,
            takenAt: nil, position: nil, exif: "{}", caption: caption, altText: "", visibility: .public)
        let plan = PlannedCaption(text: caption, isCut: false, length: caption.count, limit: 140, unit: .codePoints)
        try await store.create(
            photo,
            submissions: [
                NewSubmission(
                    id: id, connection: connection, plan: plan, bytes: blob.bytes, maximumAttempts: maximumAttempts,
                    maximumAge: .seconds(86_400))
            ], notify: notify)
        return id
    }

    func submission(_ id: SubmissionID) async throws -> Submission { try await store.submission(id, owner: owner.id) }

    func state(_ id: SubmissionID) async throws -> Submission.State { try await submission(id).state }

    @discardableResult
    func cancel(_ id: SubmissionID) async throws -> Submission { try await store.cancel(id, owner: owner.id) }

    /// The outcomes of all tries that were written down, oldest first.
    func attempts(_ id: SubmissionID) async throws -> [String] {
        try await value(
            "SELECT coalesce(string_agg(outcome, ' ' ORDER BY id), '') FROM attempts WHERE submission_id = '\(id)'"
        ).split(separator: " ").map(String.init)
    }

    // MARK: Workers

    /// A worker that does nothing by itself: it looks once, and when it is woken.
    func worker(_ name: String = "worker", _ adjust: (inout Worker.Configuration) -> Void = { _ in }) -> Worker {
        let never = Duration.seconds(3600)
        var configuration = Worker.Configuration(name: name)
        configuration.poll = never
        configuration.rescue = never
        configuration.sweep = never
        configuration.heartbeat = never
        configuration.lease = never
        adjust(&configuration)
        return Worker(configuration, workshop: workshop, loop: Shared.nextLoop())
    }

    /// Starts such a worker.
    func start(_ name: String = "worker", _ adjust: (inout Worker.Configuration) -> Void = { _ in }) -> RunningWorker {
        let worker = worker(name, adjust)
        let running = RunningWorker(worker: worker, running: Task { await worker.run() })
        workers.change { $0.append(running) }
        return running
    }

    /// Lets all workers look.
    func wake() async {
        for worker in workers.value { await worker.wake() }
    }

    func stopWorkers() async {
        for worker in workers.value { await worker.stop() }
    }

    /// Waits until `tries` tries of a submission have ended, and tells where it stands.
    @discardableResult
    func ended(_ id: SubmissionID, tries: Int = 1) async throws -> Submission {
        await log.wait(for: "submission tried", id.description, count: tries)
        return try await submission(id)
    }

    /// Lets the time pass that jobs and lanes wait for.
    func makeDue() async throws {
        try await sql("UPDATE jobs SET run_at = created_at WHERE state = 'ready'")
        try await sql("UPDATE lanes SET blocked_until = '-infinity', wake_at = now() WHERE NOT paused")
    }

    /// Lets the leases of all jobs that run come to their end.
    func endLeases() async throws {
        try await sql("UPDATE jobs SET lease_until = now() - interval '1 second' WHERE state = 'running'")
    }

    // MARK: SQL

    func sql(_ text: String) async throws {
        // A statement's name stands for one text on each connection.
        try await database.execute(Query("test_\(UUID())", text))
    }

    /// The text of the only value.
    func value(_ text: String) async throws -> String {
        try await database.one(
            Query<String>("test_\(UUID())", "SELECT (\(text))::text AS value") { row throws(PostgresError) in
                try row.get("value")
            })
    }

    /// Asks until the answer is true, a hundred times a second at most.
    func until(_ condition: String) async throws {
        while try await value("SELECT (\(condition)) FROM pg_sleep(0.01)") != "true" {}
    }
}

/// A worker and the task that it runs in.
struct RunningWorker: Sendable {
    let worker: Worker
    let running: Task<Void, Never>

    func wake() async { await worker.wake() }

    /// Ends it at once; what runs is given back.
    func stop() async {
        await worker.stop(within: .zero)
        await running.value
    }
}

/// Runs `body` with a bench, and ends its workers afterwards.
///
/// - Parameter alone: With a database of its own instead of a schema, so that no other test's `NOTIFY` is heard.
func withBench(
    _ submitter: any Submitter, alone: Bool = false, _ body: @Sendable (Bench) async throws -> Void
) async throws {
    let folder = NSTemporaryDirectory() + "pics-jobs-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let set = { (database: Database) async throws in
        let store = Store(database: database)
        let log = LogProbe()
        let clock = TestClock()
        let workshop = Workshop(
            store: store, registry: Registry([submitter]), blobs: try Shared.blobs(in: folder), media: Shared.media,
            transport: NoTransport(), keys: KeyRing(current: .random()), addresses: Addresses(base: "https://pics.test"),
            copiesFolder: folder, logger: Logger(threshold: .debug, sink: log), now: { clock.now })
        let bench = Bench(
            database: database, store: store, log: log, clock: clock, owner: try await store.addUser("alice"),
            workshop: workshop)
        do {
            try await body(bench)
        } catch {
            await bench.stopWorkers()
            throw error
        }
        await bench.stopWorkers()
    }
    let adjust = { (settings: inout DatabaseSettings) in settings.connectionsPerLoop = 6 }
    if alone {
        try await withTestDatabase(migrated: true, adjust: adjust, set)
    } else {
        try await withTestSchema(migrated: true, adjust: adjust, set)
    }
}

/// The time of a test: the real one, until the test moves it.
final class TestClock: Sendable {
    private let difference = Mutex(TimeInterval(0))

    var now: Date { Date() + difference.withLock { $0 } }

    func advance(by seconds: TimeInterval) { difference.withLock { $0 += seconds } }
}

/// A value that several tasks change.
final class Mutexed<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>

    init(_ value: Value) { stored = Mutex(value) }

    var value: Value { stored.withLock { $0 } }

    func change(_ body: (inout Value) -> Void) { stored.withLock { body(&$0) } }
}

/// Scripted services send nothing.
private struct NoTransport: Transport {
    func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
        throw .notSent("there is no network here")
    }
}

/// What costs threads is made once.
private enum Shared {
    static let threads = BlockingThreads(name: "jobs-tests", count: 2)
    static let media = MediaPool(MediaPool.Configuration(program: "/nonexistent/pics-media"), logger: .silent)
    private static let loops = Result { try (0..<2).map { try EventLoop(name: "jobs-tests-\($0)") } }
    private static let turn = Mutex(0)

    static func blobs(in folder: String) throws -> BlobStore { try BlobStore(folder: "\(folder)/blobs", threads: threads) }

    /// Workers that run side by side run on different threads.
    static func nextLoop() -> EventLoop {
        let turn = turn.withLock { turn in
            turn += 1
            return turn
        }
        do { return try loops.get()[turn % 2] } catch { fatalError("no event loop: \(error)") }
    }
}
