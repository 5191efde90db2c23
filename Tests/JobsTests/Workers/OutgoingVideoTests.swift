internal import Domain
internal import Logging
internal import Media
internal import Submitters
internal import Testing

/// The videos that are sent, where no picture has to be opened.
@Suite(.timeLimit(.minutes(5)))
struct OutgoingVideoTests {
    private static func rule(types: Set<String> = ["video/mp4"], bytes: Int64 = 1 << 20) -> MediaRule {
        MediaRule(pictureTypes: [], maximumPictureBytes: 0, videoTypes: types, maximumVideoBytes: bytes)
    }

    @Test(arguments: [
        (rule(types: ["video/quicktime"]), ProblemCode.unsupportedType),
        (rule(types: []), .unsupportedType),
        (rule(bytes: 14), .fileTooLarge),
    ])
    func `a video that a service does not take is refused with a code`(rule: MediaRule, code: ProblemCode)
        async throws
    {
        let service = ScriptedSubmitter(media: rule)
        service.play(ScriptedSubmitter.publishFile)
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .rejected)
            #expect(submission.problem == Problem(code))
        }
    }

    @Test func `a picture that a service of videos does not take is refused with a code`() async throws {
        let service = ScriptedSubmitter(media: Self.rule())
        service.play(ScriptedSubmitter.publishFile)
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), kind: .photo)
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .rejected)
            #expect(submission.problem == Problem(.unsupportedType))
        }
    }

    @Test func `a picture that cannot be prepared is tried again`() async throws {
        let service = ScriptedSubmitter()
        service.play(ScriptedSubmitter.publishFile)
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), kind: .photo)
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .waiting)
            #expect(submission.problem == Problem(.pictureNotPrepared))
            #expect(try await bench.value("SELECT effect FROM jobs") == "none")
        }
    }

    @Test func `a picture that nobody asks for is not prepared`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), kind: .photo)
            _ = bench.start()

            #expect(try await bench.ended(id).state == .done)
        }
    }

    @Test func `a picture that takes too long to prepare is tried again`() async throws {
        let service = ScriptedSubmitter()
        service.play(ScriptedSubmitter.publishFile)
        // A program that never answers.
        let media = MediaPool(
            MediaPool.Configuration(program: "/usr/bin/yes", children: 1, deadline: .milliseconds(50)), logger: .silent)
        try await withBench(service, media: media) { bench in
            let id = try await bench.submit(to: try await bench.connect(), kind: .photo)
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .waiting)
            #expect(submission.attempts == 1)
        }
        await media.stop()
    }
}
