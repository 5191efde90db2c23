import Domain
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TakeTests {
    @Test func `the jobs of a lane come in the order they were posted`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            var posted: [SubmissionID] = []
            for _ in 0..<4 { posted.append(try await bench.submission(to: connection)) }

            var taken: [SubmissionID] = []
            for _ in 0..<4 {
                let job = try await bench.takeOne()
                taken.append(job.submission)
                try await bench.publish(job)
            }

            #expect(taken == posted)
        }
    }

    @Test func `a taken job is running and says so`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let posted = try await bench.post(to: [connection])

            let job = try await bench.takeOne()

            #expect(job.submission == posted.submissions[0])
            #expect(job.connection == connection)
            #expect(job.failures == 0)
            #expect(!job.isArmed)
            #expect(job.journal == "{}")
            let state = try await bench.state(of: job.submission)
            #expect(state == .running)
            let subject = try #require(try await bench.store.subject(of: job))
            #expect(subject.photo.id == posted.photo)
            #expect(subject.text == "A caption")
            #expect(subject.account.credentials == [1, 2, 3])
        }
    }

    @Test func `a lane never runs more jobs than it may`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect(maximumRunning: 2)
            for _ in 0..<5 { _ = try await bench.submission(to: connection) }

            let first = try await bench.take()
            let none = try await bench.take()
            try await bench.publish(first[0])
            let next = try await bench.take()

            #expect(first.count == 2)
            #expect(none.isEmpty)
            #expect(next.count == 1)
            let slots = try await bench.database.texts(
                "SELECT slot::text FROM jobs WHERE state = 'running' ORDER BY slot")
            #expect(slots == ["0", "1"])
        }
    }

    @Test func `claims at once never share a job`() async throws {
        try await withStore(connections: 8) { bench in
            let connections = try await bench.connect(count: 6, maximumRunning: 3)
            for _ in 0..<5 { try await bench.post(to: connections) }

            let taken = try await withThrowingTaskGroup(of: [ClaimedJob].self) { group in
                for _ in 0..<16 { group.addTask { try await bench.take(3) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let rest = try await bench.take(100)

            let all = taken + rest
            #expect(Set(all.map(\.id)).count == all.count)
            #expect(all.count == 18)
            let counts = Dictionary(grouping: all, by: \.connection).mapValues(\.count)
            #expect(counts == Dictionary(uniqueKeysWithValues: connections.map { ($0, 3) }))
        }
    }

    @Test func `a gap is kept from one start to the next, whatever is free`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect(maximumRunning: 2, gap: .seconds(3600))
            for _ in 0..<3 { _ = try await bench.submission(to: connection) }

            try await bench.publish(try await bench.takeOne())
            try await bench.database.change("UPDATE lanes SET wake_at = now()")
            let early = try await bench.take()
            let alarms = try await bench.database.number("SELECT count(*) FROM lanes WHERE wake_at = started_at + gap")
            try await bench.passTime(.seconds(3540), in: connection)
            let stillEarly = try await bench.take()
            try await bench.passTime(.seconds(60), in: connection)
            let due = try await bench.take()

            #expect(early.isEmpty)
            #expect(alarms == 1)
            #expect(stillEarly.isEmpty)
            #expect(due.count == 1)
        }
    }

    @Test func `the gap counts from the start, also while the job runs`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect(maximumRunning: 1, gap: .seconds(3600))
            for _ in 0..<2 { _ = try await bench.submission(to: connection) }
            let job = try await bench.takeOne()

            try await bench.passTime(.seconds(3600), in: connection)
            let whileFull = try await bench.take()
            try await bench.publish(job)
            let next = try await bench.take()

            #expect(whileFull.isEmpty)
            #expect(next.count == 1)
        }
    }

    @Test func `a lane with a thousand jobs does not delay another`() async throws {
        try await withStore { bench in
            let crowded = try await bench.connect(maximumRunning: 1000)
            try await bench.fill(crowded, count: 1000)
            _ = try await bench.take(1)

            let single = try await bench.submission(to: try await bench.connect())
            let taken = [try await bench.take(1), try await bench.take(1)].flatMap { $0 }

            #expect(taken.count == 2)
            #expect(taken.contains { $0.submission == single })
        }
    }

    @Test func `each lane gives one job before any gives two`() async throws {
        try await withStore { bench in
            let connections = try await bench.connect(count: 3, maximumRunning: 5)
            for _ in 0..<5 { try await bench.post(to: connections) }

            let taken = try await bench.take(4)

            let counts = Dictionary(grouping: taken, by: \.connection).mapValues(\.count)
            #expect(counts.values.sorted() == [1, 1, 2])
        }
    }

    @Test func `a lane with nothing due sleeps until it has something`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect(maximumRunning: 2)
            _ = try await bench.submission(to: connection)
            let job = try await bench.takeOne()
            let sleeping = try await bench.database.number("SELECT count(*) FROM lanes WHERE wake_at = 'infinity'")
            #expect(sleeping == 1)

            _ = try await bench.store.release(job, delay: .seconds(3600), counts: true, isArmed: false)
            _ = try await bench.take()
            let set = try await bench.database.number("SELECT count(*) FROM lanes, jobs WHERE wake_at = run_at")
            #expect(set == 1)
            try await bench.passTime(.seconds(3600), in: connection)
            let due = try await bench.takeOne()
            try await bench.publish(due)

            _ = try await bench.take()
            let asleepAgain = try await bench.database.number("SELECT count(*) FROM lanes WHERE wake_at = 'infinity'")
            #expect(asleepAgain == 1)
        }
    }

    @Test func `work for a lane that is awake does not send it to the back of the line`() async throws {
        try await withStore { bench in
            let connections = [try await bench.connect(), try await bench.connect()]
            let first = try await bench.submission(to: connections[0])
            _ = try await bench.submission(to: connections[1])

            _ = try await bench.submission(to: connections[0])
            let job = try #require(try await bench.take(1).first)

            #expect(job.submission == first)
        }
    }

    @Test func `a bound that was lowered below what runs stops no claim`() async throws {
        try await withStore { bench in
            let lowered = try await bench.connect("one", maximumRunning: 5)
            for _ in 0..<5 { _ = try await bench.submission(to: lowered) }
            let running = try await bench.take(3)
            #expect(running.count == 3)

            try await bench.connect("one", maximumRunning: 1, gap: .seconds(1))
            try await bench.passTime(.seconds(2), in: lowered)
            let other = try await bench.submission(to: try await bench.connect("two"))
            let taken = try await bench.take()

            #expect(taken.map(\.submission) == [other])
        }
    }
}

extension Bench {
    /// Puts jobs into a lane without the detour of posting photos.
    func fill(_ connection: AccountID, count: Int) async throws(PostgresError) {
        let blob = BlobID.random().bytes
        try await database.execute([
            .statement("INSERT INTO blobs (sha256, bytes, media_type) VALUES ($1, 1, 'image/png')", [blob]),
            .statement(
                """
                WITH photo AS (
                    INSERT INTO photos (id, owner_id, sha256, kind, width, height)
                    SELECT gen_random_uuid(), $1, $2, 'photo', 1, 1 FROM generate_series(1, $4::int) RETURNING id
                ), submission AS (
                    INSERT INTO submissions (id, photo_id, connection_id, text, is_cut, length)
                    SELECT gen_random_uuid(), id, $3, '', false, 0 FROM photo RETURNING id
                )
                INSERT INTO jobs (connection_id, submission_id, max_attempts, expires_at)
                SELECT $3, id, 3, 'infinity' FROM submission
                """, [owner.id.uuid, blob, connection.uuid, count]),
            .statement("SELECT wake_lanes(ARRAY[$1::uuid])", [connection.uuid]),
        ])
    }
}
