internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import System
internal import TestTools
internal import Testing

/// What others say and do at a service, and what an owner says and does there.
@Suite(.timeLimit(.minutes(5)))
struct ConversationTests {
    struct Voice: Sendable, CustomTestStringConvertible {
        let subject: Subject
        let conversation: @Sendable (any FakeService) throws -> FakeConversation
        let favourites: @Sendable (any FakeService) throws -> [String]
        let reposts: @Sendable (any FakeService) throws -> [String]
        var testDescription: String { subject.name }
    }

    static func mastodon(_ subject: Subject) -> Voice {
        Voice(
            subject: subject, conversation: { try #require($0 as? FakeMastodon).conversation },
            favourites: { try #require($0 as? FakeMastodon).conversation.favourites },
            reposts: { try #require($0 as? FakeMastodon).conversation.reposts })
    }

    /// Where a comment is answered by another, and nothing else is done.
    static let flickr = Voice(
        subject: .flickr, conversation: { try #require($0 as? FakeFlickr).conversation }, favourites: { _ in [] },
        reposts: { _ in [] })

    /// Where an answer and a repost are what there is, and lists are pages that cost money.
    static let twitter = Voice(
        subject: .twitter, conversation: { try #require($0 as? FakeTwitter).conversation }, favourites: { _ in [] },
        reposts: { try #require($0 as? FakeTwitter).conversation.reposts })

    /// Where comments are answered, and nothing else is done.
    static let wordpress = Voice(
        subject: .wordpress, conversation: { try #require($0 as? FakeWordPress).conversation }, favourites: { _ in [] },
        reposts: { _ in [] })

    /// The same below videos, by a channel.
    static let youtube = Voice(
        subject: .youtube, conversation: { try #require($0 as? FakeYouTube).conversation }, favourites: { _ in [] },
        reposts: { _ in [] })
    /// Where answers in a room are answered and liked.
    static let matrix = Voice(
        subject: .matrix, conversation: { try #require($0 as? FakeMatrix).conversation },
        favourites: { try #require($0 as? FakeMatrix).favourites }, reposts: { _ in [] })

    /// Where comments are answered and liked, by a page.
    static let facebook = Voice(
        subject: .facebook, conversation: { try #require($0 as? FakeFacebook).conversation },
        favourites: { try #require($0 as? FakeFacebook).conversation.favourites }, reposts: { _ in [] })

    /// Where replies are answered, and nothing else is done.
    static let threads = Voice(
        subject: .threadsAtOnce, conversation: { try #require($0 as? FakeThreads).conversation },
        favourites: { _ in [] }, reposts: { _ in [] })
    static let instagram = Voice(
        subject: .instagramAtOnce, conversation: { try #require($0 as? FakeInstagram).conversation },
        favourites: { _ in [] }, reposts: { _ in [] })
    /// Where nothing that was said can be changed, so that it is said anew.
    static let nostr = nostr(.nostr)

    private static func nostr(_ subject: Subject) -> Voice {
        Voice(
            subject: subject, conversation: { try #require($0 as? FakeNostr).conversation },
            favourites: { try #require($0 as? FakeNostr).favourites },
            reposts: { try #require($0 as? FakeNostr).reposts })
    }

    static let voices = [
        mastodon(.mastodon), mastodon(.gotosocial),
        Voice(
            subject: .bluesky, conversation: { try #require($0 as? FakeBluesky).conversation },
            favourites: { try #require($0 as? FakeBluesky).acts(in: "app.bsky.feed.like") },
            reposts: { try #require($0 as? FakeBluesky).acts(in: "app.bsky.feed.repost") }),
        nostr, nostr(.nostrNotes),
    ]

    /// A photo that is posted, with what people make of it.
    struct Talk: Sendable {
        let scene: Scene
        let voice: Voice
        let post: Submitters.PublishedPost
        private let counted = Engagement(likes: 9, comments: 9, shares: 9)

        let interacting: any InteractingSubmitter
        let fake: any FakeService
        let conversation: FakeConversation

        func responses() async throws -> ResponseList {
            try await (try #require(scene.submitter as? any RespondingSubmitter)).responses(
                to: post, counted: counted, known: [])
        }

        func comments() async throws -> [FoundResponse] {
            try await responses().found.filter { $0.kind == .comment }
        }

        func home(after cursor: String? = nil) async throws -> FoundTimeline {
            try await (try #require(scene.submitter as? any TimelineSubmitter))
                .timeline(of: post.account, after: cursor, over: post.transport)
        }
    }

    func withTalk(_ voice: Voice, _ body: @escaping @Sendable (Talk) async throws -> Void) async throws {
        try await withScene(voice.subject) { scene in
            let receipt = try await scene.submit()
            let fake = try #require(scene.host?.service)
            try await body(
                Talk(
                    scene: scene, voice: voice, post: scene.post(receipt),
                    interacting: try #require(scene.submitter as? any InteractingSubmitter),
                    fake: fake, conversation: try voice.conversation(fake)))
        }
    }

    // MARK: Reading

    @Test(arguments: voices)
    func `replies come with their thread, their authors and pictures, and people with what they did`(voice: Voice)
        async throws
    {
        try await withTalk(voice) { talk in
            let (said, post) = (talk.conversation, talk.post.remoteID)
            let first = said.say("Lovely light", by: "ann", to: post, picture: "https://far.test/1.jpg")
            said.say("Indeed", by: "ben", to: first)
            said.like(post, by: (1...170).map { "fan\($0)" })
            said.repost(post, by: ["cat"])

            let list = try await talk.responses()

            let comments = list.found.filter { $0.kind == .comment }
            #expect(comments.map(\.text).sorted() == ["Indeed", "Lovely light"])
            let answer = try #require(comments.first { $0.text == "Indeed" })
            let answered = try #require(comments.first { $0.text == "Lovely light" })
            #expect(answer.parent == answered.key)
            #expect(answered.parent == nil)
            #expect(answered.author.name == "Ann")
            #expect(answered.media.map(\.url) == ["https://far.test/1.jpg"])
            #expect(answered.media.first?.altText == "A lake")
            #expect(Set(list.found.filter { $0.kind == .like }.map(\.author.name)).count == 170)
            #expect(list.found.filter { $0.kind == .repost }.map(\.author.name) == ["Cat"])
            #expect(list.complete.isSuperset(of: [.comment, .like, .repost]))
        }
    }

    @Test(arguments: voices.filter { $0.subject.service != "nostr" })
    func `what is edited there is another text, and what is deleted there is missing in a complete list`(voice: Voice)
        async throws
    {
        try await withTalk(voice) { talk in
            let (said, post) = (talk.conversation, talk.post.remoteID)
            let kept = said.say("Lovely", by: "ann", to: post)
            let gone = said.say("Bad", by: "ben", to: post)
            let before = try await talk.comments()
            said.edit(kept, "Lovely indeed")
            said.delete(gone)

            let list = try await talk.responses()

            let after = list.found.filter { $0.kind == .comment }
            #expect(before.count == 2)
            #expect(after.map(\.text) == ["Lovely indeed"])
            #expect(before.map(\.key).contains(after[0].key))
            #expect(list.complete.contains(.comment))
        }
    }

    @Test(arguments: voices)
    func `a list that cannot be read whole says nothing of what is gone`(voice: Voice) async throws {
        try await withTalk(voice) { talk in
            let (said, post) = (talk.conversation, talk.post.remoteID)
            said.like(post, by: (1...900).map { "fan\($0)" })

            let list = try await talk.responses()

            #expect(!list.complete.contains(.like))
            #expect(list.found.count { $0.kind == .like } >= 400)
        }
    }

    @Test(arguments: voices)
    func `threads that go in circles, and hostile words, come to an end as plain text`(voice: Voice) async throws {
        try await withTalk(voice) { talk in
            let (said, post) = (talk.conversation, talk.post.remoteID)
            let hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>\u{202E}Hi <svg onload=alert(3)>"
            let first = said.say(hostile, by: "ann", to: post)
            let second = said.say("second", by: "ben", to: first)
            said.move(first, below: second)
            said.say(String(repeating: "long ", count: 20_000), by: "cat", to: post)
            said.say("small", by: "dan", to: post)

            let comments = try await talk.comments()

            #expect(comments.contains { $0.text == "small" })
            #expect(comments.count <= 4)
            #expect(comments.allSatisfy { $0.text.utf8.count <= FoundResponse.longestText })
        }
    }

    @Test(arguments: voices)
    func `one request tells which posts were answered since the last one`(voice: Voice) async throws {
        try await withTalk(voice) { talk in
            let service = try #require(talk.scene.submitter as? any NewsSubmitter)
            func news(_ cursor: String?) async throws -> PostNews {
                try await service.news(of: talk.post.account, after: cursor, over: talk.post.transport)
            }
            #expect(try await news(nil).posts.isEmpty)
            talk.conversation.say("first", by: "ann", to: talk.post.remoteID)
            let first = try await news("")
            #expect(first.posts.contains(talk.post.remoteID))
            #expect(try await news(first.cursor).posts.isEmpty)
            talk.conversation.say("second", by: "ann", to: talk.post.remoteID)
            #expect(try await news(first.cursor).posts.contains(talk.post.remoteID))
        }
    }

    @Test func `quotes are told by Mastodon, and missing where a server does not know them`() async throws {
        for subject in [Subject.mastodon, .gotosocial] {
            try await withTalk(Self.mastodon(subject)) { talk in
                talk.conversation.quote("Look at this", by: "ann", of: talk.post.remoteID)
                let list = try await talk.responses()
                let quotes = list.found.filter { $0.kind == .quote }
                #expect(quotes.map(\.text) == (subject.name == Subject.mastodon.name ? ["Look at this"] : []))
                #expect(quotes.allSatisfy { $0.key.hasPrefix("quote https://far.test/") && $0.author.name == "Ann" })
            }
        }
    }

    // MARK: The home timeline

    @Test(arguments: voices)
    func `the home timeline is read to its end page by page, each post once`(voice: Voice) async throws {
        try await withTalk(voice) { talk in
            let start = Date(timeIntervalSince1970: 1_780_000_000)
            for number in 0..<120 {
                talk.conversation.post(
                    "post \(number)", by: "ann", at: start + Double(number),
                    picture: number == 7 ? "https://far.test/7.jpg" : nil, repostedBy: number % 10 == 0 ? "ben" : nil)
            }
            var (posts, cursor, pages) = ([FoundPost](), String?.none, 0)
            repeat {
                let page = try await talk.home(after: cursor)
                posts += page.posts
                (cursor, pages) = (page.next, pages + 1)
            } while cursor != nil && pages < 10

            #expect(posts.map(\.text) == (0..<120).reversed().map { "post \($0)" })
            #expect(Set(posts.map(\.key)).count == 120)
            #expect(posts.count { $0.reposter?.name == "Ben" } == 12)
            #expect(posts.first { $0.text == "post 7" }?.media.map(\.url) == ["https://far.test/7.jpg"])
        }
    }

    @Test func `photos of contacts at Flickr are the newest, and become favourites once`() async throws {
        try await withTalk(Self.flickr) { talk in
            let start = Date(timeIntervalSince1970: 1_780_000_000)
            for number in 0..<60 {
                talk.conversation.post("photo \(number)", by: "ann", at: start + Double(number))
            }
            let page = try await talk.home()
            #expect(page.posts.map(\.text) == (10..<60).reversed().map { "photo \($0)" })
            #expect(page.next == nil && page.end == page.posts.last?.saidAt)
            #expect(page.posts[0].media.first?.width == 500 && page.posts[0].author.name == "Ann")

            let newest = page.posts[0]
            let played = Played(
                talk,
                FoundResponse(
                    kind: .comment, key: newest.key, remoteID: newest.remoteID, author: newest.author, text: ""),
                isOfTimeline: true)
            for (deed, count) in [(Deed.favourite, 1), (.favourite, 1), (.unfavourite, 0), (.unfavourite, 0)] {
                try await played.perform(deed)
                #expect(talk.conversation.favourites.count == count)
            }
        }
    }

    // MARK: Doing

    @Test(arguments: ["unlisted", "private"])
    func `a reply is seen by nobody who may not see what it answers`(audience: String) async throws {
        try await withTalk(Self.mastodon(.mastodon)) { talk in
            let played = try await played(talk)
            talk.conversation.narrow(to: audience)
            try await played.perform(.reply)
            #expect(try #require(talk.fake as? FakeMastodon).visibilities.last == audience)
        }
    }
}
