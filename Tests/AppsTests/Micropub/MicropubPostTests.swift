import Foundation
import HTTP
import TestPics
import Testing

/// What Micropub can say of a photo, and what becomes of it.
@Suite(.timeLimit(.minutes(5)))
struct MicropubPostTests {
    private static let scopes = "read create update delete media"

    @Test(
        arguments: [
            ["content": ["Hello"]], ["content": ["Hello"], "in-reply-to": ["https://example.com/1"], "photo": ["@"]],
            ["like-of": ["https://example.com/1"]], ["repost-of": ["https://example.com/1"], "photo": ["@"]],
            ["bookmark-of": ["https://example.com/1"], "photo": ["@"]],
            ["photo": ["https://example.com/photo.jpg"]], ["photo": ["http://169.254.169.254/latest"]],
            ["photo": ["@", "@"]], ["photo": ["@"], "visibility": ["protected"]],
            ["photo": ["@"], "post-status": ["hidden"]], ["photo": ["@"], "published": ["tomorrow"]],
            ["photo": ["@"], "mp-photo-alt": ["one", "two"]], ["photo": ["@"], "mp-syndicate-to": ["nowhere"]],
            ["photo": [3]], ["photo": ["@"], "audio": ["https://example.com/a.mp3"]],
        ] as [JSONValue])
    func `what cannot be posted is refused, and no photo is stored`(properties: JSONValue) async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            let photo = try await pics.upload(CameraPhoto.jpeg())
            var members = properties.object ?? [:]
            members["photo"] = members["photo"]?.array.map { values in
                JSONValue(values.map { $0 == "@" ? .string(photo) : $0 })
            }
            let answer = try await pics.entry(.object(members), token)
            #expect(answer.status == .badRequest && answer.value["error"] == "invalid_request")
            #expect(answer.value["error_description"]?.string?.isEmpty == false)
            #expect(try await pics.json("/v1/photos")["items"] == [])
        }
    }

    @Test func `title, words, categories, visibility and place become the photo's, and the slug nothing`() async throws
    {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            let place = try await pics.newPost(
                [
                    "name": ["At sea"], "content": ["Wind and #waves"], "category": ["waves", "New York", "sea"],
                    "visibility": ["unlisted"], "location": ["geo:59.3,18.1,10;u=35"], "mp-slug": ["at-sea"],
                    "unheard-of": ["x"],
                ], token)
            let photo = try #require(try await pics.json("/v1/photos")["items"]?[0])
            #expect(photo["caption"] == "At sea\n\nWind and #waves\n\n#NewYork #sea")
            #expect(photo["visibility"] == "unlisted")
            #expect(photo["location"]?["latitude"] == 59.3 && photo["location"]?["longitude"] == 18.1)
            let source = try await pics.source(place, token)
            #expect(source["category"] == ["waves", "NewYork", "sea"])
            #expect(source["content"] == ["At sea\n\nWind and #waves"])
            #expect(source["location"] == nil && source["visibility"] == ["unlisted"])
        }
    }

    @Test func `a draft stays one until an update publishes it`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            let place = try await pics.newPost(["content": ["Soon"], "post-status": ["draft"]], token)
            #expect(try await pics.send(.get, place, isAnonymous: true).status == .notFound)
            #expect(try await pics.source(place, token)["post-status"] == ["draft"])
            let drafts = try await pics.app(.get, "/micropub?q=source&post-status=draft", token: token)
            #expect(drafts.value["items"]?.array?.count == 1)
            let changes: JSONValue = ["replace": ["post-status": ["published"], "content": ["Now"]]]
            #expect(try await pics.update(place, changes, token).status == .noContent)
            #expect(try await pics.send(.get, place, isAnonymous: true).status == .ok)
            #expect(try await pics.source(place, token)["content"] == ["Now"])
            let back = try await pics.update(place, ["replace": ["post-status": ["draft"]]], token)
            #expect(back.status == .badRequest)
        }
    }

    @Test func `an app that may keep drafts alone posts nothing, whatever it says`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken("draft")
            let photo = try await pics.upload(CameraPhoto.jpeg())
            let answer = try await pics.entry(["photo": [.string(photo)], "post-status": ["published"]], token)
            #expect(answer.status == .created)
            #expect(try await pics.json("/v1/photos")["items"]?[0]?["draft"]?.object != nil)
            let publisher = try await pics.appToken("draft update")
            let refused = try await pics.update(
                try #require(answer.fields["Location"]), ["replace": ["post-status": ["published"]]], publisher)
            #expect(refused.status == .unauthorized && refused.value["scope"] == "create")
        }
    }

    @Test func `a time in the future is waited for, and one in the past is not`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            let tomorrow = Date().addingTimeInterval(86_400).formatted(.iso8601)
            let later = try await pics.newPost(["published": [.string(tomorrow)]], token)
            #expect(try await pics.send(.get, later, isAnonymous: true).status == .notFound)
            for past in ["2017-05-31T12:03:36-07:00", "2017-05-31 12:03:36+0200", "2017-05-31"] {
                let place = try await pics.newPost(["published": [.string(past)]], token)
                #expect(try await pics.send(.get, place, isAnonymous: true).status == .ok)
            }
        }
    }

    @Test func `accounts are those that are named, none for an empty name, and the usual ones when nothing is said`()
        async throws
    {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            try await pics.connect("mastodon", "ann@social.example")
            let targets = try await pics.app(.get, "/micropub?q=syndicate-to", token: token)
            let accounts = targets.value["syndicate-to"]?.array ?? []
            let uid = try #require(accounts.first { $0["service"]?["name"] == "Mastodon" }?["uid"])
            var counts: [Int] = []
            for commands in [["mp-syndicate-to": [uid]], ["mp-syndicate-to": [""]], [:]] as [JSONValue] {
                _ = try await pics.newPost(commands, token)
                let photo = try #require(try await pics.json("/v1/photos")["items"]?[0]?["id"]?.string)
                counts.append(try await pics.json("/v1/photos/\(photo)/submissions")["items"]?.array?.count ?? -1)
            }
            #expect(counts == [1, 0, accounts.count])
        }
    }

    @Test func `alternative texts belong to the photos in their order, and are changed by an update`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            let answer = try await pics.app(
                "/micropub", texts: ["mp-photo-alt[]": "first", "mp-photo-alt[]": "second"],
                files: ["photo[0]": CameraPhoto.jpeg(1), "photo[1]": CameraPhoto.jpeg(2)], token: token)
            let place = try #require(answer.fields["Location"])
            let photos = try #require(try await pics.source(place, token)["photo"]?.array)
            #expect(photos.map { $0["alt"] } == ["first", "second"])
            let second = try #require(photos.last?["value"])
            let changes: JSONValue = ["replace": ["photo": [["value": second, "alt": "new"]]]]
            #expect(try await pics.update(place, changes, token).status == .noContent)
            let changed = try await pics.source(place, token)["photo"]?.array ?? []
            #expect(changed.map { $0["alt"] } == ["first", "new"])
            for wrong in [
                ["replace": ["photo": ["https://example.com/a.jpg"]]], ["delete": ["photo"]],
                ["replace": ["published": ["2017-05-31"]]], [:],
            ] as [JSONValue] {
                #expect(try await pics.update(place, wrong, token).status == .badRequest)
            }
        }
    }

    @Test func `somebody else's post is neither read, changed nor deleted, and their files are not posted`()
        async throws
    {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            let place = try await pics.newPost(["content": ["Mine"]], token)
            let hidden = try await pics.newPost(["visibility": ["private"]], token)
            let file = try await pics.upload(CameraPhoto.jpeg(7))
            _ = try await pics.addUser("ben")
            let other = try await pics.appToken(Self.scopes, of: "ben")
            for (place, status) in [(place, HTTPStatus.forbidden), (hidden, .badRequest)] {
                let answers = [
                    try await pics.app(.get, "/micropub?q=source&url=\(place)", token: other),
                    try await pics.update(place, ["replace": ["content": ["Yours"]]], other),
                    try await pics.form(["action": "delete", "url": place], other),
                ]
                for answer in answers {
                    #expect(answer.status == status)
                    #expect(answer.value["error"] == (status == .forbidden ? "forbidden" : "invalid_request"))
                }
            }
            #expect(try await pics.source(place, token)["content"] == ["Mine"])
            let stolen = try await pics.entry(["photo": [.string(file)]], other)
            #expect(stolen.status == .unprocessableContent && stolen.value["error"] == "invalid_request")
            let delete = try await pics.app(
                .post, "/micropub/media", ["Content-Type": "application/x-www-form-urlencoded"],
                body: .bytes(Array(("action=delete&url=" + PercentEncoding.encode(file)).utf8)), token: other)
            #expect(delete.status == .badRequest)
            #expect(try await pics.app(.get, file).status == .ok)
        }
    }

    @Test func `a request that comes again under its key gives the same post, and another one is refused`() async throws
    {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            let photo = try await pics.upload(CameraPhoto.jpeg())
            let key: HTTPFields = ["Idempotency-Key": "\"k1\""]
            let first = try await pics.entry(["photo": [.string(photo)]], token, with: key)
            let second = try await pics.entry(["photo": [.string(photo)]], token, with: key)
            #expect(first.status == .created && second.status == .created)
            #expect(first.fields["Location"] == second.fields["Location"])
            let other = try await pics.entry(["photo": [.string(photo)], "content": ["x"]], token, with: key)
            #expect(other.status == .unprocessableContent)
            #expect(try await pics.json("/v1/photos")["items"]?.array?.count == 1)
            // The key is Micropub's own.
            let answer = try await pics.post(CameraPhoto.jpeg(5), caption: "", with: key)
            #expect(answer.status == .created)
        }
    }

    @Test func `every route has its right, and a wrong token is refused`() async throws {
        try await withInProcessPics { pics in
            let place = try await pics.newPost([:], try await pics.appToken(Self.scopes))
            for (scope, path) in [
                ("create", "/micropub?q=source"), ("media", "/micropub?q=source"),
                ("create", "/micropub/media?q=source"),
                ("profile", "/micropub?q=config"), ("read:accounts", "/micropub?q=syndicate-to"),
            ] {
                let answer = try await pics.app(.get, path, token: try await pics.appToken(scope))
                #expect(answer.status == .unauthorized && answer.value["error"] == "insufficient_scope", "\(scope)")
            }
            for scope in ["create", "media", "read", "update", "delete", "draft"] {
                let token = try await pics.appToken(scope)
                #expect(try await pics.app(.get, "/micropub?q=config", token: token).status == .ok)
                let file = try await pics.app(
                    "/micropub/media", files: ["file": CameraPhoto.jpeg()], token: token)
                #expect(file.status == (["create", "media", "draft"].contains(scope) ? .created : .unauthorized))
                let change = try await pics.update(place, ["replace": ["content": ["x"]]], token)
                #expect(change.status == (scope == "update" ? .noContent : .unauthorized))
                if scope != "delete" {
                    #expect(try await pics.form(["action": "delete", "url": place], token).status == .unauthorized)
                }
            }
            let wrong = try await pics.app(.get, "/micropub?q=config", token: "token_wrong")
            #expect(wrong.status == .unauthorized && wrong.value["error"] == "invalid_token")
            #expect(wrong.fields["WWW-Authenticate"]?.contains("invalid_token") == true)
        }
    }

    @Test func `an unknown query, type or action is refused, and other methods are`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            for path in ["/micropub?q=nothing", "/micropub", "/micropub/media", "/micropub?q=source&limit=0"] {
                let answer = try await pics.app(.get, path, token: token)
                #expect(answer.status == .badRequest && answer.value["error"] == "invalid_request")
            }
            for body in [
                ["action": "burn", "url": "https://example.com"], ["type": ["h-event"], "properties": [:]],
                ["type": ["h-entry"], "properties": ["content": "text"]], ["action": "update"],
                ["action": "delete", "url": "https://example.com/aaaaaaaa"],
            ] as [JSONValue] {
                #expect(try await pics.json(body, token).status == .badRequest)
            }
            #expect(try await pics.form(["h": "event"], token).status == .badRequest)
            let put = try await pics.app(.put, "/micropub", token: token)
            #expect(put.status == .methodNotAllowed && put.fields["Allow"]?.contains("POST") == true)
        }
    }

    @Test func `recent posts come newest first, a page at a time, and files that wait have their addresses`()
        async throws
    {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            for number in 1...3 { _ = try await pics.newPost(["content": [.string("\(number)")]], token) }
            _ = try await pics.newPost(["content": ["draft"], "post-status": ["draft"]], token)
            func words(_ query: String) async throws -> [JSONValue?] {
                let answer = try await pics.app(.get, "/micropub?q=source\(query)", token: token)
                return answer.value["items"]?.array?.map { $0["properties"]?["content"]?[0] } ?? []
            }
            #expect(try await words("") == ["draft", "3", "2", "1"])
            #expect(try await words("&limit=2&offset=1") == ["3", "2"])
            #expect(try await words("&post-status=published") == ["3", "2", "1"])
            let file = try await pics.upload(CameraPhoto.jpeg())
            let files = try await pics.app(.get, "/micropub/media?q=source", token: token)
            #expect(files.value["items"]?.array?.map { $0["url"] } == [.string(file)])
            #expect(files.value["items"]?[0]?["mime_type"] == "image/jpeg")
            let tags = try await pics.app(.get, "/micropub?q=category", token: token)
            #expect(tags.value == ["categories": []])
            #expect(try await pics.app(.get, "/micropub?q=contact", token: token).value == ["contacts": []])
        }
    }

    @Test func `a page of another origin may post, and reads where the post is`() async throws {
        try await withInProcessPics { pics in
            let asked = try await pics.app(
                .options, "/micropub",
                [
                    "Origin": "https://app.example", "Access-Control-Request-Method": "POST",
                    "Access-Control-Request-Headers": "authorization, content-type",
                ])
            #expect(asked.fields["Access-Control-Allow-Origin"] == "*")
            let answer = try await pics.app(.get, "/micropub?q=config", ["Origin": "https://app.example"])
            #expect(answer.fields["Access-Control-Expose-Headers"]?.contains("Location") == true)
        }
    }
}
