import Domain
import Foundation
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ReleaseTests {
    private let trouble = AttemptReport(
        outcome: "temporary", status: 503, problem: .other("The service is down."), detail: "busy")

    @Test func `a try that failed waits for its next one and tells why`() async throws {
        try await withStore { bench in
            let submission = try await bench.submission(to: try await bench.connect())
            let job = try await bench.takeOne()

            let state = try await bench.store.release(
                job, delay: .seconds(60), counts: true, isArmed: false, report: trouble)

            #expect(state == .waiting)
            let waiting = try await bench.submission(submission)
            #expect(waiting.attempts == 1)
            #expect(waiting.problem == .other("The service is down."))
            #expect(try #require(waiting.nextAttemptAt) > waiting.updatedAt)
            let attempts = try await bench.database.texts("SELECT outcome || http_status || detail FROM attempts")
            #expect(attempts == ["temporary503busy"])
        }
    }

    @Test func `a job that is not ready yet keeps its place, and its lane waits for it`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let first = try await bench.submission(to: connection)
            _ = try await bench.submission(to: connection)
            let job = try await bench.takeOne()

            let state = try await bench.store.release(
                job, delay: nil, counts: false, isArmed: false, block: .seconds(3600))
            let blocked = try await bench.take()
            try await bench.passTime(.seconds(3600), in: connection)
            let next = try await bench.takeOne()

            #expect(state == .waiting)
            #expect(blocked.isEmpty)
            #expect(next.submission == first)
            #expect(next.failures == 0)
            let attempts = try await bench.database.number("SELECT count(*) FROM attempts")
            #expect(attempts == 0)
        }
    }

    @Test func `a delayed job lets the next one pass`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let first = try await bench.submission(to: connection)
            let second = try await bench.submission(to: connection)
            _ = try await bench.store.release(
                try await bench.takeOne(), delay: .seconds(3600), counts: true, isArmed: false)

            let overtaking = try await bench.takeOne()
            try await bench.publish(overtaking)
            let none = try await bench.take()
            try await bench.passTime(.seconds(3600), in: connection)
            let delayed = try await bench.takeOne()

            #expect(overtaking.submission == second)
            #expect(none.isEmpty)
            #expect(delayed.submission == first)
        }
    }

    @Test func `what was begun goes on before what is newer as soon as it is due`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            var posted: [SubmissionID] = []
            for _ in 0..<4 { posted.append(try await bench.submission(to: connection)) }
            _ = try await bench.store.release(
                try await bench.takeOne(), delay: .seconds(60), counts: true, isArmed: false, report: trouble)

            let overtaking = try await bench.takeOne()
            try await bench.passTime(.seconds(60), in: connection)
            try await bench.publish(overtaking)
            var order = [overtaking.submission]
            for _ in 0..<3 {
                let job = try await bench.takeOne()
                order.append(job.submission)
                try await bench.publish(job)
            }

            #expect(order == [posted[1], posted[0], posted[2], posted[3]])
        }
    }

    @Test(arguments: [false, true])
    func `a scheduled post that was begun goes before a newer one that is not scheduled`(
        isLeaseLost: Bool
    ) async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let scheduled = try await bench.post(
                to: [connection], scheduledAt: Date(timeIntervalSinceNow: -1)
            ).submissions[0]
            let job = try await bench.takeOne()
            _ = try await bench.store.checkpoint(job, journal: "{}", arm: true, lease: Bench.lease)
            _ = try await bench.submission(to: connection)

            if isLeaseLost {
                try await bench.passTime(.seconds(61), in: connection)
                _ = try await bench.store.rescueJobs()
            } else {
                _ = try await bench.store.release(
                    job, delay: nil, counts: true, isArmed: true, block: .seconds(5), report: trouble)
                try await bench.passTime(.seconds(5), in: connection)
            }
            let next = try await bench.takeOne()

            #expect(next.submission == scheduled)
            #expect(next.isArmed)
        }
    }

    @Test func `a block holds its own lane, and the longest block counts`() async throws {
        try await withStore { bench in
            let blocked = try await bench.connect(maximumRunning: 2)
            for _ in 0..<3 { _ = try await bench.submission(to: blocked) }
            let jobs = try await bench.take()
            _ = try await bench.store.release(
                jobs[0], delay: nil, counts: false, isArmed: false, block: .seconds(7200), report: trouble)
            _ = try await bench.store.release(
                jobs[1], delay: nil, counts: false, isArmed: false, block: .seconds(60), report: trouble)

            let other = try await bench.submission(to: try await bench.connect())
            let taken = try await bench.take()
            try await bench.passTime(.seconds(3600), in: blocked)
            let stillBlocked = try await bench.take()
            try await bench.passTime(.seconds(3600), in: blocked)
            let free = try await bench.take()

            #expect(taken.map(\.submission) == [other])
            #expect(stillBlocked.isEmpty)
            #expect(free.count == 2)
        }
    }

    @Test(arguments: [(false, Submission.State.rejected), (true, .unknown)])
    func `the last try ends a submission by what may have been published`(
        isArmed: Bool, expected: Submission.State
    ) async throws {
        try await withStore { bench in
            let submission = try await bench.submission(to: try await bench.connect(), attempts: 2)

            let first = try await bench.store.release(
                try await bench.takeOne(), delay: .zero, counts: true, isArmed: isArmed, report: trouble)
            let second = try await bench.store.release(
                try await bench.takeOne(), delay: .zero, counts: true, isArmed: isArmed, report: trouble)

            #expect(first == .waiting)
            #expect(second == expected)
            let ended = try await bench.submission(submission)
            #expect(ended.state == expected)
            #expect(ended.attempts == 2)
            #expect(ended.problem?.text.hasPrefix("The service is down. Pics stopped retrying") == true)
            let jobs = try await bench.take()
            #expect(jobs.isEmpty)
        }
    }

    @Test(arguments: [(false, Submission.State.rejected), (true, .unknown)])
    func `no try comes after the age that a submission may have, and a person is told`(
        isArmed: Bool, expected: Submission.State
    ) async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let submission = try await bench.submission(to: connection, age: .seconds(3600))
            let early = try await bench.store.release(
                try await bench.takeOne(), delay: nil, counts: false, isArmed: isArmed)

            try await bench.passTime(.seconds(3601), in: connection)
            let late = try await bench.store.release(
                try await bench.takeOne(), delay: nil, counts: false, isArmed: isArmed)

            #expect(early == .waiting)
            #expect(late == expected)
            let problem = try await bench.submission(submission).problem
            #expect(problem?.text.contains("Pics stopped retrying") == true)
        }
    }

    @Test func `a delay past the age ends a submission at once`() async throws {
        try await withStore { bench in
            _ = try await bench.submission(to: try await bench.connect(), age: .seconds(3600))

            let state = try await bench.store.release(
                try await bench.takeOne(), delay: .seconds(3700), counts: true, isArmed: false, report: trouble)

            #expect(state == .rejected)
        }
    }

    @Test func `a job given back after cancel was asked for ends, unless it may have been published`() async throws {
        try await withStore { bench in
            let connections = try await bench.connect(count: 2)
            let posted = try await bench.post(to: connections)
            let jobs = try await bench.take()
            for submission in posted.submissions {
                _ = try await bench.store.cancel(submission, owner: bench.owner.id)
            }
            let plain = try await bench.store.release(
                jobs[0], delay: nil, counts: false, isArmed: false, report: trouble)
            let armed = try await bench.store.release(
                jobs[1], delay: nil, counts: false, isArmed: true, report: trouble)

            #expect(plain == .cancelled)
            #expect(armed == .waiting)
            let problem = try await bench.submission(jobs[0].submission).problem
            #expect(problem == nil)
        }
    }
}
