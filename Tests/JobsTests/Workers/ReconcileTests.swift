internal import Domain
internal import Foundation
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

@Suite(.timeLimit(.minutes(5)))
struct ReconcileTests {
    private static let found = Receipt(remoteID: "found", url: "https://social.test/found")
    private static let trouble = SubmissionError.temporary(SubmissionProblem(.other("No answer.")), retryAfter: nil)

    /// Lets the first attempt lose its answer, and one more try follow.
    private static func recover(
        _ service: ScriptedSubmitter, _ check: @Sendable (Bench, SubmissionID) async throws -> Void
    ) async throws {
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            let lost = try await bench.ended(id)
            #expect(lost.state == .waiting)
            #expect(try await bench.value("SELECT effect FROM jobs") == "armed")
            try await bench.makeDue()
            await worker.wake()
            try await bench.ended(id, tries: 2)
            try await check(bench, id)
        }
    }

    @Test func `what is found at the service is not published again`() async throws {
        let service = ScriptedSubmitter()
        service.loseAnswer()
        service.tell(.found(Self.found))
        try await Self.recover(service) { bench, id in
            let submission = try await bench.submission(id)
            #expect(submission.state == .done)
            #expect(submission.remoteID == "found")
            #expect(submission.remoteURL == "https://social.test/found")
            #expect(service.calls == [.submit(id), .reconcile(id)])
            #expect(try await bench.attempts(id) == ["unknown_outcome", "done"])
        }
    }

    @Test(arguments: [Reconciliation.absent, .repeatable])
    func `what is absent or safe to repeat is published`(response: Reconciliation) async throws {
        let service = ScriptedSubmitter()
        service.loseAnswer()
        service.tell(response)
        try await Self.recover(service) { bench, id in
            let submission = try await bench.submission(id)
            #expect(submission.state == .done)
            #expect(submission.remoteID == "post-\(id)")
            #expect(service.calls == [.submit(id), .reconcile(id), .submit(id)])
        }
    }

    @Test func `a post that another submission of the account has is not taken for the lost one`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let first = try await bench.submit(to: connection)
            let worker = bench.start()
            let earlier = try await bench.ended(first)
            service.loseAnswer()
            service.tell(.found(Receipt(remoteID: try #require(earlier.remoteID), url: nil)))
            let lost = try await bench.submit(to: connection)
            await worker.wake()
            try await bench.ended(lost)
            try await bench.passTime(seconds: 60)
            await worker.wake()

            let submission = try await bench.ended(lost, tries: 2)

            #expect(submission.state == .unknown && submission.remoteID == nil)
        }
    }

    @Test func `an open outcome is looked up before anything newer is posted`() async throws {
        let service = ScriptedSubmitter()
        service.loseAnswer()
        service.tell(.found(Self.found))
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            var posted: [SubmissionID] = []
            for _ in 0..<3 { posted.append(try await bench.submit(to: connection)) }
            let worker = bench.start()
            try await bench.ended(posted[0])
            try await bench.passTime(seconds: 60)
            await worker.wake()
            try await bench.ended(posted[2])

            #expect(
                service.calls == [
                    .submit(posted[0]), .reconcile(posted[0]), .submit(posted[1]), .submit(posted[2]),
                ])
            #expect(try await bench.state(posted[0]) == .done)
        }
    }

    @Test func `a worker that dies leaves an outcome that is looked up before anything newer is posted`() async throws {
        let service = ScriptedSubmitter()
        let (armed, never) = (Signal(), Signal())
        service.play { task throws(SubmissionError) in
            try await task.journal.arm()
            armed.fire()
            await never.wait()
            throw .leaseLost
        }
        service.tell(.found(Self.found))
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let posted = [try await bench.submit(to: connection), try await bench.submit(to: connection)]
            _ = bench.start("dead")
            await armed.wait()
            try await bench.endLeases()
            _ = bench.start("alive")
            try await bench.ended(posted[1])
            never.fire()

            #expect(service.calls == [.submit(posted[0]), .reconcile(posted[0]), .submit(posted[1])])
        }
    }

    @Test func `what nobody can tell is left to a person`() async throws {
        let service = ScriptedSubmitter()
        service.loseAnswer()
        service.tell(.cannotTell)
        try await Self.recover(service) { bench, id in
            let submission = try await bench.submission(id)
            #expect(submission.state == .unknown)
            #expect(submission.problem?.parameters.reason == .serviceCannotTell)
            #expect(service.calls == [.submit(id), .reconcile(id)])
            #expect(try await bench.value("SELECT count(*) FROM jobs") == "0")
        }
    }

    @Test func `a look that fails is repeated, and nothing is published before it has an answer`() async throws {
        let service = ScriptedSubmitter()
        service.loseAnswer()
        service.look { _ throws(SubmissionError) in throw .rejected(SubmissionProblem(.other("No such page."))) }
        service.tell(.found(Self.found))
        try await Self.recover(service) { bench, id in
            #expect(try await bench.state(id) == .waiting)
            #expect(try await bench.value("SELECT effect FROM jobs") == "armed")
            try await bench.makeDue()
            await bench.wake()
            #expect(try await bench.ended(id, tries: 3).state == .done)
            #expect(service.calls == [.submit(id), .reconcile(id), .reconcile(id)])
        }
    }

    @Test func `a repetition that fails leaves the first outcome open`() async throws {
        let service = ScriptedSubmitter()
        service.loseAnswer()
        service.fail(Self.trouble)
        service.tell(.repeatable)
        service.tell(.found(Self.found))
        try await Self.recover(service) { bench, id in
            #expect(try await bench.value("SELECT effect FROM jobs") == "armed")
            try await bench.makeDue()
            await bench.wake()
            #expect(try await bench.ended(id, tries: 3).remoteID == "found")
            #expect(service.calls == [.submit(id), .reconcile(id), .submit(id), .reconcile(id)])
        }
    }

    @Test func `once it is known to be absent, later trouble needs no second look`() async throws {
        let service = ScriptedSubmitter()
        service.loseAnswer()
        service.fail(Self.trouble)
        service.tell(.absent)
        try await Self.recover(service) { bench, id in
            #expect(try await bench.value("SELECT effect FROM jobs") == "none")
            try await bench.makeDue()
            await bench.wake()
            #expect(try await bench.ended(id, tries: 3).state == .done)
            #expect(service.calls == [.submit(id), .reconcile(id), .submit(id), .submit(id)])
        }
    }

    @Test func `when the tries are used up and the outcome is open, a person decides`() async throws {
        let service = ScriptedSubmitter()
        service.loseAnswer()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), maximumAttempts: 1)
            _ = bench.start()

            #expect(try await bench.ended(id).state == .unknown)
        }
    }

    @Test func `a photo deleted after its request had left is for a person to look at`() async throws {
        let service = ScriptedSubmitter()
        service.loseAnswer()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            let lost = try await bench.ended(id)
            try await bench.store.deletePhoto(lost.photo, owner: bench.owner.id)
            try await bench.makeDue()
            await worker.wake()

            let submission = try await bench.ended(id, tries: 2)

            #expect(submission.state == .unknown)
            #expect(submission.problem == .outcomeUnknown(.photoDeleted))
        }
    }
}
