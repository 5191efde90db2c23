import Foundation
import HTTP
import MediaSamples
import TestPics
import Testing

/// The server tests of micropub.rocks by their numbers. Pics posts photos, so every post here has one.
@Suite(.timeLimit(.minutes(5)))
struct MicropubRocksTests {
    private static let scopes = "create update delete media"

    @Test(arguments: ["100", "101", "104", "107", "200", "201", "202", "203", "204", "205", "206", "300", "301"])
    func `a post is created, and the page behind Location shows it`(number: String) async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            let one = try await pics.upload(CameraPhoto.jpeg(1))
            let two = try await pics.upload(CameraPhoto.jpeg(2))
            let answer: IncomingResponse
            switch number {
            case "100":
                answer = try await pics.form(["h": "entry", "content": "Hello", "photo": one], token)
            case "101":
                answer = try await pics.form(
                    ["h": "entry", "content": "Hello", "category[]": "foo", "category[]": "bar", "photo": one], token)
            case "104":
                answer = try await pics.form(["h": "entry", "content": "Nice photo", "photo": one], token)
            case "107":
                answer = try await pics.form(
                    ["h": "entry", "content": "Hello", "category": "foo", "photo": one], token)
            case "200": answer = try await pics.entry(["content": ["Hello"], "photo": [.string(one)]], token)
            case "201":
                answer = try await pics.entry(
                    ["content": ["Hello"], "category": ["foo", "bar"], "photo": [.string(one)]], token)
            case "202":
                answer = try await pics.entry(
                    ["content": [["html": "<p>Hello <b>there</b> &amp; here</p>"]], "photo": [.string(one)]], token)
            case "203": answer = try await pics.entry(["content": ["Nice"], "photo": [.string(one)]], token)
            case "204":
                answer = try await pics.entry(
                    [
                        "published": ["2017-05-31T12:03:36-07:00"], "content": ["Lunch meeting"],
                        "checkin": [
                            [
                                "type": ["h-card"],
                                "properties": ["name": ["Los Gorditos"], "latitude": [45.524330801154]],
                            ]
                        ], "photo": [.string(one)],
                    ], token)
            case "205":
                answer = try await pics.entry(
                    ["content": ["Nice"], "photo": [["value": .string(one), "alt": "Photo of a page"]]], token)
            case "206":
                answer = try await pics.entry(
                    ["content": ["Nice"], "photo": [.string(one), .string(two)]], token)
            case "300":
                answer = try await pics.app(
                    "/micropub", texts: ["h": "entry", "content": "Nice"], files: ["photo": CameraPhoto.jpeg(3)],
                    token: token)
            default:
                answer = try await pics.app(
                    "/micropub", texts: ["h": "entry", "content": "Nice"],
                    files: ["photo[]": CameraPhoto.jpeg(3), "photo[]": CameraPhoto.jpeg(4)], token: token)
            }
            #expect(answer.status == .created)
            let place = try #require(answer.fields["Location"])
            #expect(place.hasPrefix(pics.base) && answer.fields["Link"] == "<\(place)>; rel=\"shortlink\"")
            let page = try await pics.send(.get, place, accept: "text/html", isAnonymous: true)
            let text = String(decoding: page.body, as: UTF8.self)
            let shown: [String: [String]] = [
                "101": ["foo", "bar"], "107": ["foo"], "201": ["foo", "bar"], "202": ["Hello there &amp; here"],
                "204": ["Lunch meeting"], "205": ["alt=\"Photo of a page\""],
            ]
            for words in shown[number] ?? [] { #expect(text.contains(words), "\(words)") }
            #expect(text.contains("/m/"))
            let source = try await pics.source(place, token)
            #expect(source["photo"]?.array?.count == (["206", "301"].contains(number) ? 2 : 1))
        }
    }

    /// The changes of an update, and what is left in category.
    static let updates: [(number: String, changes: JSONValue, categories: [JSONValue])] = [
        ("400", ["replace": ["content": ["New"]]], ["test1", "test2"]),
        ("401", ["add": ["category": ["test3"]]], ["test1", "test2", "test3"]),
        ("403", ["delete": ["category": ["test1"]]], ["test2"]),
        ("404", ["delete": ["category"]], []),
    ]

    @Test(arguments: updates)
    func `a post is updated`(number: String, changes: JSONValue, categories: [JSONValue]) async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            let place = try await pics.newPost(["content": ["Old"], "category": ["test1", "test2"]], token)
            #expect(try await pics.update(place, changes, token).status == .noContent)
            let source = try await pics.source(place, token)
            #expect(source["content"] == [number == "400" ? "New" : "Old"])
            #expect(source["category"]?.array ?? [] == categories)
        }
    }

    @Test func `402 and 405: a property that is missing is added to, and a value that is no list is refused`()
        async throws
    {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            let place = try await pics.newPost(["content": ["Old"]], token)
            #expect(try await pics.update(place, ["add": ["category": ["test1"]]], token).status == .noContent)
            #expect(try await pics.source(place, token)["category"] == ["test1"])
            let refused = try await pics.update(place, ["replace": ["content": "a text"]], token)
            #expect(refused.status == .badRequest && refused.value["error"] == "invalid_request")
            #expect(try await pics.source(place, token)["content"] == ["Old"])
        }
    }

    @Test func `500 and 501: a post is deleted by a form and by JSON, and gone for everybody`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            for isForm in [true, false] {
                let place = try await pics.newPost(["content": ["Old"]], token)
                let answer =
                    isForm
                    ? try await pics.form(["action": "delete", "url": place], token)
                    : try await pics.json(["action": "delete", "url": .string(place)], token)
                #expect(answer.status == .noContent)
                #expect(try await pics.send(.get, place, isAnonymous: true).status == .gone)
                #expect(try await pics.form(["action": "delete", "url": place], token).status == .badRequest)
            }
        }
    }

    @Test func `502 and 503: a post is undeleted, by a form and by JSON, as long as it can be`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            let place = try await pics.newPost(["content": ["Old"]], token)
            for isForm in [true, false] {
                func act(_ action: String) async throws -> IncomingResponse {
                    isForm
                        ? try await pics.form(["action": action, "url": place], token)
                        : try await pics.json(["action": .string(action), "url": .string(place)], token)
                }
                #expect(try await act("delete").status == .noContent)
                #expect(try await act("undelete").status == .noContent)
                #expect(try await act("undelete").status == .noContent)
                let read = try await pics.app(.get, "/micropub?q=source&url=\(place)", token: token)
                #expect(read.value["properties"]?["content"]?[0] == "Old")
            }
            _ = try await pics.addUser("bob")
            let others = try await pics.appToken(Self.scopes, of: "bob")
            _ = try await pics.form(["action": "delete", "url": place], token)
            #expect(try await pics.form(["action": "undelete", "url": place], others).status == .badRequest)
            try await pics.change("UPDATE deleted_photos SET deleted_at = now() - interval '2 days'")
            #expect(try await pics.form(["action": "undelete", "url": place], token).status == .badRequest)
        }
    }

    @Test func `600 and 601: the configuration is an object, and accounts have a name and a uid`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken("create")
            try await pics.connect("mastodon", "ann@social.example")
            let config = try await pics.app(.get, "/micropub?q=config", token: token)
            #expect(config.status == .ok)
            #expect(config.fields["Content-Type"]?.hasPrefix("application/json") == true)
            #expect(config.value["media-endpoint"]?.string == "\(pics.base)/micropub/media")
            let accounts = try await pics.app(.get, "/micropub?q=syndicate-to", token: token)
            let list = try #require(accounts.value["syndicate-to"]?.array)
            let mastodon = try #require(list.first { $0["name"] == "Mastodon: ann@social.example" })
            #expect(mastodon["uid"]?.string?.isEmpty == false && mastodon["checked"] == true)
            #expect(config.value["syndicate-to"] == accounts.value["syndicate-to"])
        }
    }

    @Test func `602 and 603: the source has the words and categories as they were sent`() async throws {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            let place = try await pics.newPost(
                ["content": ["Test of querying the endpoint"], "category": ["micropub", "test"]], token)
            let address = PercentEncoding.encode(place)
            let whole = try await pics.app(.get, "/micropub?q=source&url=\(address)", token: token)
            #expect(whole.value["type"] == ["h-entry"])
            #expect(whole.value["properties"]?["content"] == ["Test of querying the endpoint"])
            #expect(whole.value["properties"]?["category"] == ["micropub", "test"])
            let part = try await pics.app(
                .get, "/micropub?q=source&properties[]=content&properties[]=category&url=\(address)", token: token)
            #expect(
                part.value == [
                    "properties": [
                        "content": ["Test of querying the endpoint"], "category": ["micropub", "test"],
                    ]
                ])
            let single = try await pics.app(.get, "/micropub?q=source&properties=content&url=\(address)", token: token)
            #expect(single.value == ["properties": ["content": ["Test of querying the endpoint"]]])
        }
    }

    @Test func `800 to 802: the token comes in the header or in the form, and is kept nowhere in the post`()
        async throws
    {
        try await withInProcessPics { pics in
            let token = try await pics.appToken(Self.scopes)
            let photo = try await pics.upload(CameraPhoto.jpeg(1))
            #expect(try await pics.form(["content": "Hello", "photo": photo], token).status == .created)
            let file = try await pics.app(
                "/micropub/media", texts: ["access_token": token], files: ["file": CameraPhoto.jpeg(2)], token: nil)
            #expect(file.status == .created)
            let form = try await pics.form(
                ["content": "Hello", "photo": try #require(file.fields["Location"]), "access_token": token], nil)
            #expect(form.status == .created)
            let multipart = try await pics.app(
                "/micropub", texts: ["access_token": token], files: ["photo": CameraPhoto.jpeg(3)], token: nil)
            #expect(multipart.status == .created)
            let place = try #require(form.fields["Location"])
            let source = try await pics.app(.get, "/micropub?q=source&url=\(place)", token: token)
            #expect(source.status == .ok)
            #expect(!String(decoding: source.body, as: UTF8.self).contains("token"))
        }
    }

    @Test func `803 to 805: without a token, with too few rights, and with two tokens nothing is created`() async throws
    {
        try await withInProcessPics { pics in
            let photo = try await pics.upload(CameraPhoto.jpeg(1))
            let missing = try await pics.form(["content": "Hello", "photo": photo], nil)
            #expect(missing.status == .unauthorized && missing.value["error"] == "unauthorized")
            #expect(missing.fields["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
            let weak = try await pics.form(["content": "Hello", "photo": photo], try await pics.appToken("update"))
            #expect(weak.status == .unauthorized && weak.value["error"] == "insufficient_scope")
            #expect(weak.value["scope"] == "create")
            let token = try await pics.appToken(Self.scopes)
            for answer in [
                try await pics.form(["content": "Hello", "photo": photo, "access_token": token], token),
                try await pics.app(
                    "/micropub", texts: ["access_token": token], files: ["photo": CameraPhoto.jpeg()], token: token),
                try await pics.app(
                    "/micropub/media", texts: ["access_token": token], files: ["file": CameraPhoto.jpeg()],
                    token: token),
            ] {
                #expect(answer.status == .badRequest && answer.value["error"] == nil)
            }
            #expect(try await pics.json("/v1/photos")["items"] == [])
        }
    }
}

extension InProcessPics {
    func form(_ fields: FormFields, _ token: String?, with others: HTTPFields = [:]) async throws -> IncomingResponse {
        var all = others
        if !all.contains("Content-Type") { all.add("Content-Type", "application/x-www-form-urlencoded") }
        return try await app(.post, "/micropub", all, body: .bytes(Array(fields.encoded.utf8)), token: token)
    }

    func json(_ body: JSONValue, _ token: String?, with others: HTTPFields = [:]) async throws -> IncomingResponse {
        var all = others
        all.add("Content-Type", "application/json; charset=utf-8")
        return try await app(.post, "/micropub", all, body: .bytes(body.serialized), token: token)
    }

    func entry(
        _ properties: JSONValue, _ token: String?, with others: HTTPFields = [:]
    ) async throws -> IncomingResponse {
        try await json(["type": ["h-entry"], "properties": properties], token, with: others)
    }

    func update(_ place: String, _ changes: JSONValue, _ token: String) async throws -> IncomingResponse {
        var members = changes.object ?? [:]
        members["action"] = "update"
        members["url"] = .string(place)
        return try await json(.object(members), token)
    }

    /// A new post of a photo of its own; its address.
    func newPost(_ properties: JSONValue, _ token: String) async throws -> String {
        var members = properties.object ?? [:]
        members["photo"] = [.string(try await upload(CameraPhoto.jpeg(.random(in: 0..<1 << 40))))]
        let answer = try await entry(.object(members), token)
        return try #require(answer.fields["Location"], "\(answer.value)")
    }

    /// The properties of a post.
    func source(_ place: String, _ token: String) async throws -> JSONValue {
        try await app(.get, "/micropub?q=source&url=\(PercentEncoding.encode(place))", token: token)
            .value["properties"] ?? .null
    }
}
