import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import Testing

/// What comes back from a Mastodon server, what its owner does with it, and what their account follows.
@Suite(.timeLimit(.minutes(5)))
struct ConversationTests {
    /// A photo that stands at a Mastodon server, and everything around it.
    struct Talk: Sendable {
        let pics: InProcessPics
        let service: FakeMastodon
        let host: FakeHost
        /// Of the photo.
        let code: String
        /// The status there.
        let post: String

        var said: FakeConversation { service.conversation }

        func page(_ path: String? = nil) async throws -> String {
            var browser = try await pics.browser()
            return try await browser.open(path ?? "/\(code)").text
        }

        func stranger(_ path: String? = nil) async throws -> String {
            try await pics.send(.get, path ?? "/\(code)", accept: "text/html", isAnonymous: true).text
        }

        func responses() async throws -> [JSONValue] { try await pics.json("/v1/responses")["items"]?.array ?? [] }
    }

    private func withTalk(_ body: @escaping @Sendable (Talk) async throws -> Void) async throws {
        let service = FakeMastodon()
        let host = FakeHost(service)
        let server = try await FakeServer(host, on: try EventLoop(name: "fakes"))
        do {
            try await withInProcessPics(settings: ["PICS_WEBHOOK_RATE": "0"]) { pics in
                let code = try await pics.photo("A boat")
                let connected = try await pics.ask(
                    .post, "/v1/connections",
                    json: [
                        "service": "mastodon",
                        "fields": ["base_url": .string(server.url), "access_token": "mastodon-token"],
                    ])
                #expect(connected.status == .created)
                service.postOthers(1)
                let post = try #require(service.effects.last?.id)
                try await pics.change(
                    """
                    INSERT INTO submissions (id, photo_id, connection_id, state, text, is_cut, length, remote_id, remote_url)
                    SELECT gen_random_uuid(), l.photo_id, c.id, 'done', 'A boat', false, 6, '\(post)', 'https://far.test/\(post)'
                      FROM short_links l, connections c WHERE l.code = '\(code)' AND c.service = 'mastodon'
                    """)
                try await body(Talk(pics: pics, service: service, host: host, code: code, post: post))
            }
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    // MARK: Answers

    @Test func `a reply is answered from the page, once, and the answer is on the photo's page`() async throws {
        try await withTalk { talk in
            talk.said.say("Lovely light", by: "ann", to: talk.post)
            #expect(try await talk.pics.readResponses() == 1)
            let id = try #require(try await talk.responses().first?["id"]?.string)
            var browser = try await talk.pics.browser()
            let activity = try await browser.open("/activity/responses").text
            #expect(
                activity.contains("Lovely light") && activity.contains("Send reply")
                    && activity.contains("class=\"new\""))

            _ = try await browser.submit(
                ["text": "Thank you!"], to: "/activity/responses/\(id)/reply", from: "/activity/responses")
            #expect(try await browser.open("/activity/responses").text.contains("Being sent"))
            try await talk.pics.sendInteractions()
            let sent = try #require(talk.service.effects.last)
            #expect(sent.text == "@ann@far.test Thank you!")

            _ = try await browser.submit(
                ["show": "yes"], to: "/activity/responses", from: "/activity/responses")
            let page = try await talk.page()
            // The answer stands below what it answers, and reading back makes no second.
            #expect(page.contains("Thank you!") && page.contains("u-comment h-cite"))
            _ = try await talk.pics.readResponses()
            #expect(try await talk.responses().count == 2)
            #expect(try await talk.responses().first?["parent"]?.string == id)
            #expect(try await talk.responses().first?["own"]?.bool == true)

            let replies = try await talk.pics.json("/v1/responses")["items"]?[1]?["replies"]?.array
            let reply = try #require(replies?.first?["id"]?.string)
            _ = try await browser.submit([:], to: "/activity/replies/\(reply)/delete", from: "/activity/responses")
            try await talk.pics.sendInteractions()
            #expect(talk.service.effects.count == 1)
            #expect(try await !talk.page().contains("Thank you!"))
        }
    }

    @Test func `a favourite and a repost are there once, and are taken back`() async throws {
        try await withTalk { talk in
            let said = talk.said.say("Lovely", by: "ann", to: talk.post)
            _ = try await talk.pics.readResponses()
            let id = try #require(try await talk.responses().first?["id"]?.string)
            for (name, list) in [
                ("favourite", { @Sendable in talk.said.favourites }), ("repost", { @Sendable in talk.said.reposts }),
            ] {
                for _ in 0..<2 {
                    let asked = try await talk.pics.ask(.put, "/v1/responses/\(id)/\(name)")
                    #expect(asked.status == .ok)
                    try await talk.pics.sendInteractions()
                }
                #expect(list() == [said])
                let done = try await talk.pics.json("/v1/responses")["items"]?[0]
                #expect(done?[name == "favourite" ? "favourited" : "reposted"]?.bool == true)
                _ = try await talk.pics.ask(.delete, "/v1/responses/\(id)/\(name)")
                try await talk.pics.sendInteractions()
                #expect(list().isEmpty)
            }
        }
    }

    @Test func `a reply that is too long for its service, empty, or to nothing is refused, and a key makes one`()
        async throws
    {
        try await withTalk { talk in
            talk.said.say("Lovely", by: "ann", to: talk.post)
            _ = try await talk.pics.readResponses()
            let id = try #require(try await talk.responses().first?["id"]?.string)
            func reply(_ text: String, _ key: String? = nil, to path: String? = nil) async throws -> IncomingResponse {
                var fields: HTTPFields = ["Content-Type": "application/json"]
                if let key { fields.add("Idempotency-Key", "\"\(key)\"") }
                return try await talk.pics.ask(
                    .post, path ?? "/v1/responses/\(id)/reply", fields,
                    (["text": .string(text)] as JSONValue).serialized)
            }
            #expect(try await reply(String(repeating: "long ", count: 120)).status == .unprocessableContent)
            #expect(try await reply("  ").status == .unprocessableContent)
            #expect(try await reply("Hi", to: "/v1/responses/\(UUID())/reply").status == .notFound)
            let other = try await talk.pics.addUser("bob")
            let foreign = try await talk.pics.ask(
                .post, "/v1/responses/\(id)/reply", ["Content-Type": "application/json"],
                Array(#"{"text":"Hi"}"#.utf8), token: other)
            #expect(foreign.status == .notFound)

            let (first, again) = (try await reply("Hi", "k1"), try await reply("Hi", "k1"))
            #expect(first.status == .accepted && again.status == .accepted)
            #expect(try JSONValue(parsing: first.body)["id"] == JSONValue(parsing: again.body)["id"])
            #expect(try await reply("Ho", "k1").status == .unprocessableContent)
            try await talk.pics.sendInteractions()
            #expect(talk.service.effects.count == 2)
        }
    }

    // MARK: Comments

    @Test func `somebody who has signed in comments, others answer, and each deletes their own`() async throws {
        try await withTalk { talk in
            try await talk.pics.letIn("bob")
            var bob = try await talk.pics.browser(of: "bob")
            _ = try await bob.submit(["text": "Nice <b>boat</b>"], to: "/\(talk.code)/comments", from: "/\(talk.code)")
            let shown = try await talk.stranger()
            #expect(shown.contains("Nice &lt;b&gt;boat&lt;/b&gt;") && !shown.contains("/comments"))
            let id = try #require(try await talk.responses().first?["id"]?.string)

            // The owner answers: on the page, as it came from no account.
            let answer = try await talk.pics.ask(
                .post, "/v1/responses/\(id)/reply", json: ["text": "It is my father's"])
            #expect(answer.status == .created)
            let threads = try await talk.stranger()
            let place = try #require(threads.range(of: "Nice &lt;b&gt;"))
            #expect(threads[place.upperBound...].contains("It is my father&#39;s"))
            #expect(talk.service.effects.count == 1, "nothing was sent anywhere")

            // Not another's.
            let own = try #require(try JSONValue(parsing: answer.body)["id"]?.string)
            let refused = try await bob.submit([:], to: "/\(talk.code)/comments/\(own)/delete", from: "/\(talk.code)")
            #expect(refused.status == 404)
            _ = try await bob.submit([:], to: "/\(talk.code)/comments/\(id)/delete", from: "/\(talk.code)")
            #expect(try await !talk.stranger().contains("Nice"))
            #expect(try await talk.stranger().contains("my father"))
        }
    }

    @Test func `nobody comments on a photo that they may not see, and a private photo's responses are its owner's`()
        async throws
    {
        try await withTalk { talk in
            talk.said.say("Secret words", by: "ann", to: talk.post)
            _ = try await talk.pics.readResponses()
            let photo = try await talk.pics.json("/v1/photos")["items"]?[0]?["id"]?.string ?? ""
            let made = try await talk.pics.ask(
                .patch, "/v1/photos/\(photo)", ["If-Match": "*", "Content-Type": "application/merge-patch+json"],
                Array(#"{"visibility":"private"}"#.utf8))
            #expect(made.status == .ok, "\(made.text)")
            let bob = try await talk.pics.addUser("bob")
            let comment = try await talk.pics.ask(
                .post, "/v1/photos/\(photo)/responses", ["Content-Type": "application/json"],
                Array(#"{"text":"Hi"}"#.utf8), token: bob)
            let listed = try await talk.pics.ask(.get, "/v1/photos/\(photo)/responses", token: bob)

            #expect(comment.status == .notFound)
            #expect(listed.status == .notFound)
            #expect(try await !talk.stranger().contains("Secret"))
        }
    }

    // MARK: What is new

    @Test func `likes come together, and what was read is not new any more`() async throws {
        try await withTalk { talk in
            talk.said.like(talk.post, by: (1...8).map { "fan\($0)" })
            talk.said.say("Lovely", by: "ann", to: talk.post)
            _ = try await talk.pics.readResponses()
            var browser = try await talk.pics.browser()
            let page = try await browser.open("/activity/responses").text
            #expect(page.contains("8 likes at Mastodon"))
            #expect(try await browser.open("/activity").text.contains("<small>9</small>"))
            let newest = try #require(try await talk.responses().first)
            #expect(newest["read"]?.bool == false)

            let marked = try await browser.submit(
                ["until": newest["id"]?.string ?? ""], to: "/activity/responses/read", from: "/activity/responses")
            #expect(marked.location == "/activity/responses")
            let after = try await browser.open("/activity/responses").text
            #expect(!after.contains("class=\"new\"") && !after.contains("Mark all as read"))
            #expect(try await talk.responses().first?["read"]?.bool == true)
        }
    }

    // MARK: An app for Mastodon

    @Test func `an app for Mastodon is told what came back, and answers it`() async throws {
        try await withTalk { talk in
            let said = talk.said.say("Lovely light", by: "ann", to: talk.post)
            talk.said.like(talk.post, by: ["fan"])
            talk.said.repost(talk.post, by: ["cat"])
            _ = try await talk.pics.readResponses()
            var browser = try await talk.pics.browser()
            let token = try await talk.pics.letAppIn(&browser).token
            func ask(_ method: HTTPMethod, _ path: String, _ form: FormFields? = nil) async throws -> JSONValue {
                let response = try await talk.pics.ask(
                    method, path, form == nil ? [:] : ["Content-Type": "application/x-www-form-urlencoded"],
                    form.map { Array($0.encoded.utf8) }, token: token)
                #expect(response.status == .ok, "\(path): \(response.text)")
                return try JSONValue(parsing: response.body)
            }

            let notices = try await ask(.get, "/api/v1/notifications").array ?? []
            #expect(Set(notices.compactMap { $0["type"]?.string }) == ["mention", "favourite", "reblog"])
            #expect(try await ask(.get, "/api/v1/notifications/unread_count")["count"]?.int == 3)
            #expect(try await ask(.get, "/api/v1/notifications?types[]=reblog").array?.count == 1)
            let mention = try #require(notices.first { $0["type"]?.string == "mention" })
            let id = try #require(mention["id"]?.string)
            #expect(try await ask(.get, "/api/v1/notifications/\(id)") == mention)
            #expect(mention["account"]?["acct"]?.string == "ann@far.test")
            let status = try #require(mention["status"]?["id"]?.string)
            let photo = try #require(mention["status"]?["in_reply_to_id"]?.string)
            let context = try await ask(.get, "/api/v1/statuses/\(photo)/context")
            #expect(context["descendants"]?[0]?["content"]?.string == "<p>Lovely light</p>")

            let answer = try await ask(
                .post, "/api/v1/statuses", ["status": "Thank you", "in_reply_to_id": status])
            #expect(answer["in_reply_to_id"]?.string == status)
            #expect(try await ask(.post, "/api/v1/statuses/\(status)/favourite")["favourited"]?.bool == true)
            #expect(try await ask(.post, "/api/v1/statuses/\(status)/reblog")["reblogged"]?.bool == true)
            for _ in 0..<3 { try await talk.pics.sendInteractions() }
            #expect(talk.service.effects.last?.text == "@ann@far.test Thank you")
            #expect(talk.said.favourites == [said] && talk.said.reposts == [said])
            _ = try await ask(.delete, "/api/v1/statuses/\(answer["id"]?.string ?? "")")
            try await talk.pics.sendInteractions()
            #expect(talk.service.effects.count == 1)

            // Words below a photo are a comment here.
            let comment = try await ask(.post, "/api/v1/statuses", ["status": "At dawn", "in_reply_to_id": photo])
            #expect(try await talk.page().contains("At dawn"))
            _ = try await ask(.delete, "/api/v1/statuses/\(comment["id"]?.string ?? "")")
            #expect(try await !talk.page().contains("At dawn"))
        }
    }

    @Test func `an app's home timeline is one's photos and what one's accounts follow, by time`() async throws {
        try await withTalk { talk in
            let start = Date().addingTimeInterval(-86_400)
            for number in 0..<50 {
                talk.said.post(
                    "post \(number).", by: "ann", at: start + Double(number), repostedBy: number == 49 ? "ben" : nil)
            }
            var browser = try await talk.pics.browser()
            let token = try await talk.pics.letAppIn(&browser).token
            func home(_ query: String) async throws -> [JSONValue] {
                let response = try await talk.pics.ask(.get, "/api/v1/timelines/home\(query)", token: token)
                return try JSONValue(parsing: response.body).array ?? []
            }
            let first = try await home("?limit=20")
            #expect(first.count == 20)
            #expect(first[0]["content"]?.string == "<p>A boat</p>")
            #expect(first[1]["reblog"]?["content"]?.string == "<p>post 49.</p>")
            #expect(first[1]["account"]?["acct"]?.string == "ben@far.test")
            var (all, last) = (first, first.last?["id"]?.string)
            while let id = last {
                let page = try await home("?limit=20&max_id=\(id)")
                all += page
                last = page.last?["id"]?.string
            }
            #expect(Set(all.compactMap { $0["id"]?.string }).count == 51)
            #expect(all.count == 51)
            let newer = try await home("?limit=5&min_id=\(all[40]["id"]?.string ?? "")")
            #expect(newer.map { $0["id"] } == all[35..<40].map { $0["id"] })
        }
    }

    // MARK: The home timeline

    @Test func `the timeline is read as far as somebody reads, each page once`() async throws {
        try await withTalk { talk in
            let start = Date().addingTimeInterval(-86_400)
            for number in 0..<90 {
                talk.said.post(
                    "post \(number).", by: "ann", at: start + Double(number),
                    picture: number == 89 ? "https://far.test/89.jpg" : nil)
            }
            func pages() -> Int { talk.host.requests.count { $0.route == "GET /api/v1/timelines/home" } }
            let first = try await talk.pics.json("/v1/timeline?limit=20")
            #expect(first["items"]?.array?.first?["text"]?.string == "post 89.")
            #expect(first["items"]?.array?.count == 20)
            #expect(pages() == 1)
            _ = try await talk.pics.json("/v1/timeline?limit=20")
            #expect(pages() == 1, "what is known is not asked for again")

            var (texts, next) = ([String](), String?.some(""))
            while let cursor = next {
                let page = try await talk.pics.json("/v1/timeline?limit=20\(cursor.isEmpty ? "" : "&cursor=\(cursor)")")
                texts += (page["items"]?.array ?? []).compactMap { $0["text"]?.string }
                next = page["next"]?.string
                #expect(texts.count <= 90)
            }
            #expect(texts == (0..<90).reversed().map { "post \($0)." })
            // Three pages, and the empty one that says that there are no more.
            #expect(pages() <= 4)
            let photos = try await talk.pics.json("/v1/timeline?media=photos")
            #expect(photos["items"]?.array?.compactMap { $0["text"]?.string } == ["post 89."])
            let html = try await talk.page("/timeline")
            #expect(html.contains("post 89.") && html.contains("/media/0") && !html.contains("far.test/89.jpg\""))
        }
    }

    @Test func `what came while nobody looked is a gap that is filled when somebody reads as far`() async throws {
        try await withTalk { talk in
            let start = Date().addingTimeInterval(-86_400)
            for number in 0..<10 { talk.said.post("old \(number)", by: "ann", at: start + Double(number)) }
            _ = try await talk.pics.json("/v1/timeline")
            for number in 0..<100 { talk.said.post("new \(number)", by: "ben", at: start + 1000 + Double(number)) }
            try await talk.pics.change("UPDATE timelines SET read_at = '-infinity'")

            // Forty are read, and the service is away for the next page.
            let page = try await talk.pics.json("/v1/timeline?limit=30")
            #expect(page["items"]?.array?.first?["text"]?.string == "new 99")
            talk.host.fail("GET /api/v1/timelines/home", .status(503), .status(503))
            let second = try await talk.pics.json("/v1/timeline?limit=30&cursor=\(page["next"]?.string ?? "")")
            let gap = try #require(second["items"]?.array?.first { $0["type"]?.string == "gap" })
            #expect(gap["problem"]?["code"]?.string == "server_error")
            talk.host.clearFaults()
            try await talk.pics.change("UPDATE timeline_gaps SET due_at = now()")
            let filled = try await talk.pics.ask(.post, "/v1/timeline/gaps/\(gap["id"]?.string ?? "")")
            #expect(filled.status == .noContent)

            var (texts, next) = ([String](), String?.some(""))
            while let cursor = next {
                let page = try await talk.pics.json("/v1/timeline?limit=30\(cursor.isEmpty ? "" : "&cursor=\(cursor)")")
                texts += (page["items"]?.array ?? []).compactMap { $0["text"]?.string }
                next = page["next"]?.string
            }
            #expect(texts == (0..<100).reversed().map { "new \($0)" } + (0..<10).reversed().map { "old \($0)" })
        }
    }

    @Test func `a service that is down leaves a word, and strangers see nothing of a timeline`() async throws {
        try await withTalk { talk in
            talk.host.fail("GET /api/v1/timelines/home", .status(503))
            let page = try await talk.page("/timeline")
            #expect(page.contains("notice failed"))
            #expect(try await talk.pics.send(.get, "/v1/timeline", isAnonymous: true).status == .unauthorized)
            let bob = try await talk.pics.addUser("bob")
            try await talk.pics.change("UPDATE timelines SET read_at = '-infinity'")
            talk.said.post("private life", by: "ann", at: Date())
            _ = try await talk.pics.json("/v1/timeline")
            let others = try await talk.pics.ask(.get, "/v1/timeline", token: bob)
            #expect(!String(decoding: others.body, as: UTF8.self).contains("private life"))
            let id = try #require(try await talk.pics.json("/v1/timeline")["items"]?[0]?["id"]?.string)
            #expect(try await talk.pics.ask(.put, "/v1/timeline/\(id)/favourite", token: bob).status == .notFound)
            #expect(try await talk.pics.ask(.put, "/v1/timeline/\(id)/favourite").status == .ok)
            try await talk.pics.sendInteractions()
            #expect(talk.said.favourites.count == 1)
        }
    }
}
