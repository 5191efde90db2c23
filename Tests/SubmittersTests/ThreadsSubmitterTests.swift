internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct ThreadsSubmitterTests {
    private let threads = ThreadsSubmitter(servers: .publicOnly)
    private let account = OpenedAccount.sample(["access_token": "token"], [:], remoteID: "261")
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The requests and answers of "Posts" and "Troubleshooting" of the Threads API.
    @Test func `a picture is asked for, looked at, published and read as the documentation shows`() async throws {
        let server = Recording(
            .response(200, ["id": "17889615691921648"]),
            .response(200, ["status": "FINISHED", "id": "17889615691921648"]),
            .response(200, ["id": "1234567"]),
            .response(200, ["id": "1234567", "permalink": "https://www.threads.com/@lakes/post/abcdefg"]))
        var photo = try folder.photo([1, 2, 3], mediaType: "image/jpeg", at: TestClock().now)
        photo.photo.labels = ContentLabels(isSensitive: true)

        let receipt = try await threads.submit(
            .sample(photo, to: account, over: server, text: "Föhn #lake", altText: "A lake"))

        #expect(receipt == Receipt(remoteID: "1234567", url: "https://www.threads.com/@lakes/post/abcdefg"))
        let base = "https://graph.threads.net/v1.0"
        #expect(
            server.sent.map(\.line) == [
                "POST \(base)/me/threads", "GET \(base)/17889615691921648?fields=status,error_message",
                "POST \(base)/me/threads_publish", "GET \(base)/1234567?fields=permalink",
            ])
        let form = try #require(FormFields(server[0].text))
        #expect(form["media_type"] == "IMAGE" && form["alt_text"] == "A lake" && form["text"] == "Föhn #lake")
        #expect(form["image_url"] == "https://pics.test/media/\(photo.code)" && form["is_spoiler_media"] == "true")
        #expect(form["is_carousel_item"] == nil)
        #expect(server[2].text == "creation_id=17889615691921648")
        #expect(server.sent.allSatisfy { $0.fields["Authorization"] == "Bearer token" })
    }

    @Test(arguments: [("500 letters", 500), ("500 kanji", 500), ("125 emoji", 125)])
    func `a text of the greatest length is taken`(words: String, count: Int) async throws {
        let character = words.hasSuffix("kanji") ? "湖" : words.hasSuffix("emoji") ? "🏔" : "a"
        let text = String(repeating: character, count: count)
        #expect(CaptionRule.threads.length(of: text) == 500)
        try await withScene(.threadsAtOnce) { scene in
            _ = try await scene.submit(text)
            #expect(scene.host?.service.effects.map(\.text) == [text])
        }
        try await withScene(.threadsAtOnce) { scene in
            #expect(await meaning { try await scene.submit(text + "a") } == .rejected)
        }
    }

    /// "Insights" and "Reply Management" of the Threads API.
    @Test func `likes, replies, reposts and quotes are counted`() async throws {
        func metric(_ name: String, _ value: Int) -> JSONValue {
            ["name": .string(name), "period": "lifetime", "values": [["value": JSONValue(value)]]]
        }
        let server = Recording(
            .response(
                200, ["data": [metric("likes", 100), metric("replies", 10), metric("reposts", 2), metric("quotes", 1)]]),
            .response(200, ["data": []]), .response(400, ["error": ["code": 100, "error_subcode": 33]]))
        let post = PublishedPost(
            remoteID: "12/3", url: nil, account: account, transport: server, now: TestClock().read)

        #expect(try await threads.engagement(of: post) == Engagement(likes: 100, comments: 10, shares: 3))
        #expect(try await threads.engagement(of: post) == Engagement())
        #expect(await meaning { try await threads.engagement(of: post) } == .gone)
        #expect(
            server[0].line
                == "GET https://graph.threads.net/v1.0/12%2F3/insights?metric=likes,replies,reposts,quotes")
    }

    @Test func `replies of all levels are read, page by page, without those that are hidden`() async throws {
        func reply(_ id: String, to parent: String, _ status: String = "NOT_HUSHED", isOwn: Bool = false) -> JSONValue {
            [
                "id": .string(id), "text": .string("Reply \(id)"), "username": isOwn ? "lakes" : "ann",
                "timestamp": "2024-01-01T18:20:00+0000",
                "permalink": .string("https://www.threads.com/@ann/post/\(id)"),
                "root_post": ["id": "1"], "replied_to": ["id": .string(parent)], "is_reply": true,
                "is_reply_owned_by_me": .bool(isOwn), "hide_status": .string(status),
                "profile_picture_url": "https://threads.test/ann.jpg",
            ]
        }
        let server = Recording(
            .response(
                200,
                [
                    "data": [reply("2", to: "1"), reply("3", to: "1", "HIDDEN"), reply("4", to: "1", "UNHUSHED")],
                    "paging": ["cursors": ["before": "B", "after": "A"], "next": "https://elsewhere.test/steal"],
                ]),
            .response(
                200,
                ["data": [reply("5", to: "2", isOwn: true)], "paging": ["cursors": ["before": "B", "after": "C"]]]))
        let post = PublishedPost(remoteID: "1", url: nil, account: account, transport: server, now: TestClock().read)

        let list = try await threads.responses(to: post, counted: Engagement(comments: 3), known: [])

        #expect(list.complete == [.comment] && list.found.map(\.key) == ["2", "4", "5"])
        #expect(list.found.map(\.parent) == [nil, nil, "2"] && list.found.map(\.isOwn) == [false, false, true])
        let first = try #require(list.found.first)
        #expect(first.author.handle == "ann" && first.author.url == "https://www.threads.com/@ann")
        #expect(first.author.pictureURL == "https://threads.test/ann.jpg" && first.text == "Reply 2")
        #expect(first.saidAt == Date(timeIntervalSince1970: 1_704_133_200))
        // The address of the next page is not followed, its cursor is asked for.
        #expect(server[1].line.hasPrefix("GET https://graph.threads.net/v1.0/1/conversation?"))
        #expect(server[1].line.hasSuffix("&limit=100&after=A"))
    }

    @Test func `no program reposts or likes`() async throws {
        for kind in [Interaction.Kind.favourite, .repost] {
            let task = InteractionTask(
                outboundKey: "1", kind: kind, isWanted: true, targetID: nil, targetKey: "2", postID: "1", handle: nil,
                text: "", remoteID: nil, mayHaveLeft: false, createdAt: Date(), account: account,
                transport: Recording(), arm: {}, now: { Date() })
            #expect(await meaning { try await threads.perform(task) } == .rejected)
        }
        #expect(threads.interactions([:]) == [.reply])
    }
}
