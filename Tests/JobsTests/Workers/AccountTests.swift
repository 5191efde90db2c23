internal import Crypto
internal import Domain
internal import Foundation
internal import HTTP
internal import Jobs
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

@Suite(.timeLimit(.minutes(5)))
struct AccountTests {
    /// Notes the settings that a submission is made with.
    private static func note(_ seen: Box<[JSONValue]>) -> ScriptedSubmitter.Step {
        { task throws(SubmissionError) in
            seen.update { $0.append(task.account.settings) }
            return ScriptedSubmitter.receipt(task.submission)
        }
    }

    @Test func `settings that have grown old are read again, and the owner's own stay`() async throws {
        let service = ScriptedSubmitter(fresh: ["limit": 1000])
        let seen = Box<[JSONValue]>([])
        service.play(Self.note(seen))
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(settings: #"{"limit":500,"rule":"classic"}"#))
            bench.clock.advance(by: 3700)
            _ = bench.start()
            try await bench.ended(id)

            #expect(service.calls == [.refresh, .submit(id)])
            #expect(seen.value.first?["limit"]?.int == 1000)
            #expect(seen.value.first?["rule"]?.string == "classic")
            let stored = try await bench.store.connections(of: bench.owner.id).first?.settings
            #expect(stored == #"{"rule": "classic", "limit": 1000}"#)
        }
    }

    @Test func `fresh settings are not read again`() async throws {
        let service = ScriptedSubmitter(fresh: ["limit": 1000])
        let seen = Box<[JSONValue]>([])
        service.play(Self.note(seen))
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(settings: #"{"limit":500}"#))
            bench.clock.advance(by: 3500)
            _ = bench.start()
            try await bench.ended(id)

            #expect(service.calls == [.submit(id)])
            #expect(seen.value.first?["limit"]?.int == 500)
        }
    }

    @Test func `credentials that are damaged park the account`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            try await bench.sql("UPDATE connections SET credentials = 'damaged'")
            let worker = bench.start()
            let parked = try await bench.ended(id)
            try await bench.connect()
            await worker.wake()

            #expect(parked.state == .needsLogin)
            #expect(parked.problem == Problem(.credentialsDamaged))
            #expect(try await bench.ended(id, tries: 2).state == .done)
        }
    }

    @Test func `credentials of another key wait for it, and their owner is not asked to connect again`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let connection = try await bench.connect(key: KeyRing(current: .random()))
            let id = try await bench.submit(to: connection)
            let worker = bench.start()
            let waiting = try await bench.ended(id)

            #expect(waiting.state == .waiting)
            #expect(waiting.attempts == 0)
            #expect(waiting.nextAttemptAt.map { $0 > waiting.updatedAt } == true)
            #expect(waiting.problem == Problem(.keyMissing))
            #expect(try await bench.store.connections(of: bench.owner.id).map(\.connection.state) == [.ok])
            #expect(bench.log.count(" error ", "does not fit", connection.description) == 1)
            #expect(service.calls == [])

            // Sealed with this process's key.
            try await bench.connect()
            try await bench.makeDue()
            await worker.wake()
            #expect(try await bench.ended(id, tries: 2).state == .done)
        }
    }

    @Test func `settings that the database cannot hold are not kept`() async throws {
        let service = ScriptedSubmitter(fresh: ["version": "4\u{0}"])
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(settings: #"{"limit":500}"#))
            bench.clock.advance(by: 3700)
            _ = bench.start()

            #expect(try await bench.ended(id).state == .done)
            #expect(try await bench.store.connections(of: bench.owner.id).map(\.settings) == [#"{"limit": 500}"#])
        }
    }

    @Test func `credentials that were replaced while a try used the old ones park nothing`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        let end = Signal()
        service.play { _ throws(SubmissionError) in
            begun.fire()
            await end.wait()
            throw .unauthorized(SubmissionProblem(.other("Please connect again."), status: 401))
        }
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let id = try await bench.submit(to: connection)
            _ = bench.start()
            await begun.wait()
            try await bench.connect()
            end.fire()

            #expect(try await bench.ended(id, tries: 2).state == .done)
            #expect(try await bench.store.connections(of: bench.owner.id).map(\.connection.state) == [.ok])
        }
    }

    @Test func `a service that this Pics does not know is refused`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let id = try await bench.submit(to: try await bench.connect(service: "forgotten"))
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .rejected)
            #expect(submission.problem == Problem(.serviceUnknown, ProblemParameters(service: "forgotten")))
        }
    }
}
