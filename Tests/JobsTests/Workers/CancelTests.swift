internal import Domain
internal import HTTP
internal import Jobs
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

@Suite(.timeLimit(.minutes(5)))
struct CancelTests {
    /// Waits in a request that ends when the task is cancelled.
    private static func waiting(_ begun: Signal, for end: Signal = Signal()) -> ScriptedSubmitter.Step {
        { task throws(SubmissionError) in
            begun.fire()
            try await end.wait(orThrow: SubmissionError.cancelled)
            return try await ScriptedSubmitter.publish(task)
        }
    }

    @Test func `a waiting submission is cancelled at once`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let id = try await bench.submit(to: connection)

            #expect(try await bench.cancel(id).state == .cancelled)

            let next = try await bench.submit(to: connection)
            _ = bench.start()
            try await bench.ended(next)
            #expect(service.calls == [.submit(next)])
        }
    }

    @Test func `the submissions of a photo that is deleted while they wait are cancelled`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let id = try await bench.submit(to: connection)
            try await bench.store.deletePhoto(try await bench.submission(id).photo, owner: bench.owner.id)
            let next = try await bench.submit(to: connection)
            _ = bench.start()
            try await bench.ended(next)

            #expect(try await bench.state(id) == .cancelled)
            #expect(service.calls == [.submit(next)])
        }
    }

    @Test func `a running try is stopped by the notification`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        service.play(Self.waiting(begun))
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            let listening = await bench.listen(for: worker)
            await begun.wait()

            try await bench.cancel(id)

            #expect(try await bench.ended(id).state == .cancelled)
            await listening.stop()
        }
    }

    @Test func `a running try is stopped by the heartbeat when no notification comes`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        service.play(Self.waiting(begun))
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start { $0.heartbeat = .milliseconds(20) }
            await begun.wait()

            try await bench.cancel(id)

            #expect(try await bench.ended(id).state == .cancelled)
            #expect(try await bench.attempts(id) == ["cancelled"])
        }
    }

    @Test func `a cancelled submission is not armed any more`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        let end = Signal()
        let refusals = Box<[SubmissionError]>([])
        service.play { task throws(SubmissionError) in
            begun.fire()
            await end.wait()
            guard let refusal = await task.refusalToArm() else { return ScriptedSubmitter.receipt(task.submission) }
            refusals.update { $0.append(refusal) }
            throw refusal
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start()
            await begun.wait()
            try await bench.cancel(id)
            end.fire()

            #expect(try await bench.ended(id).state == .cancelled)
            #expect(refusals.value == [.cancelled])
            #expect(try await bench.value("SELECT count(*) FROM jobs") == "0")
        }
    }

    @Test func `the answer to a request that has left is waited for`() async throws {
        let service = ScriptedSubmitter()
        let left = Signal()
        let answered = Signal()
        service.play { task throws(SubmissionError) in
            try await task.journal.arm()
            left.fire()
            try await answered.wait(
                orThrow: SubmissionError.unknownOutcome(
                    SubmissionProblem(.other("The request was stopped.")), retryAfter: nil))
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            await left.wait()
            try await bench.cancel(id)
            await worker.worker.cancel(id.description)
            answered.fire()

            let submission = try await bench.ended(id)

            #expect(submission.state == .done)
            #expect(submission.remoteID == "post-\(id)")
        }
    }

    @Test(arguments: [
        (Reconciliation.found(Receipt(remoteID: "found", url: nil)), Submission.State.done),
        (.absent, .cancelled), (.repeatable, .unknown), (.cannotTell, .unknown),
    ])
    func `cancelled after its request had left, it ends as the look says`(
        look: Reconciliation, expected: Submission.State
    ) async throws {
        let service = ScriptedSubmitter()
        let left = Signal()
        let answered = Signal()
        service.play { task throws(SubmissionError) in
            try await task.journal.arm()
            left.fire()
            await answered.wait()
            throw .unknownOutcome(SubmissionProblem(.other("The connection broke.")), retryAfter: nil)
        }
        service.tell(look)
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            await left.wait()
            try await bench.cancel(id)
            await worker.worker.cancel(id.description)
            answered.fire()
            let lost = try await bench.ended(id)
            try await bench.makeDue()
            await worker.wake()
            let submission = try await bench.ended(id, tries: 2)

            #expect(lost.state == .waiting)
            #expect(submission.state == expected)
            #expect(service.calls == [.submit(id), .reconcile(id)])
        }
    }

    @Test func `a look is not stopped by the cancel that it is made for`() async throws {
        let service = ScriptedSubmitter()
        let looking = Signal()
        let looked = Signal()
        service.loseAnswer()
        service.look { _ throws(SubmissionError) in
            looking.fire()
            try await looked.wait(orThrow: SubmissionError.cancelled)
            return .found(Receipt(remoteID: "found", url: nil))
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            try await bench.ended(id)
            #expect(try await bench.cancel(id).state == .waiting)
            try await bench.makeDue()
            await worker.wake()
            await looking.wait()
            await worker.worker.cancel(id.description)
            looked.fire()

            #expect(try await bench.ended(id, tries: 2).state == .done)
            #expect(service.calls == [.submit(id), .reconcile(id)])
        }
    }
}
