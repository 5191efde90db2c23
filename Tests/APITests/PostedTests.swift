import Foundation
import HTTP
import TestPics
import Testing

/// Posts that a phone has made itself.
@Suite(.timeLimit(.minutes(5)))
struct PostedTests {
    private let tomorrow = Date().addingTimeInterval(86_400).ISO8601Format()
    private let url = "https://x.com/ann/status/42"

    private func post(_ account: String = "twitter", _ id: String = "42", url: JSONValue? = nil) -> JSONValue {
        ["service": .string(account), "remote_id": .string(id), "url": url ?? .string(self.url)]
    }

    @Test func `a post without its picture is done at once, with short link and cut text, and is never sent`()
        async throws
    {
        try await withInProcessPics { pics in
            try await pics.connectTwitter("ann")
            let caption = String(repeating: "boat ", count: 100)
            let body: JSONValue = ["caption": .string(caption), "posted": [post("twitter:ann")]]

            let created = try await pics.call(.post, "/v1/photos", body, with: ["Idempotency-Key": "\"one\""])

            #expect(created.status == 201)
            let photo = created.json
            let id = photo["id"]?.string ?? ""
            #expect(photo["has_picture"] == false && photo["renditions"] == [] && photo["width"] == .null)
            #expect(photo["state"] == "sent" && photo["likes"]?["count"] == 0 && photo["sha256"] == .null)
            let submissions = photo["submissions"]?.array ?? []
            try #require(submissions.count == 1)
            let submission = submissions[0]
            #expect(submission["state"] == "done" && submission["remote_id"] == "42")
            #expect(submission["remote_url"]?.string == url && submission["cut"] == true && submission["limit"] == 140)
            #expect(submission["text"]?.string?.hasSuffix(photo["short_url"]?.string ?? "none") == true)
            #expect(try await pics.count("jobs") == 0)
            let again = try await pics.call(.post, "/v1/photos", body, with: ["Idempotency-Key": "\"one\""])
            #expect(again.status == 201 && again.json["id"]?.string == id)

            let path = "/v1/submissions/\(submission["id"]?.string ?? "")"
            #expect(try await pics.call(.post, "\(path)/retry").json["state"] == "done")
            #expect(try await pics.call(.post, "\(path)/cancel").json["state"] == "done")
            #expect(try await pics.call(.patch, path, ["scheduled_at": .null]).status == 409)
            let resolved = try await pics.call(.post, "\(path)/resolve", ["published": false])
            #expect(resolved.status == 409)
            #expect(try await pics.count("jobs") == 0)
            #expect(try await pics.count("submissions WHERE count_at IS NOT NULL") == 1)
        }
    }

    @Test func `a photo without a picture is shown by its caption, and is sent nowhere`() async throws {
        try await withInProcessPics { pics in
            try await pics.connectTwitter("ann")
            var browser = try await pics.browser()
            try await pics.openGallery(&browser)
            let photo = try await pics.call(.post, "/v1/photos", ["caption": "Only words", "posted": [post()]]).json
            let (id, code) = (photo["id"]?.string ?? "", photo["code"]?.string ?? "")

            let page = try await browser.open("/\(code)")
            #expect(page.status == 200 && page.text.contains("Only words") && page.text.contains(url))
            #expect(
                !page.text.contains("/m/\(code)/") && !page.text.contains("og:image")
                    && !page.text.contains("cannot be shown"))
            for path in ["/u/admin", "/u/admin/feed.atom", "/u/admin/feed.json", "/", "/u/admin/days/2026"] {
                let text = try await browser.open(path).text
                #expect(!text.contains("/m/\(code)/"), "\(path)")
            }
            #expect(
                try await browser.open("/u/admin").text.contains(
                    "class=\"e-content p-name blank\" dir=\"auto\">Only words</span>"))
            let picture = try await browser.submit(
                ["link": code], to: "/settings/profile/picture", from: "/settings/profile")
            #expect(picture.status == 422)
            #expect(try await pics.json("/oembed?url=\(pics.base)/\(code)")["type"] == "link")
            #expect(try await pics.send(.get, "/m/\(code)/small.jpg").status == .notFound)

            let sent = try await pics.call(.post, "/v1/photos/\(id)/submissions", ["services": ["file"]])
            #expect(sent.status == 422 && sent.json["errors"]?[0]?["pointer"] == "#/services")
            let later = try await pics.call(
                .post, "/v1/photos/\(id)/submissions", ["services": ["file"], "scheduled_at": .string(tomorrow)])
            #expect(later.status == 422)
            let recipe = try await pics.patch(id, ["recipe": ["filter": "sepia"]])
            #expect(recipe.status == 422 && recipe.json["errors"]?[0]?["pointer"] == "#/recipe")
            #expect(try await pics.patch(id, ["caption": "Other words"]).status == 200)
            let along = try await pics.post(CameraPhoto.jpeg(), caption: "", ["with": id, "services": "none"])
            #expect(along.status == .badRequest)
            let lines = try await pics.call(.post, "/v1/photos/interlace", ["sources": [.string(id), "#ff0000"]])
            #expect(lines.status == 400)
            let preview = try await pics.call(.post, "/v1/photos/\(id)/renditions/preview", [:])
            #expect(preview.status == 422)
            for (name, value) in [
                ("services", ["file"]), ("draft", true), ("scheduled_at", .string(tomorrow)), ("with", [.string(id)]),
                ("recipe", ["filter": "sepia"]), ("alt_text", ["a", "b"]),
            ] as [(String, JSONValue)] {
                let refused = try await pics.call(
                    .post, "/v1/photos", .object(["caption": "c", "posted": [post()], name: value]))
                #expect(refused.status == 422, "\(name)")
            }
            #expect(try await pics.call(.post, "/v1/photos", ["caption": "forgotten"]).status == 400)
            #expect(try await pics.count("photos") == 1)
            #expect(try await pics.count("jobs WHERE kind = 'submit'") == 0)
        }
    }

    @Test func `with its bytes a photo is registered for some accounts, and sent to those that are named`() async throws
    {
        try await withInProcessPics { pics in
            try await pics.connectTwitter("ann")
            let text = String(decoding: JSONValue([post()]).serialized, as: UTF8.self)

            let alone = try await pics.posted("a", ["posted": text])
            #expect(alone["submissions"]?.array?.map { $0["service"] } == ["twitter"])
            #expect(alone["has_picture"] == true && alone["state"] == "sent")
            let both = try await pics.posted("b", ["posted": text, "services": "file"])
            let states = both["submissions"]?.array?.map {
                "\($0["service"]?.string ?? "") \($0["state"]?.string ?? "")"
            }
            #expect(states == ["file waiting", "twitter done"])
            let planned = try await pics.posted(
                "c", ["posted": text, "services": "file", "scheduled_at": tomorrow])
            #expect(planned["visibility"] == "public" && planned["publish_at"] == .null)
            #expect(planned["submissions"]?[0]?["scheduled_at"]?.string?.prefix(19) == tomorrow.prefix(19))
            let own = try await pics.posted("d", ["posted": text, "texts[twitter]": "my words"])
            #expect(own["submissions"]?[0]?["text"] == "my words")
            let upload = try await pics.upload(CameraPhoto.jpeg(7))
            let whole = try await pics.call(.post, "/v1/photos", ["upload": .string(upload), "posted": [post()]])
            #expect(whole.status == 201 && whole.json["submissions"]?[0]?["state"] == "done")
        }
    }

    @Test func `what cannot be registered is refused, and leaves nothing`() async throws {
        try await withInProcessPics { pics in
            try await pics.connectTwitter("ann")
            try await pics.connectTwitter("bob")
            try await pics.connect("webdav", "cloud")
            let long = String(repeating: "1", count: 513)
            for (posts, pointer) in [
                ([post("nothing")], "#/posted/0/service"), ([post("twitter")], "#/posted/0/service"),
                ([post("twitter:eve")], "#/posted/0/service"), ([post("file")], "#/posted/0/service"),
                ([post("webdav", "/holidays/")], "#/posted/0/service"),
                ([post("twitter:ann"), post("twitter:ann", "43")], "#/posted/1/service"),
                ([post("twitter:ann", "")], "#/posted/0/remote_id"),
                ([post("twitter:ann", long)], "#/posted/0/remote_id"),
                ([post("twitter:ann", "../..")], "#/posted/0/remote_id"),
                ([post("twitter:ann", "1 2")], "#/posted/0/remote_id"),
                ([post("twitter:ann", url: "javascript:alert(1)")], "#/posted/0/url"),
                ([post("twitter:ann", url: 1)], "#/posted/0/url"),
                (
                    [post("twitter:ann", url: .string("https://x.com/" + String(repeating: "a", count: 2048)))],
                    "#/posted/0/url"
                ),
                (["twitter"], "#/posted/0"), ([["service": "twitter:ann"]], "#/posted/0/remote_id"),
                ([["service": "twitter:ann", "remote_id": "1", "id": "1"]], "#/posted/0/id"),
            ] as [([JSONValue], String)] {
                let refused = try await pics.call(.post, "/v1/photos", ["caption": "a", "posted": JSONValue(posts)])
                #expect(refused.status == 422 && refused.json["errors"]?[0]?["pointer"]?.string == pointer, "\(posts)")
            }
            for fields in [
                [
                    "services": "twitter:ann",
                    "posted": "[\(String(decoding: post("twitter:ann").serialized, as: UTF8.self))]",
                ],
                ["draft": "true", "posted": "[\(String(decoding: post("twitter:ann").serialized, as: UTF8.self))]"],
            ] {
                let refused = try await pics.post(CameraPhoto.jpeg(), caption: "a", fields)
                #expect(refused.status == .unprocessableContent)
            }
            #expect(try await pics.post(CameraPhoto.jpeg(), caption: "a", ["posted": "{"]).status == .badRequest)
            #expect(try await pics.count("photos") == 0)
            #expect(try await pics.count("submissions") == 0)
        }
    }

    @Test func `a phone asks for link and text, posts by itself, and registers the post`() async throws {
        try await withInProcessPics { pics in
            try await pics.connectTwitter("ann")
            let caption = String(repeating: "boat ", count: 100)
            let photo = try await pics.call(.post, "/v1/photos", ["caption": .string(caption), "services": []]).json
            let id = photo["id"]?.string ?? ""
            #expect(photo["state"] == "stored" && photo["submissions"] == [])
            let previews = try await pics.call(
                .post, "/v1/captions/preview",
                ["caption": .string(caption), "services": ["twitter"], "photo": .string(id)])
            let text = previews.json["previews"]?[0]?["text"]?.string ?? ""
            #expect(text.hasSuffix(photo["short_url"]?.string ?? "none"))
            let path = "/v1/photos/\(id)/submissions"

            let registered = try await pics.call(.post, path, ["posted": [post()]])

            #expect(registered.status == 200)
            #expect(
                registered.json["items"]?[0]?["state"] == "done"
                    && registered.json["items"]?[0]?["text"]?.string == text)
            #expect(try await pics.call(.post, path, ["posted": [post()]]).status == 200)
            let other = try await pics.call(.post, path, ["posted": [post("twitter", "43")]])
            #expect(other.status == 409 && other.json["type"] == "/problems/other-post")
            #expect(try await pics.call(.post, path, ["posted": []]).status == 400)
            #expect(try await pics.count("jobs") == 0)
        }
    }

    @Test func `a post takes the place of a submission that has ended without one, and not of one on its way`()
        async throws
    {
        try await withInProcessPics { pics in
            try await pics.connectTwitter("ann")
            let photo = try await pics.posted("a", ["services": "twitter"])
            let path = "/v1/photos/\(photo["id"]?.string ?? "")/submissions"
            #expect(try await pics.call(.post, path, ["posted": [post()]]).status == 409)
            let id = photo["submissions"]?[0]?["id"]?.string ?? ""
            #expect(try await pics.call(.post, "/v1/submissions/\(id)/cancel").json["state"] == "cancelled")

            let registered = try await pics.call(.post, path, ["posted": [post()]])

            #expect(registered.status == 200 && registered.json["items"]?[0]?["id"]?.string == id)
            #expect(registered.json["items"]?[0]?["state"] == "done")
            #expect(try await pics.call(.post, path, ["services": ["twitter"]]).json["items"]?[0]?["state"] == "done")
            #expect(try await pics.count("jobs") == 0)
        }
    }

    @Test func `deleting everywhere takes a registered post back`() async throws {
        try await withInProcessPics { pics in
            try await pics.connectTwitter("ann")
            let photo = try await pics.call(.post, "/v1/photos", ["caption": "a", "posted": [post()]]).json

            let deleted = try await pics.call(.delete, "/v1/photos/\(photo["id"]?.string ?? "")?everywhere=true")

            #expect(deleted.status == 200 && deleted.json["taken_back"]?.array?.count == 1)
            #expect(try await pics.count("jobs WHERE kind = 'delete'") == 1)
        }
    }
}

extension InProcessPics {
    fileprivate func connectTwitter(_ name: String) async throws { try await connect("twitter", name) }

    /// The number of rows of a table, with a condition perhaps.
    fileprivate func count(_ rows: String) async throws -> Int {
        try await change("SELECT FROM \(rows)")
    }

    fileprivate func patch(_ id: String, _ body: JSONValue) async throws -> (status: Int, json: JSONValue) {
        try await call(.patch, "/v1/photos/\(id)", body, with: ["If-Match": "*"])
    }

    fileprivate func upload(_ bytes: [UInt8]) async throws -> String {
        let url = try await beginTus(["Upload-Length": "\(bytes.count)"])
        _ = try await patchTus(url, at: 0, bytes)
        return String(url.split(separator: "/").last ?? "")
    }
}
