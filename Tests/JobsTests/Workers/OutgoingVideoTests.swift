internal import Domain
internal import Submitters
internal import Testing

/// What leaves, as far as no picture has to be opened.
@Suite(.timeLimit(.minutes(5)))
struct OutgoingVideoTests {
    private static func rule(types: Set<String> = ["video/mp4"], bytes: Int64 = 1 << 20) -> MediaRule {
        MediaRule(pictureTypes: [], maximumPictureBytes: 0, videoTypes: types, maximumVideoBytes: bytes)
    }

    @Test(arguments: [
        (rule(types: ["video/quicktime"]), "The service takes no video of this type."),
        (rule(types: []), "The service takes no video of this type."),
        (rule(bytes: 14), "The video is larger than the service takes."),
    ])
    func `a video that a service does not take is refused with a sentence`(rule: MediaRule, problem: String)
        async throws
    {
        let service = ScriptedSubmitter(media: rule)
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .rejected)
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
