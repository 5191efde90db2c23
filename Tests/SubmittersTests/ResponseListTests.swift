internal import Domain
internal import Foundation
internal import HTTP
internal import Submitters
internal import TestTools
internal import Testing

/// Answers as the documentation of the services shows them.
struct ResponseListTests {
    private func post(_ account: OpenedAccount, _ id: String, over transport: any Transport) -> PublishedPost {
        PublishedPost(remoteID: id, url: nil, account: account, transport: transport, now: { Date() })
    }

    // MARK: Mastodon

    private static func mastodon(_ software: String = "mastodon") -> OpenedAccount {
        .sample(
            ["access_token": "token"],
            [
                "base_url": "https://social.test", "account_id": "17", "software": .string(software),
                "max_characters": 500, "characters_reserved_per_url": 23, "description_limit": 1500,
            ])
    }

    private static func person(_ acct: String, _ name: String = "") -> JSONValue {
        let user = String(acct.prefix { $0 != "@" })
        return [
            "id": "1", "username": .string(user), "acct": .string(acct), "display_name": .string(name),
            "url": .string("https://\(acct.split(separator: "@").dropFirst().first ?? "social.test")/@\(user)"),
            "avatar": "https://files.test/a.gif", "avatar_static": "https://files.test/a.png",
        ]
    }

    private static func status(
        _ id: String, to parent: String, by acct: String, _ html: String, visibility: String = "public",
        warning: String = "", edited: String? = nil
    ) -> JSONValue {
        [
            "id": .string(id), "uri": .string("https://social.test/statuses/\(id)"),
            "url": .string("https://social.test/@x/\(id)"), "in_reply_to_id": .string(parent),
            "created_at": "2026-11-20T10:00:00.000Z", "edited_at": JSONValue(edited), "content": .string(html),
            "visibility": .string(visibility), "spoiler_text": .string(warning), "account": person(acct, "Ann"),
        ]
    }

    @Test func `Mastodon lists replies as a tree, and people page by page`() async throws {
        let pages = """
            <https://social.test/api/v1/statuses/33/favourited_by?limit=80&max_id=7>; rel="next", \
            <https://social.test/api/v1/statuses/33/favourited_by?limit=80&since_id=9>; rel="prev"
            """
        let server = Recording(
            .response(
                200,
                [
                    "ancestors": [],
                    "descendants": [
                        Self.status(
                            "40", to: "33", by: "ann@far.test", "<p>Lovely <a href=\"https://far.test/x\">light</a></p>"
                        ),
                        Self.status(
                            "41", to: "40", by: "alice", "<p>Thanks</p>", warning: "mill",
                            edited: "2026-11-21T10:00:00Z"),
                        Self.status("42", to: "33", by: "ann@far.test", "<p>For you alone</p>", visibility: "direct"),
                        Self.status("43", to: "33", by: "ann@far.test", "<p>For some</p>", visibility: "private"),
                    ],
                ]), .response(200, [Self.person("ben", "Ben")], fields: ["Link": pages]),
            .response(200, [Self.person("cleo@far.test")]), .response(200, [Self.person("dan", "Dan")]),
            .response(404, ["error": "Not found"]))

        let list = try await MastodonSubmitter(servers: .publicOnly).responses(
            to: post(Self.mastodon(), "33", over: server), counted: Engagement(likes: 2, comments: 2, shares: 1),
            known: [])

        #expect(
            server.sent.map(\.line) == [
                "GET https://social.test/api/v1/statuses/33/context",
                "GET https://social.test/api/v1/statuses/33/favourited_by?limit=80",
                "GET https://social.test/api/v1/statuses/33/favourited_by?limit=80&max_id=7",
                "GET https://social.test/api/v1/statuses/33/reblogged_by?limit=80",
                "GET https://social.test/api/v1/statuses/33/quotes?limit=80",
            ])
        // One older than 4.5 has no quotes.
        #expect(list.complete == [.comment, .like, .repost, .quote])
        #expect(list.found.map(\.kind) == [.comment, .comment, .like, .like, .repost])
        let (reply, answer) = (list.found[0], list.found[1])
        #expect(reply.text == "Lovely light (https://far.test/x)" && reply.parent == nil)
        #expect(reply.key == "https://social.test/statuses/40" && reply.url == "https://social.test/@x/40")
        #expect(
            reply.author
                == FoundAuthor(
                    key: "https://far.test/@ann", name: "Ann", handle: "@ann@far.test", url: "https://far.test/@ann",
                    pictureURL: "https://files.test/a.png"))
        #expect(answer.parent == reply.key && answer.text == "mill\n\nThanks" && answer.editedAt != nil)
        #expect(answer.author.handle == "@alice@social.test")
        #expect(list.found[3].author.name == "cleo" && list.found[3].key == "like https://far.test/@cleo")
    }

    @Test func `lists of what is not there are not asked for, unless something of it was`() async throws {
        let server = Recording(.response(200, []))
        let list = try await MastodonSubmitter(servers: .publicOnly).responses(
            to: post(Self.mastodon(), "33", over: server), counted: Engagement(likes: 0, comments: 0, shares: 0),
            known: [.like])
        #expect(server.sent.map(\.line) == ["GET https://social.test/api/v1/statuses/33/favourited_by?limit=80"])
        #expect(list == ResponseList(complete: [.like]))
    }

    @Test func `Pixelfed's replies prove nothing of those that are not among them`() async throws {
        let server = Recording(.response(200, ["descendants": []]))
        let list = try await MastodonSubmitter(servers: .publicOnly).responses(
            to: post(Self.mastodon("pixelfed"), "33", over: server),
            counted: Engagement(likes: 0, comments: 30, shares: 0),
            known: [])
        #expect(list == ResponseList())
    }

    // MARK: Bluesky

    private static let bluesky = OpenedAccount.sample(
        ["access_token": "token", "refresh_token": "token"], ["base_url": "https://pds.test"])

    private static func actor(_ name: String, labels: [String] = []) -> JSONValue {
        [
            "did": .string("did:plc:\(name)"), "handle": .string("\(name).test"),
            "displayName": .string(name.capitalized),
            "avatar": .string("https://cdn.test/\(name)"), "labels": JSONValue(labels.map { ["val": .string($0)] }),
        ]
    }

    private static func view(_ key: String, by name: String, _ text: String, replies: [JSONValue] = []) -> JSONValue {
        [
            "$type": "app.bsky.feed.defs#threadViewPost",
            "post": post(key, by: name, text), "replies": JSONValue(replies),
        ]
    }

    private static func post(_ key: String, by name: String, _ text: String) -> JSONValue {
        [
            "uri": .string("at://did:plc:\(name)/app.bsky.feed.post/\(key)"), "cid": "b", "author": actor(name),
            "record": ["text": .string(text), "createdAt": "2026-11-20T10:00:00.000Z"],
            "indexedAt": "2026-11-20T11:00:00.000Z",
            "replyCount": 0,
        ]
    }

    @Test func `Bluesky lists a thread with its gaps, and people page by page`() async throws {
        let server = Recording(
            .response(
                200,
                [
                    "thread": [
                        "post": Self.post("0", by: "alice", "photo"),
                        "replies": [
                            Self.view("1", by: "ann", "Lovely", replies: [Self.view("2", by: "ben", "Yes")]),
                            ["$type": "app.bsky.feed.defs#notFoundPost", "uri": "at://x", "notFound": true],
                            ["$type": "app.bsky.feed.defs#blockedPost", "uri": "at://y", "blocked": true],
                        ],
                    ]
                ]),
            .response(
                200,
                [
                    "uri": "at://z", "cursor": "c",
                    "likes": [
                        ["actor": Self.actor("cleo"), "createdAt": "2026-11-20T12:00:00.000Z"],
                        ["actor": Self.actor("shy", labels: ["!no-unauthenticated"])],
                    ],
                ]), .response(200, ["likes": [["actor": Self.actor("dan")]]]),
            .response(200, ["repostedBy": [Self.actor("eve")]]),
            .response(200, ["posts": [Self.post("9", by: "fay", "Look")]]))

        let list = try await BlueskySubmitter(servers: .publicOnly).responses(
            to: post(Self.bluesky, "at://z", over: server), counted: Engagement(likes: 3, comments: 2, shares: 2),
            known: [])

        #expect(list.complete == [.comment, .like, .repost, .quote])
        #expect(list.found.map(\.kind) == [.comment, .comment, .like, .like, .repost, .quote])
        #expect(list.found.map(\.author.name) == ["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay"])
        #expect(list.found[1].parent == list.found[0].key && list.found[0].parent == nil)
        #expect(list.found[0].url == "https://bsky.app/profile/did:plc:ann/post/1")
        #expect(list.found[0].saidAt == Timestamp("2026-11-20T10:00:00Z")?.date)
        #expect(list.found[2].key == "like did:plc:cleo" && list.found[2].saidAt != nil)
        #expect(server[2].line.contains("cursor=c"))
    }

    @Test func `a Bluesky post that is gone is told so`() async throws {
        let server = Recording(.response(400, ["error": "NotFound", "message": "Post not found"]))
        let problem = await meaning {
            try await BlueskySubmitter(servers: .publicOnly).responses(
                to: post(Self.bluesky, "at://z", over: server), counted: Engagement(comments: 1), known: [])
        }
        #expect(problem == .gone)
    }
}
