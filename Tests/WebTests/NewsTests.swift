import Crypto
import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import Testing

/// Services that tell Pics itself that somebody has responded to a post.
@Suite(.timeLimit(.minutes(5)))
struct NewsTests {
    private static let base = "https://pics.test"

    /// Asks for the path of an address that was told to a service.
    private func post(
        _ pics: InProcessPics, _ address: String, _ body: [UInt8] = [], _ fields: HTTPFields = [:]
    ) async throws -> IncomingResponse {
        try await pics.send(
            OutgoingRequest(
                method: .post, url: address.replacing(Self.base, with: pics.base), fields: fields, body: .bytes(body),
                addressPolicy: .any))
    }

    /// Reached by https, with a post that is still read back.
    private func stand(_ pics: InProcessPics, at base: String = base) async throws {
        pics.stand(at: base)
        try await pics.change("UPDATE submissions SET count_at = now() + interval '1 h'")
    }

    /// As if the account had been asked a while ago, and was to be asked again in an hour.
    private func passTime(_ pics: InProcessPics) async throws {
        try await pics.change(
            "UPDATE lanes SET news_at = now() + interval '1 h', news_read_at = now() - interval '1 h', likes_at = '-infinity'"
        )
        try await pics.change("UPDATE submissions SET count_at = now() + interval '1 h'")
    }

    @Test func `a push from the account's server has the answers read at once`() async throws {
        try await withTalk { talk in
            let pics = talk.pics
            try await stand(pics)
            #expect(try await pics.subscribeToNews() == 1)
            #expect(try await pics.subscribeToNews() == 0, "once a day")
            let address = try #require(talk.service.pushEndpoint)
            #expect(address.hasPrefix("\(Self.base)/news/"))
            #expect(try await pics.readNews() >= 0)

            talk.said.say("Lovely", by: "ann", to: talk.post)
            try await passTime(pics)
            #expect(try await pics.readNews() == 0)
            #expect(try await talk.responses().isEmpty)
            #expect(try await post(pics, address, Array("sealed".utf8)).status == .created)
            #expect(try await pics.readNews() == 1)
            #expect(try await talk.responses().count == 1)
        }
    }

    @Test func `an address with another code, and another account's, tell nothing`() async throws {
        try await withTalk { talk in
            let pics = talk.pics
            try await stand(pics)
            _ = try await pics.subscribeToNews()
            let address = try #require(talk.service.pushEndpoint)
            let parts = address.split(separator: "/").map(String.init)
            let (account, code) = (parts[parts.count - 2], parts[parts.count - 1])
            try await passTime(pics)
            talk.said.say("Lovely", by: "ann", to: talk.post)
            for forged in ["", "x", String(code.dropLast()), String(code.reversed())] {
                let url = "\(Self.base)/news/\(account)/\(forged)"
                #expect(try await post(pics, url).status == .notFound)
            }
            #expect(
                try await post(pics, "\(Self.base)/news/01a2176c-af94-76ba-be51-36727c7010a7/\(code)").status
                    == .notFound)
            #expect(try await pics.readNews() == 0)
        }
    }

    @Test func `a token without the right is asked for again in a week, and its posts are read by the clock`()
        async throws
    {
        try await withTalk { (talk: Talk) async throws -> Void in
            talk.host.fail("POST /api/v1/push/subscription", .status(403))
            try await stand(talk.pics)
            #expect(try await talk.pics.subscribeToNews() == 1)
            #expect(
                try await talk.pics.change(
                    "UPDATE lanes SET paused = false WHERE subscribe_at > now() + interval '6 days' AND subscribed_until <= now()"
                )
                    == 1)
            talk.said.say("Lovely", by: "ann", to: talk.post)
            #expect(try await talk.pics.readResponses() == 1)
            #expect(try await talk.responses().count == 1)

            // Connected again, with the right.
            let again = try await talk.pics.ask(
                .post, "/v1/connections",
                json: [
                    "service": "mastodon",
                    "fields": ["base_url": .string(talk.url), "access_token": "mastodon-token"],
                ])
            #expect(again.status == .created || again.status == .ok)
            #expect(try await talk.pics.subscribeToNews() == 1)
            #expect(talk.service.pushEndpoint != nil)
        }
    }

    @Test func `nobody is asked to tell a Pics that they cannot reach by https`() async throws {
        try await withTalk { (talk: Talk) async throws -> Void in
            try await stand(talk.pics, at: "http://pics.test")
            #expect(try await talk.pics.subscribeToNews() == 0)
            #expect(talk.service.pushEndpoint == nil)
        }
    }

    // MARK: Messages that a service signs

    @Test func `Facebook's messages count when the application's secret has signed them`() async throws {
        let service = FakeFacebook()
        let server = try await FakeServer(FakeHost(service), on: try EventLoop(name: "fakes"))
        let keys = [
            "PICS_FACEBOOK_CLIENT_ID": "client-id", "PICS_FACEBOOK_CLIENT_SECRET": "client-secret",
            "PICS_FACEBOOK_BASE_URL": server.url,
        ]
        do {
            try await withInProcessPics(settings: keys) { pics in
                try await pics.standAtFacebook(server.url)
                let post = try #require(service.effects.last?.id)
                try await stand(pics)
                #expect(try await pics.subscribeToNews() == 1)
                let address = try #require(service.callback)
                #expect(address == "\(Self.base)/news/facebook")
                #expect(service.subscribedPages == ["104729384756102"])

                // The check of the address.
                let token = try #require(service.verifyToken)
                func check(_ token: String) async throws -> IncomingResponse {
                    try await pics.send(
                        .get, "/news/facebook?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=\(token)",
                        isAnonymous: true)
                }
                #expect(try await check(token).text == "1158201444")
                #expect(try await check("x\(token)").status == .notFound)

                service.conversation.say("Lovely", by: "ann", to: post)
                try await passTime(pics)
                let message: JSONValue = [
                    "object": "page",
                    "entry": [
                        [
                            "id": "104729384756102", "time": 1_790_000_000,
                            "changes": [
                                [
                                    "field": "feed",
                                    "value": ["item": "comment", "verb": "add", "post_id": .string(post)],
                                ]
                            ],
                        ]
                    ],
                ]
                let body = message.serialized
                func signature(_ secret: String) -> HTTPFields {
                    ["X-Hub-Signature-256": "sha256=\(Hex.encode(HMAC.sha256(body, key: secret.utf8)))"]
                }
                #expect(try await self.post(pics, address, body).status == .forbidden)
                #expect(try await self.post(pics, address, body, signature("another")).status == .forbidden)
                #expect(
                    try await self.post(pics, address, body + [32], signature("client-secret")).status == .forbidden)
                #expect(try await pics.readNews() == 0)
                #expect(try await self.post(pics, address, body, signature("client-secret")).status == .noContent)
                #expect(try await pics.readNews() == 1)
                let found = try await pics.json("/v1/responses")["items"]?.array ?? []
                #expect(found.compactMap { $0["text"]?.string } == ["Lovely"])
            }
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    @Test func `an account's own server is never told the secret of the operator's application`() async throws {
        let service = FakeFacebook()
        let host = FakeHost(service)
        let server = try await FakeServer(host, on: try EventLoop(name: "fakes"))
        let keys = ["PICS_FACEBOOK_CLIENT_ID": "client-id", "PICS_FACEBOOK_CLIENT_SECRET": "client-secret"]
        do {
            try await withInProcessPics(settings: keys) { (pics: InProcessPics) async throws -> Void in
                try await pics.standAtFacebook(server.url)
                try await stand(pics)
                #expect(try await pics.subscribeToNews() == 1)
                #expect(service.callback == nil)
                #expect(
                    !host.requests.contains { $0.request.fields["Authorization"]?.contains("client-secret") == true })
            }
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    @Test(arguments: ["/news/mastodon", "/news/nothing"])
    func `a service that signs nothing has no address`(path: String) async throws {
        try await withInProcessPics { (pics: InProcessPics) async throws -> Void in
            #expect(try await post(pics, "\(Self.base)\(path)").status == .forbidden)
            #expect(try await pics.send(.get, path, isAnonymous: true).status == .notFound)
        }
    }
}

extension InProcessPics {
    /// A photo that stands on a page at Facebook.
    fileprivate func standAtFacebook(_ url: String) async throws {
        let code = try await photo("A boat")
        let connected = try await ask(
            .post, "/v1/connections",
            json: [
                "service": "facebook",
                "fields": ["base_url": .string(url), "page": "104729384756102", "access_token": "page-token"],
            ])
        #expect(connected.status == .created)
        let made = try await send(
            OutgoingRequest(
                method: .post, url: "\(url)/v26.0/104729384756102/feed",
                fields: ["Authorization": "Bearer page-token", "Content-Type": "application/json"],
                body: .bytes(Array(#"{"message":"A boat"}"#.utf8)), addressPolicy: .any))
        let post = try #require(try JSONValue(parsing: made.body)["id"]?.string)
        try await change(
            """
            INSERT INTO submissions (id, photo_id, connection_id, state, text, is_cut, length, remote_id, remote_url)
            SELECT gen_random_uuid(), l.photo_id, c.id, 'done', 'A boat', false, 6, '\(post)', 'https://facebook.test/1'
              FROM short_links l, connections c WHERE l.code = '\(code)' AND c.service = 'facebook'
            """)
    }
}
