import Domain
import Foundation
import Postgres
import Store
import TestSupport
import TestTools

/// A store in a schema of its own, with one user.
struct Bench: Sendable {
    let store: PicsStore
    let database: Database
    let owner: User

    static let lease = Duration.seconds(60)
}

/// A photo that was posted, and its submissions in the order of the accounts it was posted to.
struct Posted: Sendable {
    let photo: PhotoID
    let code: ShortCode
    let submissions: [SubmissionID]
}

/// Runs `body` with an empty store whose database may have so many sessions.
func withStore(connections: Int = 2, _ body: (Bench) async throws -> Void) async throws {
    func adjust(_ settings: inout DatabaseSettings) {
        settings.connectionsPerLoop = connections
        // Tells the sessions of this test from those of others.
        settings.applicationName = UUID().uuidString
    }
    func run(_ database: Database) async throws {
        let store = PicsStore(database: database)
        try await body(Bench(store: store, database: database, owner: try await store.addUser("alice")))
    }
    try await withTestDatabase(migrated: true, adjust: adjust, run)
}

// MARK: Arranging

extension Bench {
    /// Connects an account, or the same account again.
    @discardableResult
    func connect(
        _ remoteID: String = UUID().uuidString, maximumRunning: Int = 1, gap: Duration = .zero, gate: String? = nil,
        cap: StartRate? = nil, service: String = "file"
    ) async throws(StoreError) -> AccountID {
        try await store.connect(
            NewAccount(
                id: .make(), owner: owner.id, service: service, remoteID: remoteID, account: remoteID,
                credentials: [1, 2, 3], settings: "{}",
                lane: NewLane(gate: gate ?? "file", maximumRunning: maximumRunning, gap: gap, cap: cap)))
    }

    /// Several accounts, in the order of their identifiers.
    func connect(count: Int, maximumRunning: Int = 1) async throws(StoreError) -> [AccountID] {
        var connections: [AccountID] = []
        for _ in 0..<count { connections.append(try await connect(maximumRunning: maximumRunning)) }
        return connections.sorted()
    }

    @discardableResult
    func post(
        to connections: [AccountID] = [], as photo: NewPhoto? = nil, attempts: Int = 3,
        age: Duration = .seconds(86_400), scheduledAt: Date? = nil
    ) async throws(StoreError) -> Posted {
        let photo = photo ?? .sample(of: owner.id)
        let submissions = connections.map { connection in
            NewSubmission(
                id: .make(), connection: connection, plan: .sample(photo.caption), bytes: photo.bytes,
                maximumAttempts: attempts, maximumAge: age, scheduledAt: scheduledAt)
        }
        try await store.create(photo, submissions: submissions)
        return Posted(photo: photo.id, code: photo.code, submissions: submissions.map(\.id))
    }

    /// Posts a photo to one account.
    func submission(
        to connection: AccountID, attempts: Int = 3, age: Duration = .seconds(86_400)
    ) async throws(StoreError) -> SubmissionID {
        try await post(to: [connection], attempts: attempts, age: age).submissions[0]
    }

    func take(_ limit: Int = 10, worker: String = "worker") async throws(StoreError) -> [ClaimedJob] {
        try await store.claimJobs(worker: worker, limit: limit, lease: Self.lease)
    }

    /// Takes the only job that is due.
    func takeOne() async throws -> ClaimedJob {
        let jobs = try await take()
        guard jobs.count == 1 else { throw UnexpectedJobs(count: jobs.count) }
        return jobs[0]
    }

    @discardableResult
    func publish(_ job: ClaimedJob) async throws(StoreError) -> Bool {
        try await store.finish(job, state: .done, remoteID: "1", report: AttemptReport(outcome: "done"))
    }

    /// Parks an account as a worker does whose attempt was refused: that of the account's first submission. It gets one more
    /// beforehand, so that there is a first one, which is cancelled afterwards.
    func park(_ connection: AccountID) async throws {
        let cancelled = try await submission(to: connection)
        _ = try await store.park(try await takeOne(), isArmed: false, report: .refusal)
        _ = try await store.cancel(cancelled, owner: owner.id)
    }

    /// Lets time pass for a lane and its jobs.
    func passTime(_ duration: Duration, in connection: AccountID) async throws(PostgresError) {
        try await database.execute([
            .statement(
                """
                UPDATE lanes SET wake_at = wake_at - $2::interval, blocked_until = blocked_until - $2::interval,
                                 started_at = started_at - $2::interval, connected_at = connected_at - $2::interval,
                                 window_start = window_start - $2::interval
                 WHERE connection_id = $1
                """, [connection.uuid, duration]),
            .statement(
                """
                UPDATE jobs SET run_at = run_at - $2::interval, started_at = started_at - $2::interval,
                                lease_until = lease_until - $2::interval, expires_at = expires_at - $2::interval
                  FROM (SELECT id FROM jobs WHERE connection_id = $1 ORDER BY id FOR NO KEY UPDATE) AS locked
                 WHERE jobs.id = locked.id
                """, [connection.uuid, duration]),
        ])
    }
}

extension Bench {
    /// Lets time pass for a gate and all its lanes.
    func passTime(_ duration: Duration, at gate: String) async throws(PostgresError) {
        try await database.execute([
            .statement(
                """
                UPDATE lanes SET wake_at = wake_at - $2::interval, blocked_until = blocked_until - $2::interval,
                                 started_at = started_at - $2::interval, connected_at = connected_at - $2::interval,
                                 window_start = window_start - $2::interval
                  FROM (SELECT connection_id FROM lanes WHERE gate = $1 ORDER BY connection_id FOR NO KEY UPDATE) AS k
                 WHERE lanes.connection_id = k.connection_id
                """, [gate, duration]),
            .statement(
                """
                UPDATE gates SET open_until = open_until - $2::interval, probe_until = probe_until - $2::interval,
                                 blocked_until = blocked_until - $2::interval,
                                 window_start = window_start - $2::interval
                 WHERE name = $1
                """, [gate, duration]),
        ])
    }
}

/// A number of jobs was taken that the test does not expect.
struct UnexpectedJobs: Error {
    let count: Int
}

// MARK: Asking

extension PicsStore {
    func release(
        _ job: ClaimedJob, delay: Duration?, counts: Bool, isArmed: Bool, block: Duration? = nil,
        gateBlock: Duration? = nil, isTrouble: Bool = false, report: AttemptReport? = nil
    ) async throws(StoreError) -> Submission.State? {
        try await release(
            job,
            JobRelease(
                delay: delay, counts: counts, isArmed: isArmed, block: block, gateBlock: gateBlock,
                trouble: isTrouble ? .seconds(15) : nil, report: report))
    }
}

extension Bench {
    func submission(_ id: SubmissionID) async throws(StoreError) -> Submission {
        try await store.submission(id, owner: owner.id)
    }

    func state(of id: SubmissionID) async throws(StoreError) -> Submission.State { try await submission(id).state }

    /// Whether a claim would look into this lane now.
    func isAwake(_ connection: AccountID) async throws(PostgresError) -> Bool {
        try await database.number(
            "SELECT count(*) FROM lanes WHERE connection_id = $1 AND wake_at <= now()", [connection.uuid])
            == 1
    }

    /// Every row that the queue may change, as text.
    func queueRows() async throws(PostgresError) -> [String] {
        try await database.texts(
            """
            SELECT j::text FROM jobs j UNION ALL SELECT s::text FROM submissions s UNION ALL SELECT l::text FROM lanes l
            UNION ALL SELECT a::text FROM attempts a UNION ALL SELECT c::text FROM connections c ORDER BY 1
            """)
    }

    /// Waits until a number of this test's sessions wait for a lock.
    func untilBlocked(_ count: Int = 1) async throws(PostgresError) {
        try await until { () throws(PostgresError) in
            try await database.number(
                """
                SELECT count(*) FROM pg_stat_activity
                 WHERE application_name = current_setting('application_name') AND wait_event_type = 'Lock'
                """) >= count
        }
    }
}

// MARK: Samples

extension AttemptReport {
    /// Of an attempt whose credentials were refused.
    static let refusal = AttemptReport(outcome: "unauthorized", status: 401, problem: .other("Please connect again."))
}

extension NewPhoto {
    static func sample(
        of owner: UserID, id: PhotoID = .make(), code: ShortCode = .make(), blob: BlobID = .random(),
        caption: String = "A caption", altText: String = "A cat", visibility: Visibility = .public,
        companions: [PhotoID] = [], album: String? = nil,
        takenAt: Date = Date(timeIntervalSince1970: 1_700_000_000)
    ) -> NewPhoto {
        NewPhoto(
            id: id, owner: owner, code: code, blob: blob, bytes: 1000, mediaType: "image/jpeg", kind: .photo, width: 40,
            height: 30, takenAt: takenAt,
            position: Position(latitude: 59.3, longitude: 18.1), exif: #"{"Make":"Canon"}"#, caption: caption,
            altText: altText, visibility: visibility, companions: companions, album: album)
    }
}

extension PlannedCaption {
    static func sample(_ text: String) -> PlannedCaption {
        PlannedCaption(text: text, isCut: false, length: text.count, limit: 140, unit: .codePoints)
    }
}

extension BlobID {
    static func random() -> BlobID {
        let halves = [UUID(), UUID()].flatMap { uuid in withUnsafeBytes(of: uuid.uuid) { Array($0) } }
        guard let blob = BlobID(halves) else { preconditionFailure("two UUIDs have 32 bytes") }
        return blob
    }
}

extension StoreError {
    /// The constraint that a defect has violated.
    var brokenConstraint: String? {
        if case .defect(let error) = self { error.constraint } else { nil }
    }
}
