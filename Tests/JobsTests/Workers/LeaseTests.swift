internal import Dispatch
internal import Domain
internal import EventLoops
internal import HTTP
internal import Jobs
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

@Suite(.timeLimit(.minutes(5)))
struct LeaseTests {
    /// Gives the job to a worker that nobody knows.
    private static func steal(_ bench: Bench) async throws {
        try await bench.sql("UPDATE jobs SET lease_no = lease_no + 1, worker = 'thief'")
    }

    @Test func `the verdict of a worker that lost its lease changes nothing`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        let end = Signal()
        service.play { task throws(SubmissionError) in
            begun.fire()
            await end.wait()
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start()
            await begun.wait()
            try await Self.steal(bench)
            end.fire()
            await bench.log.wait(for: "submission tried", "lease lost")

            let submission = try await bench.submission(id)

            #expect(submission.state == .running)
            #expect(submission.remoteID == nil)
            #expect(try await bench.value("SELECT state::text || worker FROM jobs") == "runningthief")
            #expect(try await bench.attempts(id) == [])
        }
    }

    @Test func `a try whose lease is lost is stopped by the next heartbeat`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        service.play { _ throws(SubmissionError) in
            begun.fire()
            try await Signal().wait(orThrow: SubmissionError.cancelled)
            throw .rejected(SubmissionProblem(.other("It went on.")))
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start { $0.heartbeat = .milliseconds(20) }
            await begun.wait()
            try await Self.steal(bench)

            await bench.log.wait(for: "submission left to another worker", id.description)

            #expect(try await bench.state(id) == .running)
        }
    }

    @Test func `who has lost the lease can neither record nor arm`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        let stolen = Signal()
        let refusals = Box<[SubmissionError?]>([])
        service.play { task throws(SubmissionError) in
            begun.fire()
            await stolen.wait()
            let (unrecorded, unarmed) = (await task.refusalToRecord("step"), await task.refusalToArm())
            refusals.update { $0 = [unrecorded, unarmed] }
            throw .leaseLost
        }
        try await withBench(service) { bench in
            try await bench.submit(to: try await bench.connect())
            _ = bench.start()
            await begun.wait()
            try await Self.steal(bench)
            stolen.fire()
            await bench.log.wait(for: "submission left to another worker")

            #expect(refusals.value == [.leaseLost, .leaseLost])
            #expect(try await bench.value("SELECT effect::text || journal FROM jobs") == "none{}")
        }
    }

    @Test func `heartbeats keep the leases of running jobs`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        let end = Signal()
        service.play { task throws(SubmissionError) in
            begun.fire()
            await end.wait()
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start { $0.heartbeat = .milliseconds(20) }
            await begun.wait()
            try await bench.endLeases()
            try await bench.until("SELECT lease_until > now() FROM jobs")
            end.fire()

            #expect(try await bench.ended(id).state == .done)
        }
    }

    @Test func `leases are kept while the loop of the worker is busy with something else`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        let end = Signal()
        service.play { task throws(SubmissionError) in
            begun.fire()
            await end.wait()
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let loop = try EventLoop(name: "busy")
            _ = bench.start(on: loop) { $0.heartbeat = .milliseconds(20) }
            await begun.wait()
            let isFree = DispatchSemaphore(value: 0)
            loop.execute { isFree.wait() }

            try await bench.endLeases()
            try await bench.until("SELECT lease_until > now() FROM jobs")

            isFree.signal()
            end.fire()
            #expect(try await bench.ended(id).state == .done)
            await bench.stopWorkers()
            loop.stop()
        }
    }

    @Test func `another worker goes on from the journal of one that died`() async throws {
        let service = ScriptedSubmitter()
        let dead = Signal()
        let end = Signal()
        let uploads = Box(0)
        let step: ScriptedSubmitter.Step = { task throws(SubmissionError) in
            if await task.journal.value("upload") == nil {
                uploads.update { $0 += 1 }
                try await task.journal.record("draft", "soon forgotten")
                try await task.journal.record("upload", ["id": 7])
                try await task.journal.record("draft", nil)
                dead.fire()
                await end.wait()
                throw .cancelled
            }
            let rest = await task.journal.value("draft")
            return Receipt(remoteID: "\(await task.journal.value("upload")?["id"]?.int ?? 0)\(rest == nil)", url: nil)
        }
        service.play(step)
        service.play(step)
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start("dead")
            await dead.wait()
            try await bench.endLeases()
            _ = bench.start("heir")
            let submission = try await bench.ended(id)
            end.fire()

            #expect(submission.remoteID == "7true")
            #expect(uploads.value == 1)
            #expect(try await bench.attempts(id) == ["lease_lapsed", "done"])
        }
    }

    @Test func `a job that comes back to the worker that lost it is watched like any other`() async throws {
        let service = ScriptedSubmitter()
        let first = Signal()
        let firstEnd = Signal()
        let second = Signal()
        service.play { _ throws(SubmissionError) in
            first.fire()
            await firstEnd.wait()
            throw .temporary(SubmissionProblem(.other("Too late.")), retryAfter: nil)
        }
        service.play { _ throws(SubmissionError) in
            second.fire()
            try await Signal().wait(orThrow: SubmissionError.cancelled)
            throw .rejected(SubmissionProblem(.other("It went on.")))
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            await first.wait()
            try await bench.endLeases()
            #expect(try await bench.store.rescueJobs() == 1)
            await worker.wake()
            await second.wait()
            firstEnd.fire()
            await bench.log.wait(for: "submission tried", "lease lost")
            try await bench.cancel(id)
            await worker.worker.cancel(id.description)

            #expect(try await bench.ended(id, tries: 2).state == .cancelled)
        }
    }

    @Test func `a try that takes too long is stopped, counts, and waits`() async throws {
        let service = ScriptedSubmitter()
        service.play { _ throws(SubmissionError) in
            try await Signal().wait(orThrow: SubmissionError.cancelled)
            throw .rejected(SubmissionProblem(.other("It went on.")))
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start {
                $0.heartbeat = .milliseconds(20)
                $0.longestAttempt = .zero
            }

            let submission = try await bench.ended(id)

            #expect(submission.state == .waiting)
            #expect(submission.attempts == 1)
            #expect(submission.problem == Problem(.timedOut))
            #expect(try await bench.attempts(id) == ["overdue"])
        }
    }

    @Test func `a try that does not end when it is stopped loses its lease to others`() async throws {
        let service = ScriptedSubmitter()
        let stopped = Signal()
        let end = Signal()
        service.play { _ throws(SubmissionError) in
            await Signal().waitForCancel()
            stopped.fire()
            await end.wait()
            throw .cancelled
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start("hung") {
                $0.heartbeat = .milliseconds(20)
                $0.lease = .milliseconds(300)
                $0.longestAttempt = .zero
            }
            // Nobody else takes it before the heartbeat has given it up, however late that comes.
            await stopped.wait()
            _ = bench.start("heir") { $0.rescue = .milliseconds(50) }

            let submission = try await bench.ended(id)
            end.fire()

            #expect(submission.state == .done)
            #expect(try await bench.attempts(id) == ["lease_lapsed", "done"])
        }
    }

    @Test func `progress is written while it runs`() async throws {
        let service = ScriptedSubmitter()
        let end = Signal()
        service.play { task throws(SubmissionError) in
            task.progress(3, 15)
            task.progress(7, 15)
            await end.wait()
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start { $0.progress = .milliseconds(20) }
            try await bench.until("SELECT bytes_sent = 7 AND bytes_total = 15 FROM submissions")
            end.fire()

            #expect(try await bench.ended(id).bytesSent == 15)
        }
    }
}
