import Domain
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CancelAndRetryTests {
    private let refusal = AttemptReport(outcome: "rejected", problem: .other("It is too large."))

    @Test func `what waits is cancelled at once, also when it is delayed`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let submission = try await bench.submission(to: connection)
            let delayed = try await bench.submission(to: connection)
            _ = try await bench.store.release(
                try await bench.takeOne(), delay: .seconds(60), counts: true, isArmed: false)

            for id in [submission, delayed] {
                let cancelled = try await bench.store.cancel(id, owner: bench.owner.id)
                #expect(cancelled.state == .cancelled)
            }

            let jobs = try await bench.database.number("SELECT count(*) FROM jobs")
            #expect(jobs == 0)
        }
    }

    @Test func `what runs goes on until its worker has heard of it`() async throws {
        try await withStore { bench in
            let submission = try await bench.submission(to: try await bench.connect())
            let job = try await bench.takeOne()

            let asked = try await bench.store.cancel(submission, owner: bench.owner.id)
            let beaten = try await bench.store.extendLeases([(job.id, job.leaseNo)], lease: Bench.lease)

            #expect(asked.state == .running)
            #expect(beaten.map(\.isCancelled) == [true])
            let isOurs = try await bench.store.finish(
                job, state: .cancelled, report: AttemptReport(outcome: "cancelled"))
            #expect(isOurs)
            let state = try await bench.state(of: submission)
            #expect(state == .cancelled)
        }
    }

    @Test func `what may have been published is looked up before it ends`() async throws {
        try await withStore { bench in
            let submission = try await bench.submission(to: try await bench.connect())
            _ = try await bench.store.release(try await bench.takeOne(), delay: nil, counts: true, isArmed: true)

            let asked = try await bench.store.cancel(submission, owner: bench.owner.id)
            let job = try await bench.takeOne()
            let isCancelled = try await bench.store.checkpoint(job, journal: "{}", arm: false, lease: Bench.lease)

            #expect(asked.state == .waiting)
            #expect(job.isArmed)
            #expect(isCancelled == true)
        }
    }

    @Test(arguments: [Submission.State.done, .rejected, .unknown, .cancelled])
    func `what has ended is not cancelled`(state: Submission.State) async throws {
        try await withStore { bench in
            let submission = try await bench.submission(to: try await bench.connect())
            _ = try await bench.store.finish(
                try await bench.takeOne(), state: state, remoteID: "1", report: refusal)

            let asked = try await bench.store.cancel(submission, owner: bench.owner.id)

            #expect(asked.state == state)
        }
    }

    @Test(arguments: [Submission.State.rejected, .unknown, .cancelled])
    func `what has ended without being done starts anew`(state: Submission.State) async throws {
        try await withStore { bench in
            let submission = try await bench.submission(to: try await bench.connect())
            _ = try await bench.store.finish(try await bench.takeOne(), state: state, report: refusal)

            let retried = try await retry(submission, in: bench)

            #expect(retried.state == .waiting)
            #expect(retried.attempts == 0)
            #expect(retried.problem == nil)
            let job = try await bench.takeOne()
            #expect(job.submission == submission)
            #expect(job.journal == "{}")
        }
    }

    @Test func `what is done or runs is not started anew`() async throws {
        try await withStore { bench in
            let submission = try await bench.submission(to: try await bench.connect())
            let job = try await bench.takeOne()

            let running = try await retry(submission, in: bench)
            try await bench.publish(job)
            let done = try await retry(submission, in: bench)

            #expect(running.state == .running)
            #expect(done.state == .done)
            let jobs = try await bench.take()
            #expect(jobs.isEmpty)
        }
    }

    @Test func `one that its account holds back is tried at once`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let first = try await bench.submission(to: connection)
            let second = try await bench.submission(to: connection)
            _ = try await bench.store.release(
                try await bench.takeOne(), delay: nil, counts: true, isArmed: true, block: .seconds(3600))
            #expect(try await bench.take().isEmpty)

            let retried = try await retry(second, in: bench)

            #expect(retried.nextAttemptAt == nil)
            let job = try await bench.takeOne()
            #expect(job.submission == first, "an open outcome is looked up first")
        }
    }

    @Test func `a delayed one becomes due`() async throws {
        try await withStore { bench in
            let submission = try await bench.submission(to: try await bench.connect())
            _ = try await bench.store.release(
                try await bench.takeOne(), delay: .seconds(3600), counts: true, isArmed: false)
            _ = try await bench.take()

            let retried = try await retry(submission, in: bench)

            #expect(retried.nextAttemptAt == nil)
            let job = try await bench.takeOne()
            #expect(job.failures == 1)
        }
    }

    @Test func `only the owner cancels and retries`() async throws {
        try await withStore { bench in
            let bob = try await bench.store.addUser("bob")
            let submission = try await bench.submission(to: try await bench.connect())

            await #expect(throws: StoreError.notFound) {
                try await bench.store.cancel(submission, owner: bob.id)
            }
            await #expect(throws: StoreError.notFound) {
                try await bench.store.retry(submission, owner: bob.id, maximumAttempts: 1, maximumAge: .seconds(60))
            }
        }
    }

    private func retry(_ submission: SubmissionID, in bench: Bench) async throws(StoreError) -> Submission {
        try await bench.store.retry(
            submission, owner: bench.owner.id, maximumAttempts: 3, maximumAge: .seconds(3600))
    }
}
