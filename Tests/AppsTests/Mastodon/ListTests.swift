import Foundation
import HTTP
import TestPics
import Testing

/// Lists, identifiers and errors as apps for Mastodon read them.
@Suite(.timeLimit(.minutes(5)))
struct ListTests {
    @Test func `identifiers are decimal, of 63 bits, and grow`() async throws {
        try await withMastodonApp { app in
            var last: Int64 = 0
            for index in 0..<4 {
                let post = try await app.post("\(index)")
                #expect(post.id.allSatisfy(\.isNumber) && post.number > last)
                last = post.number
            }
            let me = try await app.ask(.get, "/api/v1/accounts/verify_credentials").json
            #expect(me.number > 0 && me.number < last)
        }
    }

    @Test func `a timeline is read down and up without a gap or a double`() async throws {
        try await withMastodonApp { app in
            var ids: [String] = []
            for index in 0..<7 { ids.append(try await app.post("\(index)").id) }
            ids.reverse()

            var seen: [String] = []
            var path: String? = "/api/v1/timelines/home?limit=3"
            while let next = path, seen.count < 20 {
                let (_, json, fields) = try await app.ask(.get, next)
                seen += json.array?.map(\.id) ?? []
                let link = fields["Link"] ?? ""
                // toot reads a field that begins with the next page alone, and Ice Cubes a number in it.
                path = link.firstMatch(of: /^<([^>]*max_id=[0-9]+[^>]*)>; rel="next"/).map {
                    String($0.1).replacing(app.pics.base, with: "")
                }
            }
            #expect(seen == ids)

            var upwards: [String] = []
            var last = ids[6]
            while upwards.count < 20 {
                let page = try await app.ask(.get, "/api/v1/timelines/home?limit=2&min_id=\(last)").json.array ?? []
                if page.isEmpty { break }
                upwards = page.map(\.id) + upwards
                last = page[0].id
            }
            #expect(upwards == Array(ids.prefix(6)))
            let newest = try await app.ask(.get, "/api/v1/timelines/home?limit=2&since_id=\(ids[6])").json
            #expect(newest.array?.map(\.id) == Array(ids.prefix(2)))
            #expect(try await app.ask(.get, "/api/v1/timelines/home?min_id=\(ids[0])").fields["Link"] == nil)
        }
    }

    @Test func `an app that asks again and again sees each like and bookmark at once, and is shut out at once`()
        async throws
    {
        try await withMastodonApp { app in
            let id = try await app.post("A boat").id
            for round in 0..<20 {
                let isLiked = round % 2 == 0
                _ = try await app.ask(.post, "/api/v1/statuses/\(id)/\(isLiked ? "favourite" : "unfavourite")")
                _ = try await app.ask(.post, "/api/v1/statuses/\(id)/\(isLiked ? "bookmark" : "unbookmark")")
                for _ in 0..<4 {
                    let status = try await app.ask(.get, "/api/v1/statuses/\(id)").json
                    let home = try await app.ask(.get, "/api/v1/timelines/home").json.array?.first
                    for seen in [status, home] {
                        #expect(seen?["favourited"] == .bool(isLiked) && seen?["bookmarked"] == .bool(isLiked))
                    }
                    for list in ["favourites", "bookmarks"] {
                        let found = try await app.ask(.get, "/api/v1/\(list)").json.array
                        #expect(found?.count == (isLiked ? 1 : 0), "\(list) in round \(round)")
                    }
                }
            }
            _ = try await app.pics.change("UPDATE tokens SET revoked_at = now()")
            for path in ["statuses/\(id)", "timelines/home", "favourites", "bookmarks", "notifications"] {
                #expect(try await app.ask(.get, "/api/v1/\(path)").status == 401, "\(path)")
            }
        }
    }

    @Test func `errors have the member that apps show, also where no handler answers`() async throws {
        try await withMastodonApp { app in
            for (method, path, status) in [
                (HTTPMethod.get, "/api/v1/statuses/1", 404), (.get, "/api/v1/statuses/x", 404),
                (.get, "/api/v1/nothing", 404), (.get, "/api/v1/tags/a%20b", 404),
                (.delete, "/api/v1/timelines/home", 405),
                (.get, "/api/v1/timelines/home?max_id=x", 422), (.post, "/api/v1/statuses", 422),
                (.get, "/api/v1/streaming/health", 404), (.get, "/api/v1/push/subscription", 404),
            ] {
                let answer = try await app.ask(method, path)
                #expect(answer.status == status && answer.json["error"]?.string?.isEmpty == false, "\(method) \(path)")
            }
            let stranger = MastodonApp(pics: app.pics, token: "wrong")
            let answer = try await stranger.ask(.get, "/api/v1/timelines/home")
            #expect(answer.status == 401 && answer.json["error"] == "The access token is invalid")
            #expect(answer.fields["WWW-Authenticate"]?.contains("invalid_token") == true)
        }
    }

    @Test func `a slash at the end makes no difference`() async throws {
        try await withMastodonApp { app in
            for path in ["/api/v1/instance/", "/api/v2/instance/", "/api/v1/conversations/"] {
                let status = try await app.ask(.get, path).status
                #expect(status == 200, "\(path)")
            }
        }
    }

    @Test func `limits of requests are told as apps read them`() async throws {
        try await withMastodonApp(settings: ["PICS_TOKEN_RATE": "3"]) { app in
            let first = try await app.ask(.get, "/api/v1/timelines/home")
            #expect(first.fields["X-RateLimit-Limit"] == "3" && first.fields["X-RateLimit-Remaining"] == "2")
            let reset = try #require(first.fields["X-RateLimit-Reset"])
            #expect(Timestamp(reset) != nil)
            for _ in 0..<2 { _ = try await app.ask(.get, "/api/v1/timelines/home") }
            let refused = try await app.ask(.get, "/api/v1/timelines/home")
            #expect(refused.status == 429 && refused.json["error"] == "Too many requests")
            #expect(refused.fields["X-RateLimit-Remaining"] == "0" && refused.fields["Retry-After"] != nil)
        }
    }

    @Test(arguments: [
        ("/api/v1/statuses", "POST"), ("/api/v2/instance", "GET"), ("/oauth/token", "POST"), ("/oauth/revoke", "POST"),
        ("/.well-known/nodeinfo", "GET"), ("/.well-known/oauth-authorization-server", "GET"), ("/api/v1/apps", "POST"),
    ])
    func `pages of other origins may use what apps need`(path: String, method: String) async throws {
        try await withInProcessPics { pics in
            let response = try await pics.send(
                OutgoingRequest(
                    method: .options, url: pics.base + path,
                    fields: [
                        "Origin": "https://app.example", "Access-Control-Request-Method": method,
                        "Access-Control-Request-Headers": "authorization, content-type, idempotency-key",
                    ], addressPolicy: .any))
            #expect(response.status == 204 && response.fields["Access-Control-Allow-Origin"] == "*")
            #expect(response.fields["Access-Control-Allow-Methods"]?.contains(method) == true)
            let page = try await pics.send(
                OutgoingRequest(
                    url: "\(pics.base)/oauth/authorize", fields: ["Origin": "https://app.example"], addressPolicy: .any)
            )
            #expect(page.fields["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test func `a narrow token does what it may and no more`() async throws {
        try await withMastodonApp(scopes: "read:accounts write:media") { app in
            #expect(try await app.ask(.get, "/api/v1/accounts/verify_credentials").status == 200)
            let (status, media) = try await app.upload()
            #expect(status == 200)
            let refused = try await app.ask(.post, "/api/v1/statuses", ["media_ids[]": media.id])
            #expect(refused.status == 403 && refused.json["error"] == "This action is outside the authorized scopes")
            #expect(try await app.ask(.get, "/api/v1/timelines/home").status == 403)
            let me = try await app.ask(.get, "/v1/me").json
            #expect(me["app"]?["name"] == "App" && me["token"]?["scopes"] == ["files:create", "profile"])
        }
    }

    @Test func `the instance says what Pics is, in the members that apps need`() async throws {
        try await withMastodonApp { app in
            let instance = try await app.ask(.get, "/api/v2/instance").json
            #expect(instance["version"]?.string?.hasPrefix("4.2.0 (compatible; Pics ") == true)
            #expect(instance["api_versions"] == nil)
            let media = instance["configuration"]?["media_attachments"]
            #expect(media?["supported_mime_types"]?.array?.contains("image/heic") == true)
            #expect(media?["image_size_limit"]?.int ?? .max <= Int64(Int32.max))
            #expect(instance["configuration"]?["urls"] == [:])
            let first = try await app.ask(.get, "/api/v1/instance").json
            #expect(first["uri"]?.string == instance["domain"]?.string && first["registrations"] == false)
            let links = try await app.ask(.get, "/.well-known/nodeinfo").json["links"]
            let info = try await app.ask(.get, (links?[0]?["href"]?.string ?? "").replacing(app.pics.base, with: ""))
                .json
            #expect(info["software"]?["name"] == "pics")
        }
    }

    @Test func `name, words and links are changed, and the picture is chosen elsewhere`() async throws {
        try await withMastodonApp { app in
            let path = "/api/v1/accounts/update_credentials"
            let changed = try await app.ask(
                .patch, path,
                [
                    "display_name": "Alice", "note": "By the sea", "fields_attributes[0][name]": "Web",
                    "fields_attributes[0][value]": "https://alice.example",
                ]
            ).json
            #expect(changed["display_name"] == "Alice" && changed["source"]?["note"] == "By the sea")
            #expect(changed["fields"]?[0]?["value"]?.string?.contains("https://alice.example") == true)
            #expect(try await app.ask(.patch, path, ["display_name": "\u{202E}"]).status == 422)
            #expect(try await app.ask(.patch, path, ["avatar": "x"]).status == 422)
        }
    }

    @Test func `photos are found by words and hashtags`() async throws {
        try await withMastodonApp { app in
            let post = try await app.post("A boat at #sea")
            _ = try await app.post("A hill")
            let found = try await app.ask(.get, "/api/v2/search?q=boat").json
            #expect(found["statuses"]?.array?.map(\.id) == [post.id] && found["hashtags"] == [])
            #expect(try await app.ask(.get, "/api/v2/search?q=admin").json["accounts"]?.array?.count == 1)
            #expect(try await app.ask(.get, "/api/v1/timelines/tag/sea").json.array?.map(\.id) == [post.id])
            let me = try await app.ask(.get, "/api/v1/accounts/verify_credentials").json.id
            #expect(try await app.ask(.get, "/api/v1/accounts/\(me)/statuses?tagged=sea").json.array?.count == 1)
            #expect(try await app.ask(.get, "/api/v1/accounts/\(me)/statuses").json.array?.count == 2)
            #expect(try await app.ask(.get, "/api/v1/accounts/\(me)/statuses?pinned=true").json == [])
            #expect(try await app.ask(.get, "/api/v1/accounts/lookup?acct=admin").json.id == me)
        }
    }
}
