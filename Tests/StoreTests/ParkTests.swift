import Domain
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ParkTests {
    @Test func `refused credentials hold the account's work until its owner connects it again`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect("one")
            let first = try await bench.submission(to: connection)
            let second = try await bench.submission(to: connection)

            let state = try await bench.store.park(try await bench.takeOne(), isArmed: false, report: .refusal)

            #expect(state == .needsLogin)
            for id in [first, second] {
                let submission = try await bench.submission(id)
                #expect(submission.state == .needsLogin)
                #expect(submission.problem == .other("Please connect again."))
                #expect(submission.attempts == 0)
            }
            let none = try await bench.take()
            #expect(none.isEmpty)
            let records = try await bench.store.connections(of: bench.owner.id)
            #expect(records.map(\.connection.state) == [.needsLogin])

            let again = try await bench.connect("one")

            #expect(again == connection)
            let job = try await bench.takeOne()
            #expect(job.submission == first)
            let waiting = try await bench.submission(second)
            #expect(waiting.state == .waiting)
            #expect(waiting.problem == nil)
        }
    }

    @Test func `a photo for a parked account says so from the start, and goes on with the others`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect("one")
            try await bench.park(connection)

            let submission = try await bench.submission(to: connection)
            let parked = try await bench.submission(submission)
            let none = try await bench.take()
            try await bench.connect("one")

            #expect(parked.state == .needsLogin)
            #expect(parked.problem == .other("Please connect again."))
            #expect(none.isEmpty)
            let job = try await bench.takeOne()
            #expect(job.submission == submission)
        }
    }

    @Test func `a job that comes back to a parked account says so`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect(maximumRunning: 3)
            for _ in 0..<3 { _ = try await bench.submission(to: connection) }
            let jobs = try await bench.take()
            _ = try await bench.store.park(jobs[0], isArmed: false, report: .refusal)

            let released = try await bench.store.release(jobs[1], delay: .zero, counts: true, isArmed: false)
            try await bench.passTime(.seconds(61), in: connection)
            _ = try await bench.store.rescueJobs()

            #expect(released == .needsLogin)
            let rescued = try await bench.state(of: jobs[2].submission)
            #expect(rescued == .needsLogin)
            let none = try await bench.take()
            #expect(none.isEmpty)
        }
    }

    @Test func `a submission to a parked account can be cancelled and started anew`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect("one")
            let submission = try await bench.submission(to: connection)
            try await bench.park(connection)

            let cancelled = try await bench.store.cancel(submission, owner: bench.owner.id)
            let retried = try await bench.store.retry(
                submission, owner: bench.owner.id, maximumAttempts: 3, maximumAge: .seconds(3600))

            #expect(cancelled.state == .cancelled)
            #expect(retried.state == .needsLogin)
            try await bench.connect("one")
            let job = try await bench.takeOne()
            #expect(job.submission == submission)
        }
    }

    @Test func `credentials that were replaced while a job ran are not parked by it`() async throws {
        try await withStore { bench in
            _ = try await bench.submission(to: try await bench.connect("one"))
            let job = try await bench.takeOne()

            try await bench.connect("one")
            let state = try await bench.store.park(job, isArmed: false, report: .refusal)

            #expect(state == .waiting)
            let next = try await bench.takeOne()
            #expect(next.submission == job.submission)
            let parked = try await bench.store.park(next, isArmed: false, report: .refusal)
            #expect(parked == .needsLogin)
        }
    }

    @Test func `connecting again keeps the settings that the service did not tell anew`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect("one")

            try await bench.store.updateSettings(of: connection, to: #"{"limit": 500}"#)
            try await bench.connect("one")

            let records = try await bench.store.connections(of: bench.owner.id)
            #expect(records.map(\.settings) == [#"{"limit": 500}"#])
        }
    }
}
