import Domain
import Postgres
import Testing

@testable import Store

/// Two transactions at once, in the one order that shows a broken rule.
@Suite(.timeLimit(.minutes(5)))
struct LockOrderTests {
    @Test func `a photo that waited for a claim of its lane still wakes it`() async throws {
        try await withStore(connections: 4) { bench in
            let connection = try await bench.connect(maximumRunning: 2)
            _ = try await bench.submission(to: connection)

            let posting = try await bench.database.transaction { transaction throws(PostgresError) in
                let jobs = try await transaction.run(.claimJobs(worker: "first", limit: 1, lease: Bench.lease))
                #expect(jobs.count == 1)
                let posting = Task { try await bench.submission(to: connection) }
                try await bench.untilBlocked()
                return posting
            }

            let submission = try await posting.value
            let job = try await bench.takeOne()
            #expect(job.submission == submission)
        }
    }

    @Test func `a photo that waited while its account was parked says so`() async throws {
        try await withStore(connections: 4) { bench in
            let connection = try await bench.connect("one")
            _ = try await bench.submission(to: connection)
            let job = try await bench.takeOne()

            let posting = try await bench.database.transaction { transaction throws(PostgresError) in
                _ = try await transaction.one(.park(job, isArmed: false, report: .refusal))
                let posting = Task { try await bench.submission(to: connection) }
                try await bench.untilBlocked()
                return posting
            }

            let state = try await bench.state(of: try await posting.value)
            #expect(state == .needsLogin)
        }
    }

    @Test func `a photo that waited while its account was connected again waits for nothing else`() async throws {
        try await withStore(connections: 5) { bench in
            let connection = try await bench.connect("one")
            try await bench.park(connection)

            let (connecting, posting) = try await bench.holding(connection) { () throws(PostgresError) in
                let connecting = Task { try await bench.connect("one") }
                try await bench.untilBlocked(1)
                let posting = Task { try await bench.submission(to: connection) }
                try await bench.untilBlocked(2)
                return (connecting, posting)
            }

            _ = try await connecting.value
            let submission = try await posting.value
            let state = try await bench.state(of: submission)
            #expect(state == .waiting)
            let job = try await bench.takeOne()
            #expect(job.submission == submission)
        }
    }

    @Test func `parking and connecting an account at once do not lock each other`() async throws {
        try await withStore(connections: 5) { bench in
            let connection = try await bench.connect("one")
            _ = try await bench.submission(to: connection)
            let job = try await bench.takeOne()

            let (parking, connecting) = try await bench.holding(connection) { () throws(PostgresError) in
                let parking = Task { try await bench.store.park(job, isArmed: false, report: .refusal) }
                try await bench.untilBlocked(1)
                let connecting = Task { try await bench.connect("one") }
                try await bench.untilBlocked(2)
                return (parking, connecting)
            }

            let parked = try await parking.value
            _ = try await connecting.value
            #expect(parked == .needsLogin)
            let records = try await bench.store.connections(of: bench.owner.id)
            #expect(records.map(\.connection.state) == [.ok])
        }
    }

    @Test func `connecting an account locks its lane before its submissions`() async throws {
        try await withStore(connections: 5) { bench in
            let connection = try await bench.connect("one")
            let submission = try await bench.submission(to: connection)
            try await bench.park(connection)

            let connecting = try await bench.database.transaction { transaction throws(PostgresError) in
                try await transaction.change("SELECT FROM lanes FOR NO KEY UPDATE")
                let connecting = Task { try await bench.connect("one") }
                try await bench.untilBlocked()
                _ = try await transaction.one(.cancelSubmission(submission))
                return connecting
            }

            _ = try await connecting.value
            let state = try await bench.state(of: submission)
            #expect(state == .cancelled)
        }
    }

    @Test func `editing and deleting a photo lock its lanes first`() async throws {
        try await withStore(connections: 5) { bench in
            let connection = try await bench.connect()
            let posted = try await bench.post(to: [connection])
            let edit = PhotoEdit(caption: "New words", altText: nil, visibility: nil)

            let (editing, deleting) = try await bench.holding(connection) { () throws(PostgresError) in
                let editing = Task {
                    try await bench.store.edit(
                        posted.photo, owner: bench.owner.id, version: 1, edit: edit,
                        texts: [(posted.submissions[0], .sample("New words"))])
                }
                try await bench.untilBlocked(1)
                let deleting = Task { try await bench.store.deletePhoto(posted.photo, owner: bench.owner.id) }
                try await bench.untilBlocked(2)
                try await bench.database.change("SELECT FROM photos, submissions FOR NO KEY UPDATE NOWAIT")
                return (editing, deleting)
            }

            _ = try await editing.value
            _ = try await deleting.value
            await #expect(throws: StoreError.gone) {
                try await bench.store.photo(posted.photo, viewer: bench.owner.id)
            }
        }
    }

    @Test func `heartbeats and deletions lock jobs in the order of their identifiers`() async throws {
        try await withStore(connections: 5) { bench in
            let connections = try await bench.connect(count: 2)
            let posted = try await bench.post(to: connections)
            // The account that comes first gets the job that comes last.
            _ = try await bench.store.cancel(posted.submissions[0], owner: bench.owner.id)
            _ = try await bench.store.retry(
                posted.submissions[0], owner: bench.owner.id, maximumAttempts: 3, maximumAge: .seconds(3600))
            let jobs = try await bench.take().sorted { $0.id < $1.id }
            #expect(jobs.map(\.connection) == connections.reversed())

            let (deleting, beating) = try await bench.database.transaction { transaction throws(PostgresError) in
                try await transaction.change("SELECT FROM jobs WHERE id = $1 FOR NO KEY UPDATE", [jobs[0].id])
                let deleting = Task { try await bench.store.deletePhoto(posted.photo, owner: bench.owner.id) }
                try await bench.untilBlocked(1)
                let beating = Task {
                    try await bench.store.extendLeases(jobs.reversed().map { ($0.id, $0.leaseNo) }, lease: Bench.lease)
                }
                try await bench.untilBlocked(2)
                try await bench.database.change("SELECT FROM jobs WHERE id = $1 FOR NO KEY UPDATE NOWAIT", [jobs[1].id])
                return (deleting, beating)
            }

            _ = try await deleting.value
            let beaten = try await beating.value
            #expect(beaten.map(\.isCancelled) == [true, true])
        }
    }

    @Test func `a rescue passes a job that is just showing that it lives`() async throws {
        try await withStore(connections: 4) { bench in
            let connection = try await bench.connect(maximumRunning: 2)
            for _ in 0..<2 { _ = try await bench.submission(to: connection) }
            let jobs = try await bench.take()
            try await bench.passTime(.seconds(61), in: connection)

            try await bench.database.transaction { transaction throws(PostgresError) in
                _ = try await transaction.run(.extendLeases([(jobs[0].id, jobs[0].leaseNo)], lease: Bench.lease))
                let rescued = try await bench.database.one(.rescueJobs(limit: 10))
                #expect(rescued == 1)
            }

            let isOurs = try await bench.publish(jobs[0])
            #expect(isOurs)
        }
    }

    @Test func `claim, rescue and sweep pass a lane that is locked`() async throws {
        try await withStore(connections: 4) { bench in
            let connections = try await bench.connect(count: 3)
            let posted = try await bench.post(to: connections)
            let lapsed = try #require(try await bench.take(1).first)
            try await bench.passTime(.seconds(61), in: lapsed.connection)
            let locked = connections.first { $0 != lapsed.connection } ?? lapsed.connection

            let (rescued, swept, taken) = try await bench.holding(locked) { () throws(PostgresError) in
                (
                    try await bench.database.one(.rescueJobs(limit: 10)), try await bench.database.one(.sweepLanes()),
                    try await bench.database.run(.claimJobs(worker: "worker", limit: 10, lease: Bench.lease))
                )
            }

            #expect(rescued == 1)
            #expect(swept == 0)
            #expect(taken.count == posted.submissions.count - 1)
            #expect(!taken.contains { $0.connection == locked })
        }
    }

    @Test func `a large claim leaves lanes to others`() async throws {
        try await withStore(connections: 4) { bench in
            let connections = try await bench.connect(count: 100, maximumRunning: 8)
            for _ in 0..<2 { _ = try await bench.post(to: connections) }

            let (first, second) = try await bench.database.transaction { transaction throws(PostgresError) in
                (
                    try await transaction.run(.claimJobs(worker: "first", limit: 80, lease: Bench.lease)),
                    try await bench.database.run(.claimJobs(worker: "second", limit: 200, lease: Bench.lease))
                )
            }

            #expect(first.count == 80)
            #expect(Set(first.map(\.connection)).count == 64)
            #expect(second.count == 2 * 36)
        }
    }

    @Test func `a sweep wakes a lane that was put to sleep with work in it`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            _ = try await bench.submission(to: connection)
            try await bench.database.change("UPDATE lanes SET wake_at = now() + interval '1 day'")

            let swept = try await bench.store.sweepLanes()
            let again = try await bench.store.sweepLanes()

            #expect(swept == 1)
            #expect(again == 0)
            let isAwake = try await bench.isAwake(connection)
            #expect(isAwake)
        }
    }

    @Test func `long words wait for a photo that is posted before they take its lanes`() async throws {
        try await withStore(connections: 4) { bench in
            let connection = try await bench.connect()
            let posted = try await bench.post(to: [connection])
            let words = String(repeating: "word ", count: 1000)

            let editing = try await bench.database.transaction { transaction throws(PostgresError) in
                // A post takes its room first and its lanes last.
                try await transaction.execute(.lockStorage(of: bench.owner.id, usual: 1 << 40))
                let editing = Task {
                    try await bench.store.edit(
                        posted.photo, owner: bench.owner.id, version: 1,
                        edit: PhotoEdit(caption: words, altText: nil, visibility: nil), texts: [],
                        storageQuota: 1 << 40)
                }
                try await bench.untilBlocked()
                try await transaction.execute(
                    .statement("SELECT FROM lanes WHERE connection_id = $1 FOR UPDATE", [connection.uuid]))
                return editing
            }

            _ = try await editing.value
        }
    }
}

extension Bench {
    /// Runs `body` while another transaction holds a lane, as one that finishes a job does.
    fileprivate func holding<Value>(
        _ connection: AccountID, _ body: () async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        try await database.transaction { transaction throws(PostgresError) in
            try await transaction.change(
                "SELECT FROM lanes WHERE connection_id = $1 FOR NO KEY UPDATE", [connection.uuid])
            return try await body()
        }
    }
}
