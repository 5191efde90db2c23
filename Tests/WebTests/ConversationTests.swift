import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import Testing

/// What comes back from a Mastodon server, what its owner does with it, and what their account follows.
@Suite(.timeLimit(.minutes(5)))
struct ConversationTests {
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

    @Test func `a comment under a key is made once, also after it was deleted, and goes with who wrote it`()
        async throws
    {
        try await withTalk { talk in
            let bob = try await talk.pics.addUser("bob")
            let photo = try await talk.pics.json("/v1/photos")["items"]?[0]?["id"]?.string ?? ""
            func comment(_ text: String, key: String) async throws -> (status: Int, id: String?) {
                let answer = try await talk.pics.ask(
                    .post, "/v1/photos/\(photo)/responses",
                    ["Content-Type": "application/json", "Idempotency-Key": "\"\(key)\""],
                    (["text": .string(text)] as JSONValue).serialized, token: bob)
                return (answer.status.code, try JSONValue(parsing: answer.body)["id"]?.string)
            }
            let first = try await comment("Nice", key: "k1")
            let again = try await comment("Nice", key: "k1")
            #expect(first.status == 201 && first.id != nil && again == first)
            #expect(try await comment("Nicer", key: "k1").status == 422)
            let deleted = try await talk.pics.ask(.delete, "/v1/responses/\(first.id ?? "")", token: bob)
            #expect(deleted.status == .noContent)
            #expect(try await comment("Nice", key: "k1").status == 410)
            #expect(try await talk.responses().isEmpty)

            _ = try await comment("Still here", key: "k2")
            #expect(try await talk.responses().count == 1)
            try await talk.pics.change("SELECT leave(id) FROM users WHERE name = 'bob'")
            #expect(try await talk.responses().isEmpty)
            #expect(
                try await talk.pics.change(
                    "SELECT FROM responses WHERE text <> '' UNION ALL SELECT FROM response_authors WHERE name <> ''")
                    == 0)
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
            func ask(
                _ method: HTTPMethod, _ path: String, _ form: FormFields? = nil, key: String? = nil
            ) async throws -> JSONValue {
                var fields: HTTPFields = form == nil ? [:] : ["Content-Type": "application/x-www-form-urlencoded"]
                if let key { fields.add("Idempotency-Key", key) }
                let response = try await talk.pics.ask(
                    method, path, fields, form.map { Array($0.encoded.utf8) }, token: token)
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

            let draft: FormFields = ["status": "Thank you", "in_reply_to_id": status]
            let answer = try await ask(.post, "/api/v1/statuses", draft, key: "answer-1")
            #expect(answer["in_reply_to_id"]?.string == status)
            let again = try await ask(.post, "/api/v1/statuses", draft, key: "answer-1")
            #expect(again["id"] == answer["id"])
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
}
