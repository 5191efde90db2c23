import Domain
import Postgres
import Store
import Testing

struct GateTests {
    @Test func `a lane whose service fails three times in a row waits, and then tries one job`() async throws {
        try await withStore { bench in
            let lane = try await bench.connect(maximumRunning: 4)
            for _ in 0..<6 { _ = try await bench.submission(to: lane) }
            for job in try await bench.take(3) { try await bench.fail(job) }

            #expect(try await bench.take().isEmpty)
            try await bench.passTime(.seconds(20), in: lane)
            let probe = try await bench.take()
            #expect(probe.count == 1)
            #expect(try await bench.take().isEmpty)

            try await bench.publish(try #require(probe.first))
            #expect(try await bench.take().count == 4)
        }
    }

    @Test func `when three accounts of a service fail, the others wait until one job has tried it`() async throws {
        try await withStore { bench in
            let lanes = try await bench.connect(count: 5)
            for lane in lanes.prefix(3) { try await bench.failThrice(in: lane) }
            let others = [try await bench.submission(to: lanes[3]), try await bench.submission(to: lanes[4])]

            #expect(try await bench.take().isEmpty)
            try await bench.passTime(.seconds(20), at: "file")
            let probe = try await bench.take()
            #expect(probe.count == 1)
            #expect(try await bench.take().isEmpty)
            let waiting = try await bench.submission(try #require(others.first { $0 != probe[0].submission }))
            #expect(waiting.nextAttemptAt != nil)

            try await bench.publish(probe[0])
            #expect(try await bench.take().contains { $0.submission == waiting.id })
        }
    }

    @Test func `a probe that fails closes the gate for longer`() async throws {
        try await withStore { bench in
            let lanes = try await bench.connect(count: 4)
            for lane in lanes.prefix(3) { try await bench.failThrice(in: lane) }
            _ = try await bench.submission(to: lanes[3])
            try await bench.passTime(.seconds(20), at: "file")
            for job in try await bench.take() { try await bench.fail(job) }

            try await bench.passTime(.seconds(20), at: "file")
            #expect(try await bench.take().isEmpty)
            try await bench.passTime(.seconds(60), at: "file")
            #expect(try await bench.take().count == 1)
        }
    }

    @Test func `accounts of another server do not wait for one that is down`() async throws {
        try await withStore { bench in
            for _ in 0..<3 { try await bench.failThrice(in: try await bench.connect(gate: "mastodon https://down")) }
            _ = try await bench.submission(to: try await bench.connect(gate: "mastodon https://up"))
            #expect(try await bench.take().count == 1)
        }
    }

    @Test func `an account that works closes the breaker of its service before it opens`() async throws {
        try await withStore { bench in
            let good = try await bench.connect()
            for _ in 0..<5 {
                try await bench.failThrice(in: try await bench.connect())
                _ = try await bench.submission(to: good)
                try await bench.publish(try await bench.takeOne())
            }
        }
    }

    @Test func `the limit of an application holds all its accounts back`() async throws {
        try await withStore { bench in
            let lanes = try await bench.connect(count: 2)
            let first = try await bench.submission(to: lanes[0])
            _ = try await bench.store.release(
                try await bench.takeOne(), delay: nil, counts: false, isArmed: false, block: .seconds(60),
                gateBlock: .seconds(60), report: AttemptReport(outcome: "limited_app", problem: .other("Full.")))
            let second = try await bench.submission(to: lanes[1])

            #expect(try await bench.take().isEmpty)
            #expect(try await bench.submission(first).nextAttemptAt != nil)
            #expect(try await bench.submission(second).nextAttemptAt != nil)
            try await bench.passTime(.seconds(61), at: "file")
            #expect(try await bench.take().count == 2)
        }
    }

    @Test func `an account begins no more jobs in a window than its cap`() async throws {
        try await withStore { bench in
            let lane = try await bench.connect(maximumRunning: 8, cap: StartRate(jobs: 3, window: .seconds(86_400)))
            var submissions: [SubmissionID] = []
            for _ in 0..<5 { submissions.append(try await bench.submission(to: lane)) }

            for job in try await bench.take() { try await bench.publish(job) }
            #expect(try await bench.take().isEmpty)
            #expect(try await bench.submission(submissions[4]).nextAttemptAt != nil)
            try await bench.passTime(.seconds(86_401), in: lane)
            #expect(try await bench.take().count == 2)
        }
    }

    @Test func `all accounts of an application begin no more jobs in a window than its cap`() async throws {
        try await withStore { bench in
            let lanes = try await bench.connect(count: 4)
            try await bench.database.change("UPDATE gates SET cap = 3, cap_window = '1 day' WHERE name = 'file'")
            for lane in lanes { _ = try await bench.submission(to: lane) }

            #expect(try await bench.take().count == 3)
            #expect(try await bench.take().isEmpty)
            try await bench.passTime(.seconds(86_401), at: "file")
            #expect(try await bench.take().count == 1)
        }
    }

    @Test(arguments: ["file", "*"])
    func `what the operator has paused keeps its place and says why`(gate: String) async throws {
        try await withStore { bench in
            let lane = try await bench.connect()
            try await bench.store.pauseGate(true, gate, reason: "We move house.")
            let first = try await bench.submission(to: lane)
            let second = try await bench.submission(to: lane)

            #expect(try await bench.take().isEmpty)
            let paused = try await bench.submission(first)
            #expect(paused.state == .paused)
            #expect(paused.problem == Problem(.servicePaused, ProblemParameters(words: "We move house.")))
            #expect(paused.nextAttemptAt == nil)

            try await bench.store.pauseGate(false, gate, reason: nil)
            #expect(try await bench.submission(second).state == .waiting)
            #expect(try await bench.takeOne().submission == first)
        }
    }

    @Test(arguments: ["bluesky", "bluesky https://pds.test"])
    func `what the operator resumes is tried at once, whatever breakers and limits say`(gate: String) async throws {
        try await withStore { bench in
            let broken = try await bench.connect(gate: "bluesky https://pds.test")
            try await bench.failThrice(in: broken)
            let limited = try await bench.connect(gate: "bluesky https://pds.test")
            _ = try await bench.submission(to: limited)
            let job = try #require(try await bench.take().first { $0.connection == limited })
            _ = try await bench.store.release(
                job, delay: nil, counts: false, isArmed: false, block: .seconds(3600), gateBlock: .seconds(3600))
            #expect(try await bench.take().isEmpty)

            try await bench.store.pauseGate(false, gate, reason: nil)

            let connections = try await bench.take().map(\.connection)
            #expect(Set(connections) == [broken, limited])
        }
    }

    @Test func `a service's name stands for all of its servers`() async throws {
        try await withStore { bench in
            let lanes = [
                try await bench.connect(gate: "bluesky https://one.test"),
                try await bench.connect(gate: "bluesky https://two.test"),
            ]
            let other = try await bench.connect(gate: "blueskyish")
            for lane in lanes { _ = try await bench.submission(to: lane) }
            let free = try await bench.submission(to: other)

            try await bench.store.pauseGate(true, "bluesky", reason: nil)
            #expect(try await bench.takeOne().submission == free)
            try await bench.store.pauseGate(false, "bluesky", reason: nil)

            #expect(try await bench.take().count == 2)
        }
    }

    @Test func `resuming everything closes breakers, and leaves the limits of accounts`() async throws {
        try await withStore { bench in
            let limited = try await bench.connect(gate: "left")
            _ = try await bench.submission(to: limited)
            _ = try await bench.store.release(
                try await bench.takeOne(), delay: nil, counts: false, isArmed: false, block: .seconds(3600))
            let broken = try await bench.connect(gate: "right")
            try await bench.failThrice(in: broken)

            try await bench.store.pauseGate(false, "*", reason: nil)

            #expect(try await bench.takeOne().connection == broken)
        }
    }

    @Test func `an account that its owner has paused keeps its work, and shows it`() async throws {
        try await withStore { bench in
            let lane = try await bench.connect()
            let before = try await bench.submission(to: lane)
            #expect(try await bench.store.pause(true, lane, owner: bench.owner.id) == .paused)
            let after = try await bench.submission(to: lane)

            #expect(try await bench.take().isEmpty)
            for submission in [before, after] { #expect(try await bench.state(of: submission) == .paused) }
            #expect(try await bench.store.pause(false, lane, owner: bench.owner.id) == .ok)
            #expect(try await bench.takeOne().submission == before)
            #expect(try await bench.state(of: after) == .waiting)
        }
    }

    @Test func `nobody pauses an account of somebody else`() async throws {
        try await withStore { bench in
            let lane = try await bench.connect()
            let other = try await bench.store.addUser("mallory")
            await #expect(throws: StoreError.notFound) { try await bench.store.pause(true, lane, owner: other.id) }
            await #expect(throws: StoreError.notFound) {
                try await bench.store.pauseGate(true, "nothing", reason: nil)
            }
        }
    }

    @Test func `who waits for one photo goes before the rest of everybody's backlog`() async throws {
        try await withStore { bench in
            let busy = try await bench.connect(count: 6, maximumRunning: 4)
            for lane in busy { for _ in 0..<9 { _ = try await bench.submission(to: lane) } }
            _ = try await bench.take(6)
            let waiting = try await bench.submission(to: try await bench.connect())

            #expect(try await bench.take(2).contains { $0.submission == waiting })
        }
    }
}

extension Bench {
    /// The service failed.
    fileprivate func fail(_ job: ClaimedJob) async throws {
        _ = try await store.release(
            job, delay: .zero, counts: false, isArmed: false, isTrouble: true,
            report: AttemptReport(outcome: "temporary", status: 503, problem: .other("Down.")))
    }

    /// One submission fails as often as opens the breaker of its lane.
    fileprivate func failThrice(in connection: AccountID) async throws {
        let submission = try await submission(to: connection)
        for _ in 0..<3 {
            guard let job = try await take().first(where: { $0.submission == submission }) else {
                throw UnexpectedJobs(count: 0)
            }
            try await fail(job)
        }
    }
}
