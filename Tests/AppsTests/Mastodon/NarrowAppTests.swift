import Foundation
import HTTP
import TestPics
import Testing

/// Apps that may do less than all, and values that are not what they should be.
@Suite(.timeLimit(.minutes(5)))
struct NarrowAppTests {
    /// Runs `body` with an app that may do all, and lets further apps in by their scopes.
    private func withApps(
        _ body: (MastodonApp, _ letIn: (String) async throws -> MastodonApp) async throws -> Void
    ) async throws {
        try await withInProcessPics { pics in
            let whole = try await letIn(pics, "read write follow push")
            try await body(whole) { try await self.letIn(pics, $0) }
        }
    }

    private func letIn(_ pics: InProcessPics, _ scopes: String) async throws -> MastodonApp {
        var browser = try await pics.browser()
        return MastodonApp(pics: pics, token: try await pics.letAppIn(&browser, scopes: scopes).token)
    }

    @Test(arguments: ["push", "profile", "write:media", "write:favourites", "write:statuses"])
    func `an app that may not read photos sees no private one, by no address`(scopes: String) async throws {
        try await withApps { app, letIn in
            let post = try await app.post("Hidden #hidden", ["visibility": "private"])
            let (media, me) = (post["media_attachments"]?[0]?.id ?? "", post["account"]?.id ?? "")
            let narrow = try await letIn(scopes)
            let asked: [(HTTPMethod, String)] = [
                (.get, "/api/v1/statuses/\(post.id)"), (.get, "/api/v1/statuses/\(post.id)/history"),
                (.get, "/api/v1/statuses/\(post.id)/context"), (.get, "/api/v1/statuses/\(post.id)/source"),
                (.post, "/api/v1/statuses/\(post.id)/favourite"), (.post, "/api/v1/statuses/\(post.id)/bookmark"),
                (.get, "/api/v1/accounts/\(me)/statuses"), (.get, "/api/v1/accounts/\(me)/statuses?tagged=hidden"),
                (.get, "/api/v1/media/\(media)"), (.get, "/api/v1/timelines/tag/hidden"),
                (.get, "/api/v2/search?q=hidden"), (.delete, "/api/v1/statuses/\(post.id)"),
            ]
            for (method, path) in asked {
                let answer = try await narrow.ask(method, path)
                #expect([403, 404].contains(answer.status), "\(method) \(path): \(answer.json)")
            }
            let whole = try await app.ask(.get, "/api/v1/statuses/\(post.id)").json
            #expect(whole["favourited"] == false && whole["bookmarked"] == false)
        }
    }

    @Test func `an app that uploads files changes no post`() async throws {
        try await withApps { app, letIn in
            let media = try await app.post("Shown")["media_attachments"]?[0]?.id ?? ""
            let narrow = try await letIn("write:media")
            let answer = try await narrow.ask(.put, "/api/v1/media/\(media)", ["description": "Other", "focus": "1,1"])
            #expect(answer.status == 403)
            let shown = try await app.ask(.get, "/api/v1/media/\(media)").json
            #expect(shown["description"] == .null && shown["meta"]?["focus"]?["x"]?.double == 0)
        }
    }

    @Test(arguments: ["9223372036854775806", "9223372036854775807", "99999999999999999999"])
    func `the greatest identifiers lead to empty lists`(number: String) async throws {
        try await withApps { app, _ in
            let me = try await app.post("Shown")["account"]?.id ?? ""
            for path in [
                "timelines/home", "timelines/public", "favourites", "bookmarks", "notifications",
                "accounts/\(me)/statuses", "scheduled_statuses", "timelines/tag/sea",
            ] {
                for name in ["min_id", "since_id"] {
                    let answer = try await app.ask(.get, "/api/v1/\(path)?\(name)=\(number)")
                    #expect(answer.status == 200 && answer.json == [], "\(path) \(name): \(answer.json)")
                }
                let all = try await app.ask(.get, "/api/v1/\(path)?max_id=\(number)").status
                #expect(all == 200, "\(path)")
            }
            let notice = try await app.ask(.get, "/api/v1/notifications/\(number)").status
            #expect(notice == 404)
        }
    }

    static let notTexts: [JSONValue] = [
        ["visibility": ["private"]], ["visibility": ["value": "private"]],
        ["scheduled_at": ["2030-01-01T00:00:00Z"]], ["spoiler_text": ["x": "y"]],
    ]

    @Test(arguments: notTexts)
    func `what is no text where a text is meant is refused, and nothing is posted`(wrong: JSONValue) async throws {
        try await withApps { app, _ in
            var body: JSONObject = ["status": "x", "media_ids": [.string(try await app.upload().json.id)]]
            for member in wrong.object ?? [:] { body[member.name] = member.value }
            let answer = try await app.ask(.post, "/api/v1/statuses", json: .object(body))
            #expect(answer.status == 422, "\(answer.json)")
            let media = body["media_ids"]?[0]?.string ?? ""
            let form = try await app.ask(
                .post, "/api/v1/statuses", ["status": "x", "media_ids[]": media, "visibility[]": "private"])
            #expect(form.status == 422)
            let photos = try await app.pics.json("/v1/photos")["items"]
            #expect(photos == [])
        }
    }

    @Test func `a file whose description is refused leaves nothing`() async throws {
        try await withApps { app, _ in
            let (status, _) = try await app.upload(["focus": "zz"])
            #expect(status == 422)
            let left = try await app.pics.json("/v1/uploads")["items"]
            #expect(left == [])
            let folder = "\(app.pics.folder)/data/blobs/uploads"
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            let (fine, media) = try await app.upload(["focus": "1e-46,0.00004"])
            #expect(fine == 200 && media["meta"]?["focus"]?["x"]?.double == 0)
        }
    }

    @Test func `a marker of many marks is refused, not a defect`() async throws {
        try await withApps { app, _ in
            let marks = String(repeating: "e\u{301}\u{302}", count: 40)
            let answer = try await app.ask(.post, "/api/v1/markers", json: ["home": ["last_read_id": .string(marks)]])
            #expect(answer.status == 422)
        }
    }

    @Test func `a refused edit changes nothing`() async throws {
        try await withApps { app, _ in
            let post = try await app.post("Before")
            let media = post["media_attachments"]?[0]?.id ?? ""
            let answer = try await app.ask(
                .put, "/api/v1/statuses/\(post.id)",
                json: [
                    "status": "After", "language": "no language",
                    "media_attributes": [["id": .string(media), "description": "Sea"]],
                ])
            #expect(answer.status == 422)
            let shown = try await app.ask(.get, "/api/v1/statuses/\(post.id)").json
            #expect(shown["content"] == "<p>Before</p>" && shown["media_attachments"]?[0]?["description"] == .null)
        }
    }

    @Test func `links to other pages are ASCII, whatever the path`() async throws {
        try await withApps { app, _ in
            _ = try await app.post("#schön")
            let link = try #require(try await app.ask(.get, "/api/v1/timelines/tag/sch%C3%B6n?limit=1").fields["Link"])
            #expect(link.utf8.allSatisfy { (0x20...0x7E).contains($0) } && link.contains("/tag/sch%C3%B6n?"))
        }
    }

    @Test func `an answer stays in proportion to a caption full of hashtags`() async throws {
        try await withApps { app, _ in
            let caption = (0..<3000).map { "#t\($0)" }.joined(separator: " ")
            let post = try await app.post(caption)
            #expect(post["tags"]?.array?.count == 100)
            #expect(post.serialized.count < 4 * caption.utf8.count)
        }
    }
}
