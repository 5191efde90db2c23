import Domain
import Foundation
import Store
import Testing

/// The time of a submission's next attempt, as people are told it.
@Suite(.timeLimit(.minutes(5)))
struct NextAttemptTests {
    /// Seconds from now until the next attempt; nil when none is told.
    private static func wait(of submission: SubmissionID, in bench: Bench) async throws -> TimeInterval? {
        try await bench.submission(submission).nextAttemptAt?.timeIntervalSinceNow
    }

    @Test func `what is due in an open lane has no time to wait for`() async throws {
        try await withStore { bench in
            let submission = try await bench.submission(to: try await bench.connect())

            let wait = try await Self.wait(of: submission, in: bench)

            #expect(wait == nil)
        }
    }

    @Test func `in a lane that is held back nothing is tried before its end`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let limited = try await bench.submission(to: connection)
            let behind = try await bench.submission(to: connection)
            _ = try await bench.store.release(
                try await bench.takeOne(), delay: nil, counts: false, isArmed: false, block: .seconds(3600))

            for submission in [limited, behind] {
                let wait = try #require(try await Self.wait(of: submission, in: bench))
                #expect(abs(wait - 3600) < 300)
            }
        }
    }

    @Test(arguments: [(600, 3600), (3600, 600)])
    func `the later of a job's own time and its lane's counts`(delay: Int, block: Int) async throws {
        try await withStore { bench in
            let submission = try await bench.submission(to: try await bench.connect())
            _ = try await bench.store.release(
                try await bench.takeOne(), delay: .seconds(delay), counts: true, isArmed: false, block: .seconds(block))

            let wait = try #require(try await Self.wait(of: submission, in: bench))

            #expect(abs(wait - 3600) < 300)
        }
    }

    @Test func `a lane with a gap tries its next one after the gap`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect(gap: .seconds(3600))
            let first = try await bench.submission(to: connection)
            let second = try await bench.submission(to: connection)
            let fresh = try await Self.wait(of: first, in: bench)
            let job = try await bench.takeOne()
            let running = try await Self.wait(of: first, in: bench)
            try await bench.publish(job)

            let wait = try #require(try await Self.wait(of: second, in: bench))

            #expect(fresh == nil)
            #expect(running == nil)
            #expect(abs(wait - 3600) < 300)
        }
    }

    @Test func `nobody can tell when a parked account is tried again`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect(maximumRunning: 2)
            let delayed = try await bench.submission(to: connection)
            _ = try await bench.submission(to: connection)
            let jobs = try await bench.take()
            for job in jobs where job.submission == delayed {
                _ = try await bench.store.release(job, delay: .seconds(3600), counts: true, isArmed: false)
            }
            for job in jobs where job.submission != delayed {
                _ = try await bench.store.park(job, isArmed: false, report: .refusal)
            }

            let submission = try await bench.submission(delayed)

            #expect(submission.state == .needsLogin)
            #expect(submission.nextAttemptAt == nil)
        }
    }
}
