import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// Photos that are stored now and published later.
@Suite(.timeLimit(.minutes(5)))
struct DraftTests {
    private let tomorrow = Date().addingTimeInterval(86_400).ISO8601Format()

    @Test func `a draft, and a photo before its time, are their owner's alone`() async throws {
        try await withInProcessPics { pics in
            try await pics.change("UPDATE users SET has_gallery = true")
            let stranger = try await pics.addUser("bob")
            for (words, fields) in [
                ("sketch", ["draft": "true", "services": "file"]), ("surprise", ["scheduled_at": tomorrow]),
            ] {
                let photo = try await pics.posted(words, fields.merging(["album": words]) { $1 })
                let (id, code) = (photo["id"]?.string ?? "", photo["code"]?.string ?? "")
                #expect(photo["visibility"] == "private" && photo["planned_visibility"] == "public")

                let picture = photo["renditions"]?[0]?["url"]?.string?.dropFirst(pics.base.count) ?? ""
                let pages = [
                    "/\(code)", "/v1/photos/\(id)", "/\(code)/qr.svg", "\(picture)", "/v1/photos/\(id)/likes",
                    "/oembed?url=\(pics.base)/\(code)&format=json",
                ]
                for path in pages { #expect(try await pics.status(.get, path, token: stranger) == 404, "\(path)") }
                for path in pages[..<2] { #expect(try await pics.send(.get, path).status == .ok, "\(path)") }
                for list in ["", "/albums", "/feed.rss", "/feed.atom", "/feed.json"] {
                    let text = String(decoding: try await pics.send(.get, "/u/admin\(list)").body, as: UTF8.self)
                    #expect(!text.contains(code) && !text.contains(words), "\(list)")
                }
                #expect(try await pics.status(.put, "/v1/photos/\(id)/like", token: stranger) == 404)

                #expect(try await pics.call(.post, "/v1/photos/\(id)/publish", token: stranger).status == 404)
                let published = try await pics.call(.post, "/v1/photos/\(id)/publish")
                #expect(published.status == 200 && published.json["visibility"] == "public")
                #expect(published.json["planned_visibility"] == .null && published.json["publish_at"] == .null)
                for path in pages { #expect(try await pics.status(.get, path, token: stranger) == 200, "\(path)") }
                let again = try await pics.call(.post, "/v1/photos/\(id)/publish")
                #expect(again.status == 200 && again.json["published_at"] == published.json["published_at"])
            }
        }
    }

    @Test func `a draft goes nowhere, keeps what was chosen, and goes there when it is published`() async throws {
        try await withInProcessPics { pics in
            let draft = try await pics.posted(
                "for all",
                ["draft": "true", "services": "file", "texts[file]": "for the archive", "visibility": "unlisted"])
            let (id, account) = (draft["id"]?.string ?? "", try await pics.account())
            #expect(draft["state"] == "draft" && draft["submissions"] == [])
            #expect(draft["draft"]?["services"] == ["file"])
            #expect(draft["draft"]?["texts"] == ["file": "for the archive"])
            #expect(try await pics.json("/v1/photos?state=draft")["items"]?[0]?["id"]?.string == id)
            #expect(try await pics.json("/v1/photos?state=scheduled")["items"] == [])
            let sent = try await pics.call(.post, "/v1/photos/\(id)/submissions", ["services": ["file"]])
            #expect(sent.status == 409 && sent.json["type"] == "/problems/draft")

            for (patch, pointer) in [
                (["services": ["nothing"]], "#/services/0"), (["texts": ["nothing": "a"]], "#/texts/nothing"),
                (["scheduled_at": "soon"], "#/scheduled_at"), (["scheduled_at": "2020-01-01T00:00Z"], "#/scheduled_at"),
                (["texts": "a"], "#/texts"),
                (["services": 1], "#/services"),
            ] as [(JSONValue, String)] {
                let answer = try await pics.edit(id, patch)
                #expect(answer.status == 400 && answer.json["errors"]?[0]?["pointer"]?.string == pointer, "\(patch)")
            }
            let kept = try await pics.edit(
                id,
                ["scheduled_at": .string(tomorrow), "texts": [account: "anew"], "visibility": "public", "caption": "b"])
            let choices = kept.json["draft"]
            #expect(choices?["services"] == ["file"] && choices?["scheduled_at"]?.string == tomorrow)
            #expect(choices?["texts"] == .object([account: "anew"]))
            #expect(kept.json["state"] == "draft" && kept.json["planned_visibility"] == "public")

            let published = try await pics.call(.post, "/v1/photos/\(id)/publish").json
            #expect(published["state"] == "scheduled" && published["draft"] == .null)
            #expect(published["publish_at"]?.string?.prefix(19) == tomorrow.prefix(19))
            let submission = published["submissions"]?[0]
            #expect(submission?["own_text"] == "anew" && submission?["text"] == "anew")
            #expect(submission?["scheduled_at"]?.string?.prefix(19) == tomorrow.prefix(19))
            #expect(try await pics.edit(id, ["services": []]).status == 400)
            // What was written for the account stays when the photo's words change.
            let edited = try await pics.edit(id, ["caption": "c"]).json
            #expect(edited["submissions"]?[0]?["text"] == "anew" && edited["caption"] == "c")
        }
    }

    @Test func `a draft whose choice cannot be met any more is not published, and says why`() async throws {
        try await withInProcessPics { pics in
            let draft = try await pics.posted("late", ["draft": "true"])
            try await pics.change(#"UPDATE photos SET draft = '{"scheduled_at": "2020-01-01T00:00Z"}'"#)
            let answer = try await pics.call(.post, "/v1/photos/\(draft["id"]?.string ?? "")/publish")
            #expect(answer.status == 400 && answer.json["errors"]?[0]?["pointer"] == "#/scheduled_at")
        }
    }

    @Test func `labels are kept, changed and taken away, and nonsense is refused`() async throws {
        try await withInProcessPics { pics in
            let photo = try await pics.posted(
                "a", ["content_warning": " spiders ", "language": "pt-BR", "services": "none"])
            let id = photo["id"]?.string ?? ""
            #expect(photo["sensitive"] == true && photo["content_warning"] == "spiders" && photo["language"] == "pt-BR")
            let bare = try await pics.edit(id, ["content_warning": .null, "language": .null, "sensitive": false]).json
            #expect(bare["sensitive"] == false && bare["content_warning"] == .null && bare["language"] == .null)
            #expect(try await pics.edit(id, ["sensitive": true]).json["sensitive"] == true)
            for (name, value) in [
                ("language", "x"), ("language", "en_US"), ("language", "<b>"), ("sensitive", "perhaps"), ("draft", "2"),
                ("content_warning", String(repeating: "a", count: 201)), ("texts[]", "a"), ("texts[nobody]", "a"),
            ] {
                let answer = try await pics.post(CameraPhoto.jpeg(), caption: "a", [name: value, "services": "none"])
                #expect(answer.status == .badRequest, "\(name)=\(value)")
            }
        }
    }
}

extension InProcessPics {
    fileprivate func edit(_ id: String, _ patch: JSONValue) async throws -> (status: Int, json: JSONValue) {
        try await call(.patch, "/v1/photos/\(id)", patch, with: ["If-Match": "*"])
    }

    /// The identifier of the admin's archive.
    fileprivate func account() async throws -> String {
        try await json("/v1/connections")["items"]?[0]?["id"]?.string ?? ""
    }
}
