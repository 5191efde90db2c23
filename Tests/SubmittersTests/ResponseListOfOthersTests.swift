internal import Domain
internal import Foundation
internal import HTTP
internal import Submitters
internal import TestTools
internal import Testing

/// Answers of Flickr, Facebook, Tumblr and X as their documentation shows them.
struct ResponseListOfOthersTests {
    private func post(_ account: OpenedAccount, _ id: String, over transport: any Transport) -> PublishedPost {
        PublishedPost(remoteID: id, url: nil, account: account, transport: transport, now: { Date() })
    }

    private let counted = Engagement(likes: 2, comments: 2, shares: 2)

    // MARK: Flickr

    private static let flickr = OpenedAccount.sample(
        [
            "consumer_key": "a", "consumer_secret": "b", "access_token": "c", "access_token_secret": "d",
        ], [:])

    @Test func `Flickr lists comments at once, and favourites page by page`() async throws {
        let comment: JSONValue = [
            "id": "6065-109722179-72057594077818641", "author": "35468159852@N01", "authorname": "Rev Dan Catt",
            "realname": "Daniel Catt", "iconserver": "1", "iconfarm": 2, "datecreate": "1141841470",
            "permalink": "https://www.flickr.com/photos/straup/109722179/#comment72057594077818641",
            "_content": "Umm, I'm not sure, can I get back to you on that one? <b>Soon</b>",
        ]
        func people(_ names: [String], page: Int) -> JSONValue {
            [
                "photo": [
                    "person": JSONValue(
                        names.map {
                            [
                                "nsid": .string($0), "username": .string("u\($0)"), "realname": "",
                                "favedate": "1166689690",
                                "iconserver": "0", "iconfarm": 0,
                            ]
                        }), "id": "1", "page": JSONValue(page), "pages": 2, "perpage": "50", "total": "3",
                ], "stat": "ok",
            ]
        }
        let server = Recording(
            .response(200, ["comments": ["photo_id": "1", "comment": [comment]], "stat": "ok"]),
            .response(200, people(["7", "8"], page: 1)), .response(200, people(["9"], page: 2)))

        let list = try await FlickrSubmitter(servers: .publicOnly)
            .responses(to: post(Self.flickr, "1", over: server), counted: counted, known: [])

        #expect(list.complete == [.comment, .like])
        let first = try #require(list.found.first)
        #expect(first.text == "Umm, I'm not sure, can I get back to you on that one? Soon")
        #expect(first.author.name == "Daniel Catt" && first.author.handle == "Rev Dan Catt")
        #expect(
            first.author.pictureURL
                == "https://farm2.staticflickr.com/1/buddyicons/35468159852@N01.jpg".replacing("@", with: "%40"))
        #expect(first.saidAt == Date(timeIntervalSince1970: 1_141_841_470))
        #expect(list.found.dropFirst().map(\.key) == ["like 7", "like 8", "like 9"])
        #expect(server[2].line.contains("page=2"))
    }

    @Test func `a photo without comments at Flickr has a list without the member`() async throws {
        let server = Recording(.response(200, ["comments": ["photo_id": "1"], "stat": "ok"]))
        let list = try await FlickrSubmitter(servers: .publicOnly).responses(
            to: post(Self.flickr, "1", over: server), counted: Engagement(likes: 0, comments: 1), known: [])
        #expect(list == ResponseList(complete: [.comment]))
    }

    // MARK: Facebook

    private static let facebook = OpenedAccount.sample(["access_token": "token"], ["version": "v26.0"])

    @Test func `Facebook lists comments of all levels, with their authors where the app may know them`() async throws {
        let server = Recording(
            .response(
                200,
                [
                    "data": [
                        [
                            "id": "1_2", "message": "Lovely", "created_time": "2026-11-20T10:00:00+0000",
                            "from": [
                                "id": "77", "name": "Ann",
                                "picture": ["data": ["url": "https://scontent.test/ann.jpg"]],
                            ], "permalink_url": "https://www.facebook.com/1/posts/1?comment_id=2",
                        ],
                        ["id": "1_3", "message": "Yes", "parent": ["id": "1_2"], "is_hidden": false],
                        ["id": "1_4", "message": "Spam", "is_hidden": true],
                    ], "paging": ["cursors": ["after": "x"], "next": "https://graph.facebook.com/next"],
                ]),
            .response(200, ["data": [["id": "1_5", "message": "Late"]], "paging": ["cursors": ["after": "y"]]]),
            .response(200, ["data": [["id": "88", "name": "Ben", "type": "LOVE"]]]))

        let list = try await FacebookSubmitter(servers: .publicOnly)
            .responses(to: post(Self.facebook, "1_1", over: server), counted: counted, known: [])

        #expect(list.found.map(\.text) == ["Lovely", "Yes", "Late", ""])
        #expect(
            list.found[0].author.name == "Ann" && list.found[0].author.pictureURL == "https://scontent.test/ann.jpg")
        #expect(list.found[0].saidAt == Timestamp("2026-11-20T10:00:00Z")?.date)
        #expect(list.found[1].parent == "1_2" && list.found[1].author.key == "somebody")
        #expect(list.found[3].key == "like 88")
        #expect(server[0].line.contains("filter=stream") && server[1].line.contains("after=x"))
    }

    // MARK: Tumblr

    private static let tumblr = OpenedAccount.sample(["access_token": "token"], ["blog": "lakes"])

    @Test func `Tumblr's notes are likes, answers and reblogs, from the newest back`() async throws {
        func note(_ type: String, _ name: String, _ more: JSONObject = [:]) -> JSONValue {
            var note: JSONObject = [
                "type": .string(type), "timestamp": 1_401_041_794, "blog_name": .string(name),
                "blog_uuid": .string("t:\(name)"), "blog_url": .string("https://\(name).tumblr.com/"),
            ]
            for member in more { note[member.name] = member.value }
            return .object(note)
        }
        let server = Recording(
            .response(
                200,
                [
                    "meta": ["status": 200, "msg": "OK"],
                    "response": [
                        "notes": [
                            note("like", "ann"), note("reply", "ben", ["reply_text": "Lovely"]),
                            note("reblog", "cat", ["post_id": "99"]),
                        ],
                        "_links": ["next": ["query_params": ["before_timestamp": "1401041794"]]],
                    ],
                ]),
            .response(
                200,
                [
                    "meta": ["status": 200, "msg": "OK"],
                    "response": ["notes": [note("reblog", "dan", ["post_id": "98", "added_text": "Look"])]],
                ]))

        let list = try await TumblrSubmitter(servers: .publicOnly)
            .responses(to: post(Self.tumblr, "1", over: server), counted: counted, known: [])

        #expect(list.found.map(\.kind) == [.like, .comment, .repost, .quote])
        #expect(list.found[1].text == "Lovely" && list.found[1].key == "reply t:ben 1401041794")
        #expect(list.found[2].url == "https://cat.tumblr.com/post/99" && list.found[3].text == "Look")
        #expect(list.complete == [.like, .comment, .repost, .quote])
        #expect(server[1].line.contains("before_timestamp=1401041794"))
    }

    // MARK: X

    private static let twitter = OpenedAccount.sample(["access_token": "token", "refresh_token": "r"], [:])

    @Test func `X lists a conversation of seven days, which proves nothing gone, and people`() async throws {
        func users(_ names: [String]) -> JSONValue {
            JSONValue(
                names.map {
                    ["id": .string("id-\($0)"), "username": .string($0), "name": .string($0.capitalized)] as JSONValue
                })
        }
        let server = Recording(
            .response(
                200,
                [
                    "data": [
                        [
                            "id": "11", "text": "Lovely", "author_id": "id-ann",
                            "created_at": "2026-11-20T10:00:00.000Z",
                            "referenced_tweets": [["type": "replied_to", "id": "1"]],
                        ],
                        [
                            "id": "12", "text": "Yes", "author_id": "id-ben",
                            "referenced_tweets": [["type": "replied_to", "id": "11"]],
                        ],
                    ], "includes": ["users": users(["ann", "ben"])], "meta": ["result_count": 2],
                ]),
            .response(200, ["data": users(["cat"]), "meta": ["next_token": "x"]]),
            .response(200, ["data": users(["dan"]), "meta": ["result_count": 1]]),
            .response(200, ["meta": ["result_count": 0]]))
        let submitter = TwitterSubmitter(servers: .publicOnly)

        let list = try await submitter.responses(
            to: post(Self.twitter, "1", over: server), counted: counted, known: [])

        #expect(list.found.map(\.key) == ["11", "12", "like id-cat", "repost id-dan"])
        #expect(list.found[1].parent == "11" && list.found[0].parent == nil)
        #expect(list.found[0].author.handle == "@ann")
        #expect(list.complete == [.repost, .quote])
        #expect(submitter.countPrice > 0 && submitter.responsePrice > 0)
        #expect(server[0].line.contains("conversation_id%3A1"))
    }
}
