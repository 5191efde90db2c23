import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import Testing

/// What those post whom the owner's account at a Mastodon server follows.
@Suite(.timeLimit(.minutes(5)))
struct TimelineTests {
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
}
