import Domain
import Postgres
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(5)))
struct LeaseTests {
    @Test func `a late worker that ends its job at the same time as the new one is refused`() async throws {
        try await withStore { bench in
            _ = try await bench.submission(to: try await bench.connect())
            let late = try await bench.takeOne()
            _ = try await bench.store.release(late, delay: .zero, counts: false, isArmed: false)
            let job = try await bench.takeOne()

            // Both go along in one statement, or one after the other.
            async let first = bench.publish(late)
            async let second = bench.publish(job)
            async let third = bench.publish(late)
            let answers = try await [first, second, third]
            #expect(answers == [false, true, false])
        }
    }

    @Test func `a worker that has lost its lease changes nothing`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            _ = try await bench.submission(to: connection)
            let late = try await bench.takeOne()
            try await bench.passTime(.seconds(61), in: connection)
            _ = try await bench.store.rescueJobs()
            let current = try await bench.takeOne()
            let before = try await bench.queueRows()

            let isOurs = try await bench.publish(late)
            let released = try await bench.store.release(late, delay: .zero, counts: true, isArmed: true)
            let parked = try await bench.store.park(late, isArmed: true, report: AttemptReport(outcome: "unauthorized"))
            let checkpoint = try await bench.store.checkpoint(
                late, journal: #"{"step": 1}"#, arm: true, lease: Bench.lease)
            let beaten = try await bench.store.extendLeases([(late.id, late.leaseNo)], lease: .seconds(3600))

            #expect(!isOurs)
            #expect(released == nil)
            #expect(parked == nil)
            #expect(checkpoint == nil)
            #expect(beaten.isEmpty)
            let after = try await bench.queueRows()
            #expect(after == before)
            let isFinished = try await bench.publish(current)
            #expect(isFinished)
        }
    }

    @Test func `a lease ends with its job's release or end`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let submission = try await bench.submission(to: connection)
            let first = try await bench.takeOne()
            _ = try await bench.store.release(first, delay: nil, counts: false, isArmed: false)
            let afterRelease = try await bench.publish(first)
            let second = try await bench.takeOne()
            try await bench.publish(second)

            let again = try await bench.store.finish(
                second, state: .rejected, report: AttemptReport(outcome: "rejected"))

            #expect(!afterRelease)
            #expect(!again)
            let state = try await bench.state(of: submission)
            #expect(state == .done)
        }
    }

    @Test func `a heartbeat extends the leases that are held, and tells which are to stop`() async throws {
        try await withStore { bench in
            let connections = try await bench.connect(count: 2)
            let posted = try await bench.post(to: connections)
            let jobs = try await bench.take()
            _ = try await bench.store.cancel(posted.submissions[1], owner: bench.owner.id)
            let lost = (id: jobs[0].id, leaseNo: jobs[0].leaseNo + 1)

            let beaten = try await bench.store.extendLeases(
                jobs.map { ($0.id, $0.leaseNo) } + [lost], lease: .seconds(7200))

            let expected = jobs.map { ExtendedLease(id: $0.id, isCancelled: $0.submission == posted.submissions[1]) }
            #expect(beaten.sorted { $0.id < $1.id } == expected.sorted { $0.id < $1.id })
            let extended = try await bench.database.number(
                "SELECT count(*) FROM jobs WHERE lease_until > now() + interval '1 hour'")
            #expect(extended == 2)
        }
    }

    @Test func `the end of a job tells its story`() async throws {
        try await withStore { bench in
            let submission = try await bench.submission(to: try await bench.connect())
            let job = try await bench.takeOne()
            try await bench.store.noteProgress(submission, sent: 400, total: 1000)
            let underWay = try await bench.submission(submission)

            let isOurs = try await bench.store.finish(
                job, state: .done, remoteID: "42", remoteURL: "https://social.example/42", text: "As it was sent",
                report: AttemptReport(outcome: "done", status: 200, detail: "{}"))

            #expect(isOurs)
            #expect(underWay.bytesSent == 400)
            let done = try await bench.submission(submission)
            #expect(done.state == .done)
            #expect(done.remoteID == "42")
            #expect(done.remoteURL == "https://social.example/42")
            #expect(done.text == "As it was sent")
            #expect(done.bytesSent == 1000)
            let attempts = try await bench.database.texts(
                "SELECT outcome || http_status FROM attempts WHERE started_at <= ended_at")
            #expect(attempts == ["done200"])
        }
    }

    // MARK: The journal

    @Test func `the journal is merged, forgets what is null, and outlives a lost lease`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            _ = try await bench.submission(to: connection)
            let job = try await bench.takeOne()

            for step in [#"{"a": 1, "b": {"kept": null}}"#, #"{"a": null, "c": [null]}"#, #"{"c": [2]}"#, "{}"] {
                let isCancelled = try await bench.store.checkpoint(job, journal: step, arm: false, lease: Bench.lease)
                #expect(isCancelled == false)
            }
            try await bench.passTime(.seconds(61), in: connection)
            _ = try await bench.store.rescueJobs()

            let next = try await bench.takeOne()
            #expect(next.journal == #"{"b": {"kept": null}, "c": [2]}"#)
            #expect(!next.isArmed)
        }
    }

    @Test func `an armed job is armed for the next worker too`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            _ = try await bench.submission(to: connection)
            let job = try await bench.takeOne()

            let isCancelled = try await bench.store.checkpoint(job, journal: "{}", arm: true, lease: Bench.lease)
            try await bench.passTime(.seconds(61), in: connection)
            _ = try await bench.store.rescueJobs()

            #expect(isCancelled == false)
            let next = try await bench.takeOne()
            #expect(next.isArmed)
        }
    }

    @Test func `nothing is armed once cancel was asked for`() async throws {
        try await withStore { bench in
            let submission = try await bench.submission(to: try await bench.connect())
            let job = try await bench.takeOne()
            _ = try await bench.store.cancel(submission, owner: bench.owner.id)

            let isCancelled = try await bench.store.checkpoint(job, journal: "{}", arm: true, lease: Bench.lease)

            #expect(isCancelled == true)
            let armed = try await bench.database.number("SELECT count(*) FROM jobs WHERE effect = 'armed'")
            #expect(armed == 0)
        }
    }

    // MARK: Rescue

    @Test func `a rescued job keeps its place and its try counts`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let first = try await bench.submission(to: connection)
            _ = try await bench.submission(to: connection)
            let job = try await bench.takeOne()

            let early = try await bench.store.rescueJobs()
            try await bench.passTime(.seconds(61), in: connection)
            let rescued = try await bench.store.rescueJobs()

            #expect(early == 0)
            #expect(rescued == 1)
            let waiting = try await bench.submission(first)
            #expect(waiting.state == .waiting)
            #expect(waiting.attempts == 1)
            #expect(waiting.problem == Problem(.interrupted))
            let next = try await bench.takeOne()
            #expect(next.id == job.id)
            #expect(next.failures == 1)
            #expect(next.leaseNo > job.leaseNo)
        }
    }

    @Test(arguments: [
        (false, false, Submission.State.rejected), (true, false, .unknown), (false, true, .cancelled),
        (true, true, .unknown),
    ])
    func `the last rescue ends a submission by what may have been published`(
        isArmed: Bool, isCancelled: Bool, expected: Submission.State
    ) async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let submission = try await bench.submission(to: connection, attempts: 1)
            let job = try await bench.takeOne()
            if isArmed { _ = try await bench.store.checkpoint(job, journal: "{}", arm: true, lease: Bench.lease) }
            if isCancelled { _ = try await bench.store.cancel(submission, owner: bench.owner.id) }

            try await bench.passTime(.seconds(61), in: connection)
            let rescued = try await bench.store.rescueJobs()

            #expect(rescued == 1)
            let state = try await bench.state(of: submission)
            #expect(state == expected)
            let jobs = try await bench.database.number("SELECT count(*) FROM jobs")
            #expect(jobs == 0)
        }
    }

    @Test func `a rescue ends a submission that is past its age`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let submission = try await bench.submission(to: connection, age: .seconds(30))
            _ = try await bench.takeOne()

            try await bench.passTime(.seconds(61), in: connection)
            _ = try await bench.store.rescueJobs()

            let state = try await bench.state(of: submission)
            #expect(state == .rejected)
        }
    }
}
