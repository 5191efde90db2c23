internal import Crypto
internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

/// What strangers put on relays, which take anything.
struct NostrConversationTests {
    private struct Post {
        let scene: Scene
        let fake: FakeNostr
        let receipt: Receipt

        func list() async throws -> ResponseList {
            try await (try #require(scene.submitter as? any RespondingSubmitter)).responses(
                to: scene.post(receipt), counted: Engagement(), known: [])
        }

        /// Somebody says or does something about the post.
        func add(_ person: String, _ kind: Int64, _ content: String, _ tags: [[String]], after seconds: Double = 0)
            throws
        {
            let key = try #require(FakeNostr.key(of: person))
            fake.add(kind, content, tags, at: scene.clock.now + seconds, by: key)
        }
    }

    private func withPost(_ subject: Subject = .nostrNotes, _ body: @escaping (Post) async throws -> Void) async throws
    {
        try await withScene(subject) { scene in
            let receipt = try await PlayedQueue(scene: scene).receipt()
            try await body(Post(scene: scene, fake: try #require(scene.host?.service as? FakeNostr), receipt: receipt))
        }
    }

    @Test func `a person likes once, whatever they send, and a dislike is no like`() async throws {
        try await withPost { post async throws in
            let id = post.receipt.remoteID
            for content in ["+", "", "🤙", "+"] { try post.add("ann", 7, content, [["e", id]]) }
            try post.add("ben", 7, "-", [["e", id]])
            // The last names what is meant (NIP-25).
            try post.add("cat", 7, "+", [["e", id], ["e", String(repeating: "0", count: 64)]])
            try post.add("dan", 6, "", [["e", id, ""]])
            try post.add("dan", 16, "", [["e", id, ""]])

            let list = try await post.list()
            let counts = try await post.scene.engagement(post.receipt)

            #expect(list.found.count { $0.kind == .like } == 1 && list.found.count { $0.kind == .repost } == 1)
            #expect(counts == Engagement(likes: 1, comments: 0, shares: 1))
        }
    }

    @Test func `replies are found by marks and by places, and what only mentions the post is none`() async throws {
        try await withPost { post async throws in
            let (id, other) = (post.receipt.remoteID, String(repeating: "1", count: 64))
            try post.add("ann", 1, "marked", [["e", id, "", "root"]])
            try post.add("ben", 1, "placed", [["e", id]])
            try post.add("cat", 1, "below another", [["e", id, "", "root"], ["e", other, "", "reply"]])
            try post.add("dan", 1, "mentions", [["e", other, "", "root"], ["e", id, "", "mention"]])
            try post.add("eve", 1, "quotes", [["q", id]])

            let list = try await post.list()

            let comments = list.found.filter { $0.kind == .comment }
            #expect(Set(comments.map(\.text)) == ["marked", "placed", "below another"])
            #expect(comments.first { $0.text == "below another" }?.parent == other)
            #expect(list.found.filter { $0.kind == .quote }.map(\.text) == ["quotes"])
        }
    }

    @Test func `what its author takes back is gone, and nobody takes back for another`() async throws {
        try await withPost { post async throws in
            let id = post.receipt.remoteID
            try post.add("ann", 1, "kept", [["e", id, "", "root"]])
            try post.add("ben", 1, "gone", [["e", id, "", "root"]])
            let before = try await post.list().found
            let (kept, gone) = (
                try #require(before.first { $0.text == "kept" }), try #require(before.first { $0.text == "gone" })
            )
            try post.add("ben", 5, "", [["e", gone.key], ["e", kept.key], ["e", id]])

            #expect(try await post.list().found.filter { $0.kind == .comment }.map(\.text) == ["kept"])
        }
    }

    @Test func `a relay that does not answer takes away nothing for good`() async throws {
        try await withPost(.nostr("nostr, two relays", relays: "URL URL/second")) { post async throws in
            try post.add("ann", 7, "+", [["e", post.receipt.remoteID]])
            // The post itself, then each kind of response.
            post.scene.host?.fail("REQ /second", .none, .none, .resetBefore, .resetBefore, .resetBefore, .resetBefore)

            let list = try await post.list()

            #expect(list.found.contains { $0.kind == .like } && list.complete.count < 4)
        }
    }

    @Test func `news of the future do not hide what comes until then`() async throws {
        try await withPost { post async throws in
            let service = try #require(post.scene.submitter as? any NewsSubmitter)
            let account = post.scene.post(post.receipt).account
            let to = ["p", FakeNostr.publicKey]
            try post.add("ann", 7, "+", [["e", post.receipt.remoteID], to], after: 600)
            let first = try await service.news(of: account, after: nil, over: post.scene.post(post.receipt).transport)
            #expect(first.posts == [post.receipt.remoteID])
            #expect(first.cursor.flatMap { Int64($0) } ?? .max <= Int64(Date().timeIntervalSince1970))
        }
    }

    @Test func `a reply says at which kind of post it is`() async throws {
        for (subject, kind) in [(Subject.nostr, Int64(1111)), (.nostrNotes, 1)] {
            try await withPost(subject) { post async throws in
                let submitter = try #require(post.scene.submitter as? any InteractingSubmitter)
                let published = post.scene.post(post.receipt)
                for _ in 0..<2 {
                    _ = try await submitter.perform(
                        InteractionTask(
                            outboundKey: "1", kind: .reply, isWanted: true, targetID: nil,
                            targetKey: post.receipt.remoteID,
                            postID: post.receipt.remoteID, handle: nil, text: "Thanks #all", remoteID: nil,
                            mayHaveLeft: false,
                            createdAt: post.scene.clock.now, account: published.account, transport: published.transport,
                            arm: {}, now: post.scene.clock.read))
                }
                let replies = post.fake.events(at: "/").filter { $0["content"] == "Thanks #all" }
                #expect(replies.map { $0["kind"]?.int } == [kind])
            }
        }
    }

    @Test(arguments: [Subject.nostr, .nostrNotes])
    func `a reply is the same event when it is sent again, also to other relays`(subject: Subject) async throws {
        try await withPost(subject) { post async throws in
            let submitter = try #require(post.scene.submitter as? any InteractingSubmitter)
            let published = post.scene.post(post.receipt)
            let relays = try #require(published.account.settings["relay_list"]?.array)
            for list in [
                relays, [try #require(relays.first?.string).appending("/second")].map(JSONValue.string) + relays,
            ] {
                var settings = published.account.settings.object ?? [:]
                settings["relay_list"] = JSONValue(list)
                let account = OpenedAccount(
                    connection: published.account.connection, remoteID: published.account.remoteID,
                    name: published.account.name, credentials: published.account.credentials,
                    settings: .object(settings))
                _ = try await submitter.perform(
                    InteractionTask(
                        outboundKey: "1", kind: .reply, isWanted: true, targetID: nil, targetKey: post.receipt.remoteID,
                        postID: post.receipt.remoteID, handle: nil, text: "Thanks", remoteID: nil, mayHaveLeft: false,
                        createdAt: post.scene.clock.now, account: account, transport: published.transport,
                        arm: {}, now: post.scene.clock.read))
            }
            let ids = ["/", "/second"].flatMap { post.fake.events(at: $0) }.filter { $0["content"] == "Thanks" }
                .compactMap { $0["id"]?.string }
            #expect(Set(ids).count == 1 && !ids.isEmpty)
        }
    }

    @Test func `a time that no calendar has makes an event none`() throws {
        let key = try NostrKey()
        for (time, isTaken) in [(0.0, true), (-1, false), (253_402_300_799, true), (253_402_300_800, false)] {
            let event = try NostrEvent(
                kind: 1, content: "", tags: [], at: Date(timeIntervalSince1970: time), by: key)
            #expect((NostrEvent(text: event.text) != nil) == isTaken, "\(time)")
        }
    }

    @Test func `keys and ids in capital letters are none`() throws {
        let event = try NostrEvent(kind: 1, content: "", tags: [], at: Date(), by: NostrKey())
        for text in [event.id, event.author] {
            #expect(NostrEvent(text: event.text.replacing(text, with: text.uppercased())) == nil)
        }
    }

    @Test func `nothing that a relay sends beside the answer is taken for one`() throws {
        let key = try NostrKey()
        let event = try NostrEvent(kind: 1, content: "Hi", tags: [], at: Date(), by: key)
        var json = try JSONValue(parsing: Array(event.text.utf8)).object ?? [:]
        json["content"] = "Forged"
        #expect(NostrEvent(verifying: .object(json)) == nil)
        json["content"] = "Hi"
        json["pubkey"] = .string(FakeNostr.publicKey)
        #expect(NostrEvent(verifying: .object(json)) == nil)
        for text in ["", "[]", "{}", #"{"id":1}"#, event.text.replacing("\"tags\":[]", with: "\"tags\":[[]]")] {
            #expect(NostrEvent(text: text) == nil)
        }
    }
}
