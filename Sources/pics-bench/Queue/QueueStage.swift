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
internal import PostgresCluster
internal import Store
internal import Submitters

/// A queue of its own: a PostgreSQL in a folder that is deleted afterwards, or the one that is named, with a schema, a user
/// and accounts.
struct QueueStage: Sendable {
    let folder: String
    let cluster: Cluster?
    let conninfo: String
    let loops: [EventLoop]
    let database: Database
    let store: PicsStore
    /// Whose photos are posted.
    var owner: User
    let keys: KeyRing

    static func open(_ conninfo: String? = nil, connections: Int = 8, loops: Int = 2) async throws -> QueueStage {
        let folder = "\(NSTemporaryDirectory())/pics-queue-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let logger = Logger(threshold: .error)
        let cluster = conninfo == nil ? Cluster(dataFolder: folder, logger: logger) : nil
        var connection = conninfo ?? ""
        if let cluster { connection = try await cluster.ensureRunning().conninfo }
        let loops = try (0..<loops).map { try EventLoop(name: "bench-\($0)") }
        var settings = DatabaseSettings(connection: connection)
        settings.connectionsPerLoop = connections
        if let cluster { settings.beforeConnect = { _ = try await cluster.ensureRunning() } }
        let database = Database(settings, loops: loops, logger: logger)
        guard let release = Release(Software.version) else { fatalError("\(Software.version) is no release") }
        _ = try await Migrations.load("migrations").apply(to: database, as: release)
        let store = PicsStore(database: database)
        return QueueStage(
            folder: folder, cluster: cluster, conninfo: connection, loops: loops, database: database, store: store,
            owner: try await store.addUser("bench"), keys: try KeyFile.loadOrCreate("\(folder)/key"))
    }

    func close() async {
        await database.close()
        await cluster?.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Connects accounts of a service, each with a lane.
    func connect(
        _ count: Int, service: String, named name: String = "bench", maximumRunning: Int, gap: Duration = .zero
    ) async throws -> [AccountID] {
        var connections: [AccountID] = []
        for _ in 0..<count {
            let account = UUID().uuidString
            let sealed = try keys.seal(
                Array("{}".utf8), context: CredentialContext.of(service: service, remoteID: account))
            connections.append(
                try await store.connect(
                    NewAccount(
                        id: .make(), owner: owner.id, service: service, remoteID: account, account: name,
                        credentials: sealed, settings: "{}",
                        lane: NewLane(gate: service, maximumRunning: maximumRunning, gap: gap))))
        }
        return connections
    }

    /// Stores a photo that goes to these accounts. Its file is never read.
    func post(to connections: [AccountID]) async throws -> [SubmissionID] {
        let id = PhotoID.make()
        let digest = SHA256Digest(of: Array(id.description.utf8))
        guard let blob = BlobID(digest.bytes) else { fatalError("32 bytes") }
        let photo = NewPhoto(
            id: id, owner: owner.id, code: .make(), blob: blob, bytes: 1000, mediaType: "image/jpeg",
            kind: .photo, width: 40, height: 30, takenAt: nil, position: nil, exif: "{}", caption: "A caption",
            altText: "", visibility: .public)
        let plan = PlannedCaption(text: "A caption", isCut: false, length: 9, limit: 140, unit: .codePoints)
        let submissions = connections.map {
            NewSubmission(
                id: .make(), connection: $0, plan: plan, bytes: 1000, maximumAttempts: 1_000_000,
                maximumAge: .seconds(86_400))
        }
        try await store.create(photo, submissions: submissions)
        return submissions.map(\.id)
    }

    /// Runs a worker with so many jobs at once while `body` runs, and stops it then.
    func withWorker(
        _ concurrency: Int, _ submitter: InstantSubmitter, _ body: (Worker) async throws -> Void
    ) async throws {
        var configuration = Worker.Configuration(name: "bench")
        configuration.concurrency = concurrency
        let worker = Worker(
            configuration, context: try context([submitter], transport: NoTransport()), loop: loops[0],
            leases: try EventLoop(name: "leases"))
        let running = Task(executorPreference: worker.loop) { await worker.run() }
        try await body(worker)
        await worker.stop(within: .zero)
        await running.value
    }

    /// Waits until no job is left.
    func untilEmpty() async throws {
        while try await number("SELECT count(*) FROM jobs") > 0 { await Task.yield() }
    }

    /// The bytes of WAL that PostgreSQL has written so far.
    func writtenBytes() async throws -> Int { try await number("SELECT pg_current_wal_insert_lsn() - '0/0'") }

    /// The parts of a worker whose submitters ask for no file.
    func context(_ submitters: [any Submitter], transport: any Transport) throws -> WorkerContext {
        WorkerContext(
            store: store, registry: Registry(submitters),
            blobs: try BlobStore(folder: "\(folder)/blobs", threads: BlockingThreads(name: "disk", count: 1)),
            media: MediaPool(MediaPool.Configuration(program: "/nonexistent"), logger: Logger(threshold: .error)),
            transport: transport, keys: keys, addresses: Addresses(base: "https://pics.example"),
            copiesFolder: folder, logger: Logger(threshold: .error))
    }

    /// The same for as long as it takes a PostgreSQL that was killed to come back, at most a minute.
    func numberInTheEnd(_ sql: String) async throws -> Int {
        let begun = Moment.now
        while true {
            do { return try await number(sql) } catch {
                guard Moment.now - begun < .seconds(60) else { throw error }
                try await loops[0].sleep(for: .milliseconds(50))
            }
        }
    }

    func number(_ sql: String) async throws -> Int {
        let rows = try await database.run(
            Query<Int64>("number \(sql.hashValue)", "SELECT (\(sql))::bigint AS n") { row throws(PostgresError) in
                try row.get("n")
            })
        return Int(rows.first ?? 0)
    }
}

/// Prints a line at once, also into a file.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
