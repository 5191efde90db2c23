internal import Domain
internal import HTTP
internal import Jobs
internal import Postgres
internal import Submitters
internal import TestTools
internal import Testing

@Suite(.timeLimit(.minutes(5)))
struct StopTests {
    private static let anHour = Duration.seconds(3600)

    @Test func `running jobs end within the grace, and no more are taken`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        let end = Signal()
        service.play { task throws(SubmissionError) in
            begun.fire()
            try await end.wait(orThrow: SubmissionError.cancelled)
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let first = try await bench.submit(to: connection)
            let second = try await bench.submit(to: connection)
            let running = bench.start()
            await begun.wait()
            let stopping = Task { await running.worker.stop(within: Self.anHour) }
            await bench.log.wait(for: "worker stops")
            end.fire()
            await stopping.value
            await running.running.value

            #expect(try await bench.state(first) == .done)
            #expect(try await bench.state(second) == .waiting)
            #expect(service.calls == [.submit(first)])
        }
    }

    @Test func `what does not end within the grace is given back uncounted, in its place`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        service.play { _ throws(SubmissionError) in
            begun.fire()
            try await Signal().wait(orThrow: SubmissionError.cancelled)
            throw .rejected(SubmissionProblem(.other("It went on.")))
        }
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let first = try await bench.submit(to: connection)
            let second = try await bench.submit(to: connection)
            let worker = bench.start()
            await begun.wait()
            await worker.stop()

            let submission = try await bench.submission(first)
            #expect(submission.state == .waiting)
            #expect(submission.attempts == 0)
            #expect(submission.problem == nil)
            #expect(try await bench.attempts(first) == [])

            _ = bench.start()
            try await bench.ended(second)
            #expect(service.calls == [.submit(first), .submit(first), .submit(second)])
        }
    }

    @Test func `a publishing request that a stop interrupts is looked up by the next worker`() async throws {
        let service = ScriptedSubmitter()
        let left = Signal()
        service.play { task throws(SubmissionError) in
            try await task.journal.arm()
            left.fire()
            try await Signal().wait(
                orThrow: SubmissionError.unknownOutcome(
                    SubmissionProblem(.other("The request was stopped.")), retryAfter: nil))
            return ScriptedSubmitter.receipt(task.submission)
        }
        service.tell(.found(Receipt(remoteID: "found", url: nil)))
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            await left.wait()
            await worker.stop()
            #expect(try await bench.submission(id).attempts == 0)
            _ = bench.start()

            #expect(try await bench.ended(id).remoteID == "found")
            #expect(service.calls == [.submit(id), .reconcile(id)])
        }
    }

    @Test func `a step that was done when the stop came is written down`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        service.play { task throws(SubmissionError) in
            begun.fire()
            await Signal().waitForCancel()
            try await task.journal.record("upload", "done")
            throw .cancelled
        }
        try await withBench(service) { bench in
            try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            await begun.wait()
            await worker.stop()

            #expect(try await bench.value("SELECT journal ->> 'upload' FROM jobs") == "done")
            #expect(try await bench.value("SELECT attempt FROM jobs") == "0")
        }
    }

    @Test func `a try that is being stopped does not arm`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        service.play { task throws(SubmissionError) in
            begun.fire()
            await Signal().waitForCancel()
            try await task.journal.arm()
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            await begun.wait()
            await worker.stop()

            #expect(try await bench.state(id) == .waiting)
            #expect(try await bench.value("SELECT effect FROM jobs") == "none")
            #expect(try await bench.value("SELECT attempt FROM jobs") == "0")
        }
    }

    @Test func `jobs that arrive while it stops are given back before it has stopped`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let running = bench.start()
            await bench.log.wait(for: "queue read", "jobs=0")
            try await bench.submit(to: try await bench.connect())
            let stopped = Box<Task<Void, Never>?>(nil)
            try await bench.withLanesLocked {
                await running.wake()
                try await bench.untilTaking()
                stopped.update { $0 = Task { await running.worker.stop(within: Self.anHour) } }
                await bench.log.wait(for: "worker stops")
            }
            await stopped.value?.value

            #expect(try await bench.value("SELECT state::text || attempt || lease_no FROM jobs") == "ready02")
        }
    }

    @Test func `an idle worker stops at once, however often it is told`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let running = bench.start()
            try await bench.ended(id)

            async let once: Void = running.worker.stop(within: Self.anHour)
            async let twice: Void = running.worker.stop(within: Self.anHour)
            _ = await (once, twice)
            await running.running.value
            await running.worker.stop(within: Self.anHour)
        }
    }

    @Test func `two who stop a busy worker both hear of its end`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        service.play { _ throws(SubmissionError) in
            begun.fire()
            try await Signal().wait(orThrow: SubmissionError.cancelled)
            throw .rejected(SubmissionProblem(.other("It went on.")))
        }
        try await withBench(service) { bench in
            try await bench.submit(to: try await bench.connect())
            let running = bench.start()
            await begun.wait()

            async let patient: Void = running.worker.stop(within: Self.anHour)
            async let hasty: Void = running.worker.stop(within: .zero)
            _ = await (patient, hasty)
            await running.running.value
        }
    }

    @Test func `a verdict that the database refuses does not keep a worker from stopping`() async throws {
        let service = ScriptedSubmitter()
        // It arms nothing: a slow machine would not get that done within such a lease.
        service.play { task throws(SubmissionError) in ScriptedSubmitter.receipt(task.submission) }
        try await withBench(service) { bench in
            try await bench.submit(to: try await bench.connect())
            try await bench.refuse("submissions", when: "NEW.state = 'done'")
            let worker = bench.start { $0.lease = .milliseconds(300) }
            await bench.log.wait(for: "job not settled")
            await worker.stop()

            #expect(try await bench.value("SELECT state::text FROM jobs") == "running")
        }
    }

    @Test func `a worker stopped before it began does nothing`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.worker()
            await worker.stop(within: Self.anHour)
            await worker.run()

            #expect(try await bench.state(id) == .waiting)
            #expect(service.calls.isEmpty)
        }
    }
}
