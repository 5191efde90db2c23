import HTTP
import TestPics
import Testing

/// What an app may say of itself.
@Suite(.timeLimit(.minutes(5)))
struct RegistrationTests {
    private static let unlimited = ["PICS_APP_REGISTRATION_RATE": "0"]

    @Test func `an app is registered with what it says, and its secret is told once`() async throws {
        try await withInProcessPics { pics in
            let answer = try await OAuthClient.post(
                pics, "/oauth/register",
                json: [
                    "client_name": "Quill  Writer", "redirect_uris": ["quill://cb", "https://app.example/cb"],
                    "scope": "read write:media", "client_uri": "https://app.example/",
                    "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
                    "logo_uri": "https://app.example/logo.svg", "jwks_uri": "http://169.254.169.254/",
                    "contacts": ["a"],
                    "unknown": ["a": 1],
                ])

            #expect(answer.status == .created && answer.fields["Cache-Control"] == "no-store")
            let json = try JSONValue(parsing: answer.body)
            #expect(json["client_name"] == "Quill Writer" && json["scope"] == "read write:media")
            #expect(json["redirect_uris"] == ["quill://cb", "https://app.example/cb"])
            #expect(json["token_endpoint_auth_method"] == "client_secret_basic")
            #expect(json["grant_types"] == ["authorization_code", "refresh_token"])
            #expect(json["client_secret"]?.string?.isEmpty == false && json["client_secret_expires_at"] == 0)
            #expect(json["client_id"]?.string?.isEmpty == false && json["client_id_issued_at"]?.int != nil)
            #expect(json["client_uri"] == "https://app.example/")
        }
    }

    @Test func `an app without a name is called by its address`() async throws {
        try await withInProcessPics { pics in
            for (redirect, name) in [
                ("https://app.example/cb", "app.example"), ("quill.app://cb", "quill.app"),
                ("http://127.0.0.1/cb", "127.0.0.1"),
            ] {
                let answer = try await OAuthClient.post(
                    pics, "/oauth/register",
                    json: ["redirect_uris": [.string(redirect)], "token_endpoint_auth_method": "none"])
                let json = try JSONValue(parsing: answer.body)
                #expect(json["client_name"]?.string == name && json["client_secret"] == nil)
            }
        }
    }

    @Test func `what no app may be is refused, and nothing is kept`() async throws {
        try await withInProcessPics(settings: Self.unlimited) { pics in
            let start: JSONObject = ["client_name": "Quill", "redirect_uris": ["https://app.example/cb"]]
            let wrong: [(String, JSONValue, String)] = [
                ("redirect_uris", [], "invalid_redirect_uri"), ("redirect_uris", .null, "invalid_redirect_uri"),
                ("redirect_uris", ["javascript:alert(1)"], "invalid_redirect_uri"),
                ("redirect_uris", ["https://app.example/cb", "data:x"], "invalid_redirect_uri"),
                ("redirect_uris", ["https://app.example/#x"], "invalid_redirect_uri"),
                ("redirect_uris", ["http://app.example/"], "invalid_redirect_uri"),
                ("redirect_uris", ["https://app.example/\r\nx"], "invalid_redirect_uri"),
                ("redirect_uris", JSONValue((0...20).map { "https://app.example/\($0)" }), "invalid_redirect_uri"),
                ("redirect_uris", [["a": 1]], "invalid_redirect_uri"),
                ("client_name", "Pics", "invalid_client_metadata"), ("client_name", "Рісѕ", "invalid_client_metadata"),
                ("client_name", "a\u{202E}b", "invalid_client_metadata"),
                ("client_name", .string(String(repeating: "a", count: 10_000)), "invalid_client_metadata"),
                ("client_uri", "javascript:alert(1)", "invalid_client_metadata"),
                (
                    "client_uri", .string("https://a.example/" + String(repeating: "a", count: 10_000)),
                    "invalid_client_metadata"
                ),
                ("token_endpoint_auth_method", "private_key_jwt", "invalid_client_metadata"),
                ("grant_types", ["implicit"], "invalid_client_metadata"),
                ("grant_types", ["client_credentials"], "invalid_client_metadata"),
                ("response_types", ["token"], "invalid_client_metadata"),
                ("scope", "admin", "invalid_scope"), ("scope", "read nonsense", "invalid_scope"),
                ("scope", .string(String(repeating: "read ", count: 2000)), "invalid_scope"),
            ]
            for (name, value, error) in wrong {
                var members = start
                members[name] = value
                let answer = try await OAuthClient.post(pics, "/oauth/register", json: .object(members))
                #expect(answer.status == .badRequest && answer.oauthError == error, "\(name) \(error)")
            }
            var shown = start
            shown["redirect_uris"] = ["urn:ietf:wg:oauth:2.0:oob"]
            shown["token_endpoint_auth_method"] = "none"
            let answer = try await OAuthClient.post(pics, "/oauth/register", json: .object(shown))
            #expect(answer.oauthError == "invalid_redirect_uri")
            #expect(try await pics.number("SELECT count(*) FROM apps") == 0)
        }
    }

    @Test func `what an app calls itself is never markup`() async throws {
        try await withInProcessPics { pics in
            let name = "<script>alert(1)</script>\"'&"
            let app = try await OAuthClient.register(
                pics, ["client_name": .string(name), "client_uri": "https://app.example/\"><script>x</script>"])
            var browser = try await pics.browser()

            let page = try await browser.open("/oauth/authorize?\(app.wish(state: "\"><script>x").encoded)")
            _ = try await app.letIn(&browser)
            for text in [page.text, try await browser.open("/settings/apps").text] {
                #expect(text.contains("&lt;script>") || text.contains("&lt;script&gt;"))
                #expect(!text.contains("<script>"))
            }
        }
    }

    @Test func `an address registers so many apps an hour`() async throws {
        try await withInProcessPics(settings: ["PICS_APP_REGISTRATION_RATE": "3"]) { pics in
            var statuses: [Int] = []
            for _ in 0..<4 {
                let answer = try await OAuthClient.post(
                    pics, "/oauth/register", json: ["client_name": "Quill", "redirect_uris": ["quill://cb"]])
                statuses.append(answer.status.code)
                if answer.status.code == 429 { #expect(answer.fields["Retry-After"] != nil) }
            }
            #expect(statuses == [201, 201, 201, 429])
        }
    }

    @Test func `two thousand apps may wait for somebody, and those let in do not count`() async throws {
        try await withInProcessPics(settings: Self.unlimited) { pics in
            try await pics.change(
                """
                INSERT INTO apps (id, client_id, kind, name, redirect_uris, scopes, allowed_at)
                SELECT gen_random_uuid(), 'app' || n, 'registered', 'a', '{}', '', CASE WHEN n > 1999 THEN now() END
                  FROM generate_series(1, 2100) n
                """)
            let app: JSONValue = ["client_name": "Quill", "redirect_uris": ["quill://cb"]]
            #expect(try await OAuthClient.post(pics, "/oauth/register", json: app).status == .created)

            let answer = try await OAuthClient.post(pics, "/oauth/register", json: app)

            #expect(answer.status.code == 503 && answer.oauthError == "temporarily_unavailable")
        }
    }

    @Test func `the issuer is the base address, whatever host a request names`() async throws {
        let settings = ["PICS_BASE_URL": "https://pics.example", "PICS_TRUSTED_PROXIES": "127.0.0.1"]
        try await withInProcessPics(settings: settings) { pics in
            for fields: HTTPFields in [
                [:],
                ["X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"],
                ["Forwarded": "for=192.0.2.1;host=evil.example;proto=https"],
                ["X-Forwarded-Host": "pics.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"],
            ] {
                let answer = try await pics.send(
                    .get, "/.well-known/oauth-authorization-server", with: fields, isAnonymous: true)
                #expect(!answer.text.contains("evil") && !answer.text.contains("pics.example"))
                guard answer.status.code != 421 else { continue }
                #expect(try JSONValue(parsing: answer.body)["issuer"]?.string == "\(pics.base)/")
            }
        }
    }

    @Test func `the server tells what it can do, to pages of any origin`() async throws {
        try await withInProcessPics { pics in
            let origin: HTTPFields = ["Origin": "https://app.example"]
            let answer = try await pics.send(
                .get, "/.well-known/oauth-authorization-server", with: origin, isAnonymous: true)
            let json = try JSONValue(parsing: answer.body)
            #expect(answer.fields["Access-Control-Allow-Origin"] == "*")
            #expect(json["issuer"]?.string == "\(pics.base)/")
            #expect(json["code_challenge_methods_supported"] == ["S256"])
            #expect(json["response_types_supported"] == ["code"])
            #expect(json["authorization_response_iss_parameter_supported"] == true)
            #expect(!answer.text.contains("admin"))
            for member in ["authorization", "token", "revocation", "introspection", "registration", "userinfo"] {
                let address = try #require(json["\(member)_endpoint"]?.string)
                #expect(address.hasPrefix("\(pics.base)/oauth/"))
                let path = String(address.dropFirst(pics.base.utf8.count))
                #expect(pics.routes.contains { $0.path == path }, "\(path)")
            }
            for path in ["/oauth/token", "/oauth/revoke", "/oauth/register", "/oauth/userinfo"] {
                let asked = try await pics.send(.post, path, with: origin, isAnonymous: true)
                #expect(asked.fields["Access-Control-Allow-Origin"] == "*", "\(path)")
                #expect(asked.fields["Access-Control-Allow-Credentials"] == nil)
            }
            var browser = try await pics.browser()
            let page = try await browser.open("/oauth/authorize", with: origin)
            #expect(page.fields["Access-Control-Allow-Origin"] == nil)
        }
    }
}
