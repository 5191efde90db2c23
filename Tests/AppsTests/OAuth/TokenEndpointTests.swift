import Crypto
import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// What an app gets for a code, and who does not.
@Suite(.timeLimit(.minutes(5)))
struct TokenEndpointTests {
    @Test func `the answer to a code is kept by nobody and says what was granted`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()

            let tokens = try await app.letIn(&browser, scope: "read:statuses write:media")

            let json = try JSONValue(parsing: tokens.answer.body)
            #expect(json["token_type"] == "Bearer" && json["scope"] == "read:statuses write:media")
            #expect(json["me"]?.string == "\(pics.base)/u/admin" && json["expires_in"]?.int == 7200)
            #expect(json["created_at"]?.int != nil)
            #expect(tokens.answer.fields["Cache-Control"] == "no-store" && tokens.answer.fields["Pragma"] == "no-cache")
        }
    }

    @Test func `a code is good once, and its second use ends what the first has given`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let code = try await app.code(&browser)
            let tokens = try await app.tokens(app.exchange(code))
            #expect(try await app.works(tokens.access))

            let again = try await app.ask("/oauth/token", app.exchange(code))

            #expect(again.status == .badRequest && again.oauthError == "invalid_grant")
            #expect(try await !app.works(tokens.access))
            let refreshed = try await app.ask("/oauth/token", app.refreshing(tokens.refresh ?? ""))
            #expect(refreshed.oauthError == "invalid_grant")
        }
    }

    @Test func `of fifty who bring a code at once one gets a token, which is dead then`() async throws {
        try await withInProcessPics(settings: ["PICS_DATABASE_CONNECTIONS": "4", "PICS_WRONG_TOKEN_RATE": "0"]) {
            pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let form = app.exchange(try await app.code(&browser))

            let answers = try await withThrowingTaskGroup(of: IncomingResponse.self) { group in
                for _ in 0..<50 { group.addTask { try await app.ask("/oauth/token", form) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(answers.filter { $0.status == .ok }.count == 1)
            #expect(answers.allSatisfy { $0.status == .ok || $0.oauthError == "invalid_grant" })
            for answer in answers where answer.status == .ok {
                let token = try #require(try JSONValue(parsing: answer.body)["access_token"]?.string)
                #expect(try await !app.works(token))
            }
            #expect(try await pics.grants() == 0)
        }
    }

    @Test func `a code of one app is nothing worth to another, and is spent`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            let other = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let code = try await app.code(&browser)

            #expect(try await other.ask("/oauth/token", other.exchange(code)).oauthError == "invalid_grant")
            #expect(try await app.ask("/oauth/token", app.exchange(code)).oauthError == "invalid_grant")
            #expect(try await pics.grants() == 0)
        }
    }

    /// U+212A is canonically equivalent to K.
    @Test(arguments: [
        nil, "", "https://app.example/callbacK", "https://app.example/callback/", "https://app.example/callbac\u{212A}",
        "https://app.example/callback?x=1",
    ])
    func `the redirect address is the same at the token endpoint`(redirect: String?) async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics, redirect: "https://app.example/callbacK2")
            let plain = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let code = try await plain.code(&browser)
            #expect(
                try await plain.ask("/oauth/token", plain.exchange(code, redirect: redirect)).oauthError
                    == "invalid_grant")

            let other = try await app.code(&browser)
            let kelvin = app.redirect.replacing("K", with: "\u{212A}")
            #expect(
                try await app.ask("/oauth/token", app.exchange(other, redirect: kelvin)).oauthError == "invalid_grant")
            #expect(try await pics.grants() == 0)
        }
    }

    @Test(arguments: [
        nil, "", String(repeating: "v", count: 42), String(repeating: "v", count: 44),
        String(repeating: "V", count: 43),
        String(repeating: "v", count: 42) + "=", OAuthClient.challenge, String(repeating: "v", count: 10_000),
        String(repeating: "v", count: 42) + "é",
    ])
    func `a code with a challenge needs its verifier`(verifier: String?) async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let code = try await app.code(&browser)

            let answer = try await app.ask("/oauth/token", app.exchange(code, verifier: verifier))

            #expect(answer.status == .badRequest && answer.oauthError == "invalid_grant")
            #expect(try await pics.grants() == 0)
        }
    }

    @Test func `a verifier for a code without a challenge is refused`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let code = try await app.code(&browser, app.wish(hasChallenge: false))

            #expect(try await app.ask("/oauth/token", app.exchange(code)).oauthError == "invalid_grant")

            let plain = try await app.code(&browser, app.wish(hasChallenge: false))
            let tokens = try await app.tokens(app.exchange(plain, verifier: nil))
            #expect(try await app.works(tokens.access))
        }
    }

    @Test func `an app without a secret must send a challenge`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics, hasSecret: false)
            var browser = try await pics.browser()

            let page = try await app.decide(&browser, app.wish(hasChallenge: false))
            #expect(page.status == 400 && page.location == nil)
            var empty = app.wish(hasChallenge: false)
            empty.add("code_challenge", "")
            #expect(try await app.decide(&browser, empty).status == 400)
            #expect(try await pics.grants() == 0)

            let tokens = try await app.letIn(&browser)
            #expect(try await app.works(tokens.access))
        }
    }

    @Test func `a code is good for ten minutes`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            for (age, isGood) in [("9 minutes", true), ("10 minutes", false)] {
                let code = try await app.code(&browser)
                try await pics.change("UPDATE authorization_codes SET created_at = now() - interval '\(age)'")
                #expect((try await app.ask("/oauth/token", app.exchange(code)).status == .ok) == isGood, "\(age)")
            }
        }
    }

    @Test func `an app proves who it is by form, JSON, multipart or Basic, once`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let secret = try #require(app.secret)
            let basic: HTTPFields = ["Authorization": "Basic \(Base64.encode(Array("\(app.id):\(secret)".utf8)))"]

            let byJSON = app.exchange(try await app.code(&browser))
            let json = JSONObject(byJSON.pairs.map { ($0.name, JSONValue.string($0.value)) })
            #expect(try await OAuthClient.post(pics, "/oauth/token", json: .object(json)).status == .ok)

            var multipart = MultipartForm()
            for pair in app.exchange(try await app.code(&browser)).pairs { multipart.add(pair.name, pair.value) }
            let byParts = try await pics.send(
                .post, "/oauth/token", body: multipart.body, type: multipart.mediaType.description, isAnonymous: true)
            #expect(byParts.status == .ok)

            var form: FormFields = [
                "grant_type": "authorization_code", "code": try await app.code(&browser), "redirect_uri": app.redirect,
                "code_verifier": OAuthClient.verifier,
            ]
            #expect(try await app.ask("/oauth/token", form, basic).status == .ok)
            form.add("client_secret", secret)
            let both = try await app.ask("/oauth/token", form, basic)
            #expect(both.status == .badRequest && both.oauthError == "invalid_request")
        }
    }

    @Test func `a wrong secret, none, and another app's are told by 401, and spend no code`() async throws {
        try await withInProcessPics(settings: ["PICS_WRONG_TOKEN_RATE": "0"]) { pics in
            let app = try await OAuthClient.register(pics)
            let other = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let code = try await app.code(&browser)
            let secret = try #require(app.secret)
            for wrong in [nil, "", "wrong", other.secret, secret + "x", String(secret.dropLast()), secret.uppercased()]
            {
                let form = OAuthClient(pics: pics, id: app.id, secret: wrong, redirect: app.redirect).exchange(code)
                let answer = try await app.ask("/oauth/token", form)
                #expect(answer.status == .unauthorized && answer.oauthError == "invalid_client")
                let pair = Base64.encode(Array("\(app.id):\(wrong ?? "")".utf8))
                let basic = try await app.ask(
                    "/oauth/token", ["grant_type": "authorization_code", "code": code],
                    ["Authorization": "Basic \(pair)"])
                #expect(basic.status == .unauthorized && basic.fields["WWW-Authenticate"]?.hasPrefix("Basic") == true)
            }
            let unknown = OAuthClient(pics: pics, id: "app_unknown", secret: secret, redirect: app.redirect)
            #expect(try await unknown.ask("/oauth/token", unknown.exchange(code)).oauthError == "invalid_client")

            #expect(try await app.ask("/oauth/token", app.exchange(code)).status == .ok)
        }
    }

    @Test func `an address that tries many secrets or codes has to wait`() async throws {
        try await withInProcessPics(settings: ["PICS_WRONG_TOKEN_RATE": "3"]) { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let code = try await app.code(&browser)
            let wrong = OAuthClient(pics: pics, id: app.id, secret: "wrong", redirect: app.redirect)

            var statuses: [Int] = []
            for _ in 0..<2 { statuses.append(try await wrong.ask("/oauth/token", wrong.exchange("x")).status.code) }
            for _ in 0..<3 { statuses.append(try await app.ask("/oauth/token", app.exchange("x")).status.code) }

            #expect(statuses == [401, 401, 400, 429, 429])
            // Who has the right one is let in.
            #expect(try await app.ask("/oauth/token", app.exchange(code)).status == .ok)
        }
    }

    @Test func `the token endpoint is asked by POST, and what stands in its address does not count`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let query = app.exchange(try await app.code(&browser)).encoded
            for path in ["/oauth/token", "/oauth/revoke", "/oauth/introspect", "/oauth/register"] {
                #expect(try await pics.send(.get, "\(path)?\(query)", isAnonymous: true).status.code == 405, "\(path)")
            }
            let empty = try await pics.send(.post, "/oauth/token?\(query)", isAnonymous: true)
            #expect(empty.status == .unauthorized && empty.oauthError == "invalid_client")
            let tokens = try await app.tokens(FormFields(query) ?? FormFields())
            for path in ["/v1/me", "/oauth/userinfo"] {
                let answer = try await pics.send(.get, "\(path)?access_token=\(tokens.access)", isAnonymous: true)
                #expect(answer.status == .unauthorized)
            }
        }
    }

    @Test func `a parameter that comes twice is refused, and one that nobody reads is not`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let code = try await app.code(&browser)
            for name in ["grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier"] {
                var form = app.exchange(code)
                form.add(name, form[name] ?? "")
                let answer = try await app.ask("/oauth/token", form)
                #expect(answer.status == .badRequest && answer.oauthError == "invalid_request", "\(name)")
            }
            var form = app.exchange(code)
            for _ in 0..<3 { form.add("oauth_info", "x") }
            #expect(try await app.ask("/oauth/token", form).status == .ok)
        }
    }

    @Test(arguments: [
        #"{"code": {"a": 1}}"#, #"{"code": ["a"]}"#, #"{"code": 7}"#, #"{"code": null}"#, #"{"code": true}"#,
        #"{"grant_type": ["authorization_code"]}"#, #"{"grant_type": 1e400}"#, #"{"client_id": {}}"#, "[]", "7", "null",
        "", "{", #"{"a": "#, "\"\\ud800\"", #"{"code": "a", "code": "b"}"#, "\u{FEFF}{}",
        String(repeating: "[", count: 100_000), #"{"client_id": "\u0000"}"#, #"{"a": {"b": ["\u0000"]}}"#,
        #"{"\u0000": 1}"#, #"{"grant_type": "password"}"#,
    ])
    func `JSON of any shape is told by 4xx`(json: String) async throws {
        try await withInProcessPics(settings: ["PICS_WRONG_TOKEN_RATE": "0"]) { pics in
            let app = try await OAuthClient.register(pics)
            for path in ["/oauth/token", "/oauth/revoke", "/oauth/introspect", "/oauth/register", "/oauth/authorize"] {
                let answer = try await pics.send(
                    .post, path, body: .bytes(Array(json.utf8)), type: "application/json", isAnonymous: true)
                #expect((400..<500).contains(answer.status.code), "\(path)")

                guard var members = (try? JSONValue(parsing: Array(json.utf8)))?.object else { continue }
                members["client_secret"] = app.secret.map { .string($0) }
                if members["client_id"] == nil { members["client_id"] = .string(app.id) }
                if members["grant_type"] == nil { members["grant_type"] = "authorization_code" }
                let named = try await OAuthClient.post(pics, path, json: .object(members))
                #expect((400..<500).contains(named.status.code), "\(path)")
            }
        }
    }

    @Test func `random bodies in any shape are told by 4xx`() async throws {
        try await withInProcessPics(settings: ["PICS_WRONG_TOKEN_RATE": "0"]) { pics in
            var random = SplitMix64(seed: 41)
            let types = [
                nil, "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                "multipart/form-data", "text/plain", "application/x+json", ";", "application/json; charset=latin1",
            ]
            let pieces = [
                "grant_type=", "code", "=", "&", "%", "%00", "--x\r\n", "--x--",
                "Content-Disposition: form-data; name=\"code\"\r\n\r\n",
                "{", "}", "\"code\":", "[", "]", ",", "1", "\u{0}", "é", "\r\n",
            ]
            for _ in 0..<200 {
                var body: [UInt8] = []
                for _ in 0..<Int.random(in: 0...30, using: &random) {
                    if Bool.random(using: &random) {
                        body += Array((pieces.randomElement(using: &random) ?? "").utf8)
                    } else {
                        body.append(UInt8.random(in: 0...255, using: &random))
                    }
                }
                let path = ["/oauth/token", "/oauth/revoke", "/oauth/register"].randomElement(using: &random) ?? ""
                let answer = try await pics.send(
                    .post, path, body: .bytes(body), type: types.randomElement(using: &random) ?? nil, isAnonymous: true
                )
                #expect((400..<500).contains(answer.status.code), "\(body)")
            }
        }
    }

    @Test func `a body that is too long is refused, in any shape`() async throws {
        try await withInProcessPics { pics in
            let long = String(repeating: "a", count: 600_000)
            var multipart = MultipartForm()
            multipart.add("code", long)
            let bodies: [(OutgoingBody, String)] = [
                (.bytes(Array("code=\(long)".utf8)), "application/x-www-form-urlencoded"),
                (.bytes(Array("{\"code\": \"\(long)\"}".utf8)), "application/json"),
                (multipart.body, multipart.mediaType.description),
                (
                    .bytes(Array(String(repeating: "a[]=&", count: 20_000).utf8)),
                    "application/x-www-form-urlencoded"
                ),
            ]
            for (body, type) in bodies {
                let answer = try await pics.send(.post, "/oauth/token", body: body, type: type, isAnonymous: true)
                #expect([400, 413].contains(answer.status.code), "\(type)")
            }
        }
    }

    @Test func `no other grant is known`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            for grant in ["password", "implicit", "", "urn:ietf:params:oauth:grant-type:device_code", nil] {
                var form = app.credentials
                if let grant { form.add("grant_type", grant) }
                form.add("username", "admin")
                form.add("password", testPassword)
                let answer = try await app.ask("/oauth/token", form)
                #expect(answer.status == .badRequest && answer.oauthError == "unsupported_grant_type")
            }
        }
    }
}
