internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

/// A status whose answer was lost, and what the account has posted since.
@Suite(.timeLimit(.minutes(5)))
struct MastodonBacklogTests {
    /// Mastodon itself is asked after its `Idempotency-Key` has expired.
    @Test(
        arguments: Subject.mastodons.filter { ["mastodon", "gotosocial", "pixelfed", "akkoma"].contains($0.name) },
        [Fault.resetAfter, .resetBefore])
    func `a status is found, or known to be absent, behind 230 newer ones`(
        subject: Subject, fault: Fault
    ) async throws {
        try await withScene(subject) { scene in
            let server = try #require(scene.host?.service as? FakeMastodon)
            scene.host?.fail("POST /api/v1/statuses", fault)
            while await scene.meaningOfFirstFailure() == .notYet { scene.clock.advance(by: .seconds(2)) }
            server.postOthers(230)
            scene.clock.advance(by: .seconds(3600))

            let ending = await PlayedQueue(scene: scene).work()

            guard case .done(let receipt) = ending else {
                Issue.record("it ended \(ending)")
                return
            }
            let own = server.effects.filter { $0.text == Scene.text }
            #expect(own.map(\.id) == [receipt.remoteID])
        }
    }

    @Test func `an edit that the server has made already is no refusal`() async throws {
        let subject = try #require(Subject.mastodons.first { $0.name == "gotosocial" })
        try await withScene(subject) { scene in
            let receipt = try await scene.submit()
            scene.host?.fail("PUT /api/v1/statuses/{id}", .resetAfter)
            await #expect(throws: SubmissionError.self) {
                try await scene.edit(receipt, text: "Fog & sun", altText: "A lake")
            }

            try await scene.edit(receipt, text: "Fog & sun", altText: "A lake")

            #expect(scene.host?.service.effects.map(\.text) == ["Fog & sun"])
            #expect(scene.publishedAltTexts == ["A lake"])
        }
    }

    @Test(arguments: ["Fog & sun", Scene.text])
    func `an edit that the server refuses is refused`(text: String) async throws {
        let subject = try #require(Subject.mastodons.first { $0.name == "gotosocial" })
        try await withScene(subject) { scene in
            let receipt = try await scene.submit()
            scene.host?.fail("PUT /api/v1/statuses/{id}", .status(422))

            let meaning = await meaning { try await scene.edit(receipt, text: text, altText: "Another") }

            #expect(meaning == .rejected)
        }
    }
}
