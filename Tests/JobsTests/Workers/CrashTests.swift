internal import Domain
internal import Submitters
internal import TestTools
internal import Testing

/// A worker dies at each point of a submission, and another one takes over.
@Suite(.timeLimit(.minutes(5)))
struct CrashTests {
    /// Lets one worker die and another end the work.
    private static func play(
        _ service: JournallingService, _ check: @Sendable (Submission) async throws -> Void
    ) async throws {
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start("dead")
            await service.died.wait()
            try await bench.endLeases()
            _ = bench.start("heir")
            let submission = try await bench.ended(id)
            // The dead one's last words come too late.
            service.buried.fire()
            await bench.stopWorkers()
            #expect(try await bench.submission(id) == submission)
            try await check(submission)
        }
    }

    @Test(arguments: [JournallingService.Memory.idempotent, .searchable], JournallingService.Point.allCases)
    func `a service that remembers gets exactly one post`(
        memory: JournallingService.Memory, point: JournallingService.Point
    ) async throws {
        let service = JournallingService(memory, deathAt: point)
        try await Self.play(service) { submission in
            #expect(submission.state == .done)
            #expect(service.posts == ["pics-\(submission.id)"])
            #expect(submission.remoteID == "pics-\(submission.id)")
        }
    }

    @Test(arguments: [
        (JournallingService.Point.armed, 0), (.accepted, 1), (.recorded, 1),
    ])
    func `a service that tells nothing gets at most one post, and a person is asked`(
        point: JournallingService.Point, posts: Int
    ) async throws {
        let service = JournallingService(.blind, deathAt: point)
        try await Self.play(service) { submission in
            #expect(submission.state == .unknown)
            #expect(service.posts.count == posts)
        }
    }

    @Test(arguments: JournallingService.Point.allCases.prefix { $0 != .armed })
    func `before it is armed, a submission to a service that tells nothing goes on`(
        point: JournallingService.Point
    ) async throws {
        let service = JournallingService(.blind, deathAt: point)
        try await Self.play(service) { submission in
            #expect(submission.state == .done)
            #expect(service.posts.count == 1)
        }
    }

    @Test(arguments: JournallingService.Point.allCases)
    func `a step that was written down is not done again`(point: JournallingService.Point) async throws {
        let service = JournallingService(.searchable, deathAt: point)
        let twice: [JournallingService.Point: String] = [
            .firstDone: "first", .secondDone: "second", .thirdDone: "third",
        ]
        try await Self.play(service) { _ in
            for step in ["first", "second", "third"] {
                #expect(service.uploads[step] == (twice[point] == step ? 2 : 1))
            }
        }
    }
}
