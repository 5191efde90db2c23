internal import Crypto
internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

/// Several relays and servers, and what is lost between them.
struct NostrRelayTests {
    private static let two = Subject.nostr("nostr, two relays", relays: "URL URL/second")

    private func fake(_ scene: Scene) throws -> FakeNostr { try #require(scene.host?.service as? FakeNostr) }

    @Test func `a post is the same event at every relay, and the receipt names one that has it`() async throws {
        try await withScene(Self.two) { scene async throws in
            let receipt = try await PlayedQueue(scene: scene).receipt()
            let fake = try fake(scene)

            #expect(fake.events(at: "/").count == 1 && fake.events(at: "/") == fake.events(at: "/second"))
            #expect(receipt.remoteID == fake.events(at: "/")[0]["id"]?.string && scene.isPublishedOnce)
        }
    }

    @Test(arguments: [
        Fault.resetBefore, .resetAfter, .malformed, .status(500), .status(403), .status(404), .status(422),
    ])
    func `a relay that goes wrong does not keep the post from another`(fault: Fault) async throws {
        try await withScene(Self.two) { scene async throws in
            scene.host?.fail("EVENT /", fault)

            _ = try await PlayedQueue(scene: scene).receipt()
            #expect(scene.isPublishedOnce)
            #expect(try fake(scene).events(at: "/second").count == 1)
        }
    }

    @Test(arguments: [Fault.resetBefore, .resetAfter, .malformed, .status(500), .status(429)])
    func `a second relay that was away gets the same event later`(fault: Fault) async throws {
        try await withScene(Self.two) { scene async throws in
            scene.host?.fail("EVENT /second", fault)

            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            #expect(scene.publishedIDs.count == 1)
            let receipt = try await PlayedQueue(scene: scene).receipt()
            #expect(scene.isPublishedOnce && scene.publishedIDs == [receipt.remoteID])
            let fake = try fake(scene)
            #expect(fake.events(at: "/") == fake.events(at: "/second"))
        }
    }

    @Test(arguments: [Fault.status(403), .status(422)])
    func `a second relay that refuses is left out at once`(fault: Fault) async throws {
        try await withScene(Self.two) { scene async throws in
            scene.host?.fail("EVENT /second", fault)

            #expect(await scene.meaningOfFirstFailure() == .published)
            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `a second relay that stays away is left out after three tries`() async throws {
        try await withScene(Self.two) { scene async throws in
            for _ in 0..<10 { scene.host?.fail("EVENT /second", .resetBefore) }

            _ = try await PlayedQueue(scene: scene).receipt()
            #expect(scene.requests(of: "EVENT /second") == 3 && scene.isPublishedOnce)
        }
    }

    @Test func `a post is found at any relay, and asked for nowhere again`() async throws {
        try await withScene(Self.two) { scene async throws in
            scene.host?.fail("EVENT /", .resetAfter)
            scene.host?.fail("EVENT /second", .resetBefore)

            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            #expect(try await scene.reconcile().isFound)
            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `a look that a relay does not answer lets the same event be sent again`() async throws {
        try await withScene(.nostr) { scene async throws in
            scene.host?.fail("EVENT /", .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            scene.host?.fail("REQ /", .resetBefore)

            let look = try await scene.reconcile()
            #expect(look == .repeatable)
            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `an event that was sent is never signed anew, however late it is and whatever has gone`() async throws {
        try await withScene(.nostr) { scene async throws in
            scene.host?.fail("EVENT /", .resetBefore)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            let before = await scene.journal.value("event")
            scene.clock.advance(by: 86_400)
            scene.journal.disarm()

            _ = try await scene.submit("Other words")

            #expect(await scene.journal.value("event") == before)
            #expect(scene.host?.service.effects.map(\.text) == [Scene.text])
        }
    }

    @Test func `an event that no relay has is signed anew for other words, and for no other reason`() async throws {
        try await withScene(.nostr) { scene async throws in
            scene.host?.fail("EVENT /", .status(429), .status(429))
            #expect(await scene.meaningOfFirstFailure() == .limited)
            let before = await scene.journal.value("event")
            scene.clock.advance(by: 600)
            scene.journal.disarm()
            #expect(await scene.meaningOfFirstFailure() == .limited)
            #expect(await scene.journal.value("event") == before)
            scene.journal.disarm()

            _ = try await scene.submit("Other words")

            #expect(scene.host?.service.effects.map(\.text) == ["Other words"])
        }
    }

    @Test func `a post that was deleted meanwhile is not brought back`() async throws {
        try await withScene(.nostr) { scene async throws in
            scene.host?.fail("EVENT /", .resetAfter)
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            let id = try #require(scene.publishedIDs.first)
            try await scene.delete(Receipt(remoteID: id, url: nil))

            #expect(try await scene.reconcile().isFound)
            #expect(scene.publishedIDs.isEmpty)
        }
    }

    // MARK: Files

    @Test func `a file that the server has is not sent again`() async throws {
        try await withScene(.nostr) { scene async throws in
            _ = await PlayedQueue(scene: scene).work()
            let sent = scene.requests(of: "PUT /upload")
            #expect(sent == 1)
            await scene.forgetSteps(["blob", "event", "relays", "pics.open_outcome"])

            _ = try await scene.submit()

            #expect(scene.requests(of: "PUT /upload") == sent)
        }
    }

    @Test(arguments: [500, 503, 429])
    func `a server that cannot say whether it has a file is tried again later`(status: Int) async throws {
        try await withScene(.nostr) { scene async throws in
            scene.host?.fail("HEAD /{file}", .status(status))

            #expect(await scene.meaningOfFirstFailure() == (status == 429 ? .limited : .temporary))
            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `another server takes a file that the first does not want`() async throws {
        try await withFake(FakeNostr()) { _, full, transport in
            try await withScene(.nostr) { scene async throws in
                scene.choose(["server_list": [.string(full.url), .string(scene.entries["servers"] ?? "")]])
                full.host.fail("PUT /upload", .status(413))

                _ = await PlayedQueue(scene: scene).work()

                #expect(scene.isPublishedOnce && full.host.requests.map(\.route) == ["HEAD /{file}", "PUT /upload"])
            }
        }
    }

    @Test func `a server from before BUD-11 is shown the permission in its alphabet`() async throws {
        try await withScene(.nostr("nostr, an old server") { $0.isOldBlossom = true }) { scene async throws in
            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce && scene.requests(of: "PUT /upload") == 2)
        }
    }

    @Test func `a server that changes files is not used`() async throws {
        try await withScene(.nostr("nostr, a server that changes files") { $0.changesFiles = true }) {
            scene async throws in
            #expect(await scene.meaningOfFirstFailure() == .rejected)
            #expect(scene.publishedIDs.isEmpty)
        }
    }

    @Test func `files go with their post, unless another post shows them`() async throws {
        try await withScene(.nostr) { scene async throws in
            let first = try await PlayedQueue(scene: scene).receipt()
            await scene.forgetSteps(["blob", "event", "relays", "pics.open_outcome"])
            let second = try await scene.submit("Once more")
            let fake = try fake(scene)
            #expect(first.remoteID != second.remoteID && fake.fileCount == 1)

            try await scene.delete(first)
            #expect(fake.fileCount == 1 && scene.publishedIDs == [second.remoteID])
            try await scene.delete(second)
            #expect(fake.fileCount == 0 && scene.publishedIDs.isEmpty)
        }
    }

    @Test func `a post is deleted at every relay, also when one is away at first`() async throws {
        try await withScene(Self.two) { scene async throws in
            let receipt = try await PlayedQueue(scene: scene).receipt()
            scene.host?.fail("EVENT /second", .resetBefore)

            #expect(await meaning { try await scene.delete(receipt) } != .published)
            try await scene.delete(receipt)

            #expect(scene.publishedIDs.isEmpty)
        }
    }

    // MARK: Logging in

    @Test func `a relay that asks who is there is told by a proof for its challenge`() async throws {
        try await withScene(.nostr("nostr, login") { $0.asksLogin = true }) { scene async throws in
            #expect(await scene.meaningOfFirstFailure() == .published)
            #expect(scene.requests(of: "AUTH /") > 0)
            #expect(!scene.publishedIDs.isEmpty)
        }
    }

    @Test func `a relay that does not let in after the proof is a refusal, and is not asked for ever`() async throws {
        try await withScene(.nostr("nostr, login") { $0.asksLogin = true }) { scene async throws in
            scene.host?.fail("AUTH /", .status(403))

            #expect(await scene.meaningOfFirstFailure() == .unauthorized)
            #expect(scene.publishedIDs.isEmpty)
        }
    }
}

extension Scene {
    /// Lets the journal forget steps.
    fileprivate func forgetSteps(_ names: [String]) async {
        journal.disarm()
        for name in names {
            do { try await journal.record(name, nil) } catch { Issue.record(error) }
        }
    }
}
