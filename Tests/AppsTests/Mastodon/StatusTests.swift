import Foundation
import HTTP
import TestPics
import Testing

/// Posts of apps for Mastodon.
@Suite(.timeLimit(.minutes(5)))
struct StatusTests {
    @Test func `pictures with their alt texts become one post`() async throws {
        try await withMastodonApp { app in
            let first = try await app.upload(["description": "A red boat", "focus": "0.5,-0.25"]).json
            // Ice Cubes and toot send neither a name with an extension nor a type.
            let second = try await app.upload(filename: "file").json
            #expect(first["type"] == "image" && first["description"] == "A red boat" && first["url"]?.string != nil)
            _ = try await app.ask(.put, "/api/v1/media/\(second.id)", json: ["description": "A blue boat"])

            let (status, post, _) = try await app.ask(
                .post, "/api/v1/statuses",
                json: [
                    "status": "Two boats at #sea\n\nSee https://example.org",
                    "media_ids": [.string(first.id), .string(second.id)],
                    "visibility": "unlisted", "language": "en", "sensitive": true, "spoiler_text": "Boats",
                ])

            try #require(status == 200)
            let media = try #require(post["media_attachments"]?.array)
            #expect(media.map { $0["description"] } == ["A red boat", "A blue boat"])
            #expect(media[0]["meta"]?["focus"] == ["x": 0.5, "y": -0.25])
            #expect(media[0]["meta"]?["original"]?["width"]?.int ?? 0 > 0)
            #expect(post["visibility"] == "unlisted" && post["language"] == "en" && post["spoiler_text"] == "Boats")
            #expect(
                post["content"]?.string
                    == """
                    <p>Two boats at <a href="\(app.pics.base)/u/admin/tags/sea" class="mention hashtag" rel="tag">#<span>sea</span></a></p>\
                    <p>See <a href="https://example.org" rel="nofollow noopener" target="_blank">https://example.org</a></p>
                    """)
            let photo = try #require(try await app.pics.json("/v1/photos")["items"]?.array?.first)
            #expect(photo["caption"]?.string == "Two boats at #sea\n\nSee https://example.org")
            #expect(photo["alt_text"] == "A red boat" && photo["with"]?.array?.count == 1)
            // Its app may go on asking for the file.
            let asked = try await app.ask(.get, "/api/v1/media/\(first.id)")
            #expect(asked.status == 200 && asked.json["url"]?.string?.contains("/m/") == true)
        }
    }

    @Test func `the same key posts once, also when all ask at once`() async throws {
        try await withMastodonApp { app in
            let media = try await app.upload().json.id
            let form: FormFields = ["status": "Once", "media_ids[]": media]
            let ids = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let key = ["Idempotency-Key": "a b/c"] as HTTPFields
                        let (status, json, _) = try await app.ask(.post, "/api/v1/statuses", form, with: key)
                        #expect(status == 200, "\(json)")
                        return json.id
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            let again = try await app.ask(.post, "/api/v1/statuses", form, with: ["Idempotency-Key": "a b/c"])

            #expect(ids.subtracting([""]) == [again.json.id])
            #expect(try await app.pics.json("/v1/photos")["items"]?.array?.count == 1)
        }
    }

    static let refused: [(form: FormFields, word: String)] = [
        (["status": "Words alone"], "Add a photo"),
        (["status": "x", "media_ids[]": "1"], "There is no file"),
        (["status": "x", "media_ids[]": "MEDIA", "in_reply_to_id": "1"], "words alone"),
        (["status": "x", "media_ids[]": "MEDIA", "poll[options][]": "a"], "no polls"),
        (["status": "x", "media_ids[]": "MEDIA", "visibility": "direct"], "no direct messages"),
        (["status": "x", "media_ids[]": "MEDIA", "visibility": "all"], "visibility"),
        (["status": "x", "media_ids[]": "MEDIA", "scheduled_at": "2020-01-01T00:00:00Z"], "five minutes"),
        (["status": "x", "media_ids[]": "MEDIA", "scheduled_at": "soon"], "scheduled_at"),
    ]

    @Test func `what Pics has not is refused with a clear word, and nothing is posted`() async throws {
        try await withMastodonApp { app in
            let media = try await app.upload().json.id
            for (form, word) in Self.refused {
                var sent = FormFields()
                for pair in form.pairs { sent.add(pair.name, pair.value == "MEDIA" ? media : pair.value) }
                let (status, json, _) = try await app.ask(.post, "/api/v1/statuses", sent)
                #expect(status == 422 && json["error"]?.string?.contains(word) == true, "\(form.encoded): \(json)")
            }
            #expect(try await app.pics.json("/v1/photos")["items"] == [])
            let posted = try await app.ask(.post, "/api/v1/statuses", ["status": "x", "media_ids": media])
            #expect(posted.status == 200)
            let twice = try await app.ask(.post, "/api/v1/statuses", ["status": "x", "media_ids": media])
            #expect(twice.status == 422)
        }
    }

    @Test func `a file that is no picture is refused at its upload`() async throws {
        try await withMastodonApp { app in
            let (status, json) = try await app.upload(bytes: Array("no picture".utf8))
            #expect(status == 422 && json["error"]?.string?.hasPrefix("Validation failed") == true)
            #expect(try await app.pics.json("/v1/uploads")["items"] == [])
        }
    }

    @Test func `a full storage is refused with a clear word`() async throws {
        try await withMastodonApp { app in
            let media = try await app.upload().json.id
            try await app.pics.change("UPDATE users SET storage_quota = 1")
            let (status, json, _) = try await app.ask(.post, "/api/v1/statuses", ["status": "x", "media_ids": media])
            let words = "Validation failed: Not enough storage left. Delete photos, or ask an admin for more space."
            #expect(status == 422 && json["error"]?.string?.hasPrefix(words) == true, "\(json)")
        }
    }

    @Test func `captions and alt texts are edited, and the pictures stay`() async throws {
        try await withMastodonApp { app in
            let post = try await app.post("Before")
            let media = post["media_attachments"]?[0]?.id ?? ""
            let (status, edited, _) = try await app.ask(
                .put, "/api/v1/statuses/\(post.id)",
                json: [
                    "status": "After", "spoiler_text": "", "media_ids": [.string(media)],
                    "media_attributes": [["id": .string(media), "description": "Sea"]],
                ])
            #expect(status == 200 && edited["content"] == "<p>After</p>" && edited["edited_at"]?.string != nil)
            #expect(edited["media_attachments"]?[0]?["description"] == "Sea")
            let source = try await app.ask(.get, "/api/v1/statuses/\(post.id)/source").json
            #expect(source["text"] == "After")
            #expect(try await app.ask(.get, "/api/v1/statuses/\(post.id)/history").json.array?.count == 1)
            let other = try await app.upload().json.id
            let changed = try await app.ask(
                .put, "/api/v1/statuses/\(post.id)", ["status": "x", "media_ids[]": other])
            #expect(changed.status == 422)
        }
    }

    @Test func `a deleted post gives its text back and is gone`() async throws {
        try await withMastodonApp { app in
            let post = try await app.post("Gone soon")
            let deleted = try await app.ask(.delete, "/api/v1/statuses/\(post.id)")
            #expect(deleted.status == 200 && deleted.json["text"] == "Gone soon")
            let (status, json, _) = try await app.ask(.get, "/api/v1/statuses/\(post.id)")
            #expect(status == 404 && json["error"] == "Record not found")
        }
    }

    @Test func `likes and bookmarks are told at once, and taken back`() async throws {
        try await withMastodonApp { app in
            let path = "/api/v1/statuses/\(try await app.post("Liked").id)"
            #expect(try await app.ask(.post, "\(path)/favourite").json["favourites_count"] == 1)
            #expect(try await app.ask(.post, "\(path)/favourite").json["favourited"] == true)
            #expect(try await app.ask(.get, "/api/v1/favourites").json.array?.count == 1)
            #expect(try await app.ask(.get, "\(path)/favourited_by").json.array?.count == 1)
            #expect(try await app.ask(.post, "\(path)/unfavourite").json["favourites_count"] == 0)
            #expect(try await app.ask(.post, "\(path)/bookmark").json["bookmarked"] == true)
            #expect(try await app.ask(.get, "/api/v1/bookmarks").json.array?.count == 1)
            #expect(try await app.ask(.post, "\(path)/unbookmark").json["bookmarked"] == false)
            #expect(try await app.ask(.post, "\(path)/reblog").status == 422)
        }
    }

    @Test func `a scheduled post waits, moves, and is deleted`() async throws {
        try await withMastodonApp { app in
            let media = try await app.upload().json.id
            let time = Date().addingTimeInterval(7200)
            let (status, post, _) = try await app.ask(
                .post, "/api/v1/statuses",
                ["status": "Later", "media_ids[]": media, "scheduled_at": Timestamp(time).description])
            #expect(status == 200 && post["scheduled_at"]?.string == Timestamp(time).description)
            #expect(post["params"]?["text"] == "Later" && post["params"]?["visibility"] == "public")
            let list = try await app.ask(.get, "/api/v1/scheduled_statuses").json
            #expect(list.array?.map(\.id) == [post.id])
            #expect(try await app.ask(.get, "/api/v1/timelines/home").json == [])

            let later = Timestamp(time.addingTimeInterval(3600)).description
            let moved = try await app.ask(
                .put, "/api/v1/scheduled_statuses/\(post.id)", ["scheduled_at": later])
            #expect(moved.json["scheduled_at"]?.string == later)
            #expect(try await app.ask(.delete, "/api/v1/scheduled_statuses/\(post.id)").json == [:])
            #expect(try await app.ask(.get, "/api/v1/scheduled_statuses").json == [])
        }
    }

    @Test func `a private post goes to no account, and its pictures are its owner's apps' alone`() async throws {
        try await withMastodonApp { app in
            try await app.pics.connect("mastodon", "alice@social.example")
            let post = try await app.post("Mine", ["visibility": "private"])
            #expect(post["visibility"] == "private")
            let photo = try #require(try await app.pics.json("/v1/photos")["items"]?.array?.first)
            #expect(photo["submissions"]?.array?.contains { $0["service"] == "mastodon" } == false)
            let url = try #require(post["media_attachments"]?[0]?["preview_url"]?.string)
            func status(_ url: String) async throws -> Int {
                try await app.pics.send(OutgoingRequest(url: url, addressPolicy: .any)).status.code
            }
            #expect(try await status(url) == 200)
            #expect(try await status(String(url.prefix { $0 != "?" })) == 404)
            let forged = url.replacing(/access=\d+/, with: "access=99999999999")
            #expect(try await status(forged) == 404)
            let other = try await app.post("Other", ["visibility": "private"])
            let code = other["url"]?.string?.split(separator: "/").last.map(String.init) ?? ""
            let own = post["url"]?.string?.split(separator: "/").last.map(String.init) ?? ""
            #expect(try await status(url.replacing(own, with: code)) == 404)
        }
    }

    @Test func `words at the end of a caption choose accounts`() async throws {
        try await withMastodonApp { app in
            try await app.pics.connect("mastodon", "alice@social.example")
            try await app.pics.connect("bluesky", "alice.example")
            try await app.pics.change(
                "UPDATE connections SET settings = settings || '{\"post_word\": \"family\"}' WHERE service = 'bluesky'")
            try await app.pics.change(
                "UPDATE connections SET settings = settings || '{\"takes_unlisted\": false}' WHERE service = 'mastodon'"
            )
            func accounts(_ caption: String, _ visibility: String) async throws -> (
                caption: String?, services: [String]
            ) {
                let post = try await app.post(caption, ["visibility": visibility])
                let items = try await app.pics.json("/v1/photos?limit=1")["items"]?.array ?? []
                #expect(items.first?["short_url"]?.string == post["url"]?.string)
                let services = items.first?["submissions"]?.array?.compactMap { $0["service"]?.string } ?? []
                return (items.first?["caption"]?.string, services.filter { $0 != "file" }.sorted())
            }
            var sent = try await accounts("Cake +family", "public")
            #expect(sent.caption == "Cake" && sent.services == ["bluesky"])
            sent = try await accounts("1 +1", "public")
            #expect(sent.caption == "1 +1" && sent.services == ["bluesky", "mastodon"])
            sent = try await accounts("Quiet", "unlisted")
            #expect(sent.services == ["bluesky"])
            sent = try await accounts("Secret +family", "private")
            #expect(sent.caption == "Secret" && sent.services == [])
        }
    }

    @Test func `what others have not shown is not there for an app of somebody else`() async throws {
        try await withMastodonApp { app in
            let mine = try await app.post("Mine", ["visibility": "private"])
            let shown = try await app.post("Shown")
            try await app.pics.letIn("bob")
            var browser = try await app.pics.browser(of: "bob")
            let bob = MastodonApp(pics: app.pics, token: try await app.pics.letAppIn(&browser).token)

            for (method, path) in [
                (HTTPMethod.get, ""), (.get, "/context"), (.get, "/history"), (.get, "/source"), (.put, ""),
                (.delete, ""),
                (.post, "/favourite"), (.post, "/bookmark"), (.get, "/favourited_by"),
            ] {
                let answer = try await bob.ask(
                    method, "/api/v1/statuses/\(mine.id)\(path)", method == .put ? ["status": "x"] : FormFields())
                #expect(answer.status == 404, "\(method) \(path)")
            }
            #expect(try await bob.ask(.get, "/api/v1/statuses/\(shown.id)").status == 200)
            #expect(try await bob.ask(.put, "/api/v1/statuses/\(shown.id)", ["status": "x"]).status == 404)
            #expect(try await bob.ask(.delete, "/api/v1/statuses/\(shown.id)").status == 404)
            let media = mine["media_attachments"]?[0]?.id ?? ""
            #expect(try await bob.ask(.get, "/api/v1/media/\(media)").status == 404)
            let upload = try await app.upload().json.id
            #expect(try await bob.ask(.get, "/api/v1/media/\(upload)").status == 404)
            #expect(try await bob.ask(.post, "/api/v1/statuses", ["media_ids[]": upload]).status == 422)
            #expect(try await bob.ask(.get, "/api/v1/timelines/home").json == [])
            _ = try await bob.ask(.post, "/api/v1/statuses/\(shown.id)/favourite")
            let notices = try await app.ask(.get, "/api/v1/notifications").json
            #expect(notices[0]?["type"] == "favourite" && notices[0]?["account"]?["username"] == "bob")
            #expect(notices[0]?["status"]?["id"]?.string == shown.id)
            #expect(try await app.ask(.get, "/api/v1/notifications/\(notices[0]?.id ?? "")").json == notices[0])
            #expect(try await app.ask(.get, "/api/v1/notifications/unread_count").json == ["count": 1])
            _ = try await app.ask(
                .post, "/api/v1/markers", ["notifications[last_read_id]": notices[0]?.id ?? ""])
            #expect(try await app.ask(.get, "/api/v1/notifications/unread_count").json == ["count": 0])
        }
    }
}
