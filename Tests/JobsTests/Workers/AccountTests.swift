internal import Crypto
internal import Domain
internal import Foundation
internal import HTTP
internal import Jobs
internal import Store
internal import Submitters
internal import Testing

@Suite(.timeLimit(.minutes(1)))
struct AccountTests {
    /// Notes the settings that a submission is made with.
    private static func note(_ seen: Mutexed<[JSONValue]>) -> ScriptedSubmitter.Step {
        { task throws(SubmissionError) in
            seen.change { $0.append(task.account.settings) }
            return ScriptedSubmitter.receipt(task.submission)
        }
    }

    @Test func `settings that have grown old are read again, and the owner's own stay`() async throws {
        let service = ScriptedSubmitter(fresh: ["limit": 1000])
        let seen = Mutexed<[JSONValue]>([])
        service.play(Self.note(seen))
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(settings: #"{"limit":500,"rule":"classic"}"#))
            bench.clock.advance(by: 3700)
            _ = bench.start()
            try await bench.ended(id)

            #expect(service.calls == [.submit(id), .refresh] || service.calls == [.refresh, .submit(id)])
            #expect(seen.value.first?["limit"]?.int == 1000)
            #expect(seen.value.first?["rule"]?.string == "classic")
            let stored = try await bench.store.connections(of: bench.owner.id).first?.settings
            #expect(stored == #"{"rule": "classic", "limit": 1000}"#)
        }
    }

    @Test func `fresh settings are not read again`() async throws {
        let service = ScriptedSubmitter(fresh: ["limit": 1000])
        let seen = Mutexed<[JSONValue]>([])
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

    @Test func `credentials that cannot be opened park the account`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(key: KeyRing(current: .random())))
            let worker = bench.start()
            let parked = try await bench.ended(id)
            try await bench.connect()
            await worker.wake()

            #expect(parked.state == .needsLogin)
            #expect(parked.problem?.contains("cannot be opened") == true)
            #expect(try await bench.ended(id, tries: 2).state == .done)
        }
    }

    @Test func `a service that this Pics does not know is refused`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let id = try await bench.submit(to: try await bench.connect(service: "forgotten"))
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .rejected)
            #expect(submission.problem == "This Pics does not know the service forgotten.")
        }
    }
}

/// What leaves, as far as no picture has to be opened.
@Suite(.timeLimit(.minutes(1)))
struct OutgoingVideoTests {
    private static func rule(types: Set<String> = ["video/mp4"], bytes: Int64 = 1 << 20) -> MediaRule {
        MediaRule(pictureTypes: [], maximumPictureBytes: 0, videoTypes: types, maximumVideoBytes: bytes)
    }

    @Test(arguments: [
        (rule(), Submission.State.done, nil),
        (rule(types: ["video/quicktime"]), .rejected, "The service takes no video of this type."),
        (rule(types: []), .rejected, "The service takes no video of this type."),
        (rule(bytes: 15), .done, nil),
        (rule(bytes: 14), .rejected, "The video is larger than the service takes."),
    ])
    func `a video goes as it is where it is taken`(rule: MediaRule, state: Submission.State, problem: String?) async throws {
        let service = ScriptedSubmitter(media: rule)
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == state)
            #expect(submission.problem == problem)
        }
    }

    @Test func `a picture that cannot be prepared is tried again`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), kind: .photo)
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .waiting)
            #expect(submission.problem == "The picture could not be prepared.")
            #expect(service.calls == [])
        }
    }
}
