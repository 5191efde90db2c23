import Domain
import Foundation
import Postgres
import Store
import Testing

/// Times that a clock ahead of the true time has written, once it is corrected.
@Suite(.timeLimit(.minutes(5)))
struct ClockTests {
    @Test func `photos posted while the clock was ahead are sent at once`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let posted = [
                try await bench.submission(to: connection), try await bench.submission(to: connection),
            ]
            try await bench.putClockBack(by: 3600)
            #expect(try await bench.take().isEmpty)

            let count = try await bench.store.correctTimes()

            #expect(count > 0)
            #expect(try await bench.takeOne().submission == posted[0])
            #expect(try await bench.store.correctTimes() == 0)
            #expect(try await bench.store.sweepLanes() == 0)
        }
    }

    @Test func `a retry and a limit of the time when it was ahead hold nothing back`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            _ = try await bench.submission(to: connection)
            let first = try await bench.takeOne()
            try await bench.fail(first, delay: .seconds(600), block: nil)
            _ = try await bench.submission(to: connection)
            let second = try await bench.takeOne()
            try await bench.fail(second, delay: nil, block: .seconds(600))
            try await bench.putClockBack(by: 7200)

            _ = try await bench.store.correctTimes()

            #expect(try await bench.takeOne().submission == first.submission)
        }
    }

    @Test func `a worker that died while it was ahead gives its job back within a minute`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let submission = try await bench.submission(to: connection)
            _ = try await bench.takeOne()
            try await bench.putClockBack(by: 86_400)

            _ = try await bench.store.correctTimes()
            try await bench.passTime(.seconds(61), in: connection)
            _ = try await bench.store.rescueJobs()

            #expect(try await bench.takeOne().submission == submission)
        }
    }

    @Test func `a webhook is told what changes from then on`() async throws {
        try await withStore { bench in
            try await bench.database.change(
                """
                INSERT INTO webhooks (id, owner_id, place, url, secret, cursor_at, next_at)
                SELECT gen_random_uuid(), id, 1, 'https://example.org/', '', now() + interval '1 hour',
                       now() + interval '1 hour' FROM users
                """)

            #expect(try await bench.store.correctTimes() == 1)

            let count = try await bench.database.number(
                "SELECT count(*) FROM webhooks WHERE cursor_at < now() AND next_at <= now()")
            #expect(count == 1)
        }
    }

    @Test func `what is scheduled, delayed, limited or leased keeps its time`() async throws {
        try await withStore { bench in
            let connections = try await bench.connect(count: 4)
            try await bench.post(to: [connections[0]], scheduledAt: Date(timeIntervalSinceNow: 40 * 86_400))
            for connection in connections.dropFirst() { _ = try await bench.submission(to: connection) }
            let jobs = try await bench.take()
            try await bench.fail(jobs[0], delay: .seconds(80_000), block: nil)
            try await bench.fail(jobs[1], delay: nil, block: .seconds(86_400))
            let before = try await bench.queueRows()

            #expect(try await bench.store.correctTimes() == 0)

            #expect(try await bench.queueRows() == before)
        }
    }

    @Test func `a scheduled photo posted while the clock was ahead is sent at its time`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let submission = try await bench.post(
                to: [connection], scheduledAt: Date(timeIntervalSinceNow: 600)
            ).submissions[0]
            // It was past already by the clock of that hour.
            try await bench.database.change(
                "UPDATE jobs SET run_at = now() + interval '1 hour', created_at = now() + interval '1 hour'")
            try await bench.database.change("UPDATE lanes SET wake_at = now() + interval '1 hour'")

            _ = try await bench.store.correctTimes()

            let next = try #require(try await bench.submission(submission).nextAttemptAt)
            #expect(abs(next.timeIntervalSinceNow - 600) < 30)
        }
    }
}

extension Bench {
    fileprivate func fail(_ job: ClaimedJob, delay: Duration?, block: Duration?) async throws {
        _ = try await store.release(
            job, delay: delay, counts: true, isArmed: false, block: block,
            report: AttemptReport(outcome: "temporary", status: 429, problem: .other("Later.")))
    }

    /// Corrects a clock that was ahead by so many seconds: all times written so far are then in the future.
    fileprivate func putClockBack(by seconds: Int) async throws {
        for (table, columns) in [
            ("jobs", ["run_at", "created_at", "started_at", "lease_until"]),
            ("lanes", ["wake_at", "blocked_until", "started_at", "window_start", "connected_at"]),
            ("gates", ["blocked_until", "open_until", "probe_until", "window_start"]),
            ("attempts", ["started_at", "ended_at"]),
        ] {
            let changes = columns.map { "\($0) = \($0) + interval '\(seconds) s'" }.joined(separator: ", ")
            try await database.change("UPDATE \(table) SET \(changes)")
        }
    }
}
