import Domain
import HTTP
import TestPics
import Testing

/// What a token of an app opens.
@Suite(.timeLimit(.minutes(5)))
struct AppRightsTests {
    /// With every word that Pics knows.
    private static let everything = "read write follow push profile create draft media update delete undelete email"

    @Test func `an app's token opens nothing of the API but who its user is`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics, scope: Self.everything)
            var browser = try await pics.browser()
            let tokens = try await app.letIn(&browser, scope: Self.everything)
            let uuid = "018f0000-0000-7000-8000-000000000000"

            let paths = pics.routes.filter { $0.path.hasPrefix("/v1") && $0.method != .options }
            #expect(paths.count > 40)
            for route in paths where route.path != "/v1/me" {
                let path = route.path.replacing(#/\{[a-z]+\}/#, with: uuid)
                let status = try await pics.status(route.method, path, token: tokens.access)
                #expect(status == 403, "\(route.method) \(path)")
            }
            #expect(try await pics.status(.get, "/v1/me", token: tokens.access) == 200)
            #expect(try await pics.status(.get, "/metrics", token: tokens.access) == 403)
            for path in ["/v1/connections", "/v1/export", "/v1/webhooks", "/v1/settings", "/v1/photos"] {
                let known = paths.contains { $0.path.hasPrefix(path) }
                #expect(known, "\(path)")
            }
        }
    }

    @Test func `a token is no session, and opens no page`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let tokens = try await app.letIn(&browser)
            var stranger = Browser(pics)
            let bearer: HTTPFields = ["Authorization": "Bearer \(tokens.access)"]

            for path in ["/settings", "/settings/apps", "/oauth/authorize?\(app.wish().encoded)", "/new"] {
                #expect(try await stranger.open(path, with: bearer).location?.hasPrefix("/login") == true, "\(path)")
            }
        }
    }

    @Test func `an app's own token is of nobody`() async throws {
        try await withInProcessPics(settings: ["PICS_WRONG_TOKEN_RATE": "0"]) { pics in
            let app = try await OAuthClient.register(pics)
            let open = try await OAuthClient.register(pics, hasSecret: false)
            let own = try await app.tokens(app.credentials + ["grant_type": "client_credentials", "scope": "read"])
            #expect(try JSONValue(parsing: own.answer.body)["me"] == nil)

            for path in ["/v1/me", "/v1/photos", "/oauth/userinfo", "/metrics"] {
                let answer = try await pics.ask(.get, path, token: own.access)
                #expect([401, 403].contains(answer.status.code), "\(path)")
            }
            let question = try await app.ask("/oauth/introspect", app.credentials + ["token": own.access])
            #expect(question.text == #"{"active":false}"#)
            let refused = try await open.ask("/oauth/token", open.credentials + ["grant_type": "client_credentials"])
            #expect(refused.status == .badRequest && refused.oauthError == "unauthorized_client")
            #expect(try await app.ask("/oauth/revoke", app.credentials + ["token": own.access]).status == .ok)
            #expect(try await pics.number("SELECT count(*) FROM app_tokens") == 0)
        }
    }

    @Test func `userinfo is told to who may see the profile`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics, scope: "profile write:media")
            var browser = try await pics.browser()
            let tokens = try await app.letIn(&browser, scope: "profile")
            let files = try await app.letIn(&browser, scope: "write:media")

            let info = try await pics.ask(.get, "/oauth/userinfo", token: tokens.access)
            #expect(try JSONValue(parsing: info.body)["preferred_username"] == "admin")
            let refused = try await pics.ask(.get, "/oauth/userinfo", token: files.access)
            #expect(refused.status == .forbidden && refused.oauthError == "insufficient_scope")
            #expect(refused.fields["WWW-Authenticate"]?.contains("insufficient_scope") == true)
            let nobody = try await pics.send(.get, "/oauth/userinfo", isAnonymous: true)
            #expect(nobody.status == .unauthorized && nobody.fields["WWW-Authenticate"] == "Bearer realm=\"pics\"")
        }
    }

    @Test func `without a scope an app gets what it may at most, and never more than it has registered`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics, scope: "profile read:statuses")
            var browser = try await pics.browser()

            #expect(try await app.letIn(&browser, scope: nil).scope == "profile read:statuses")
            #expect(try await app.letIn(&browser, scope: "  ").scope == "profile read:statuses")

            // An app of Mastodon's that says nothing asks for `read`.
            try await pics.change("UPDATE apps SET kind = 'mastodon'")
            let page = try await app.decide(&browser, app.wish(scope: nil))
            #expect(page.status == 400 && page.location == nil)
            try await pics.change("UPDATE apps SET scopes = 'read write'")
            #expect(try await app.letIn(&browser, scope: nil).scope == "read")
        }
    }

    @Test func `a person reads what they grant, and that alone is granted`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics, scope: "profile write:media follow")
            var browser = try await pics.browser()

            let page = try await browser.open("/oauth/authorize?\(app.wish(scope: "profile").encoded)")
            #expect(page.text.contains("see your name") && !page.text.contains("upload files"))
            let nothing = try await browser.open("/oauth/authorize?\(app.wish(scope: "follow").encoded)")
            #expect(nothing.text.contains("nothing else"))
            let tokens = try await app.letIn(&browser, scope: "follow")
            #expect(tokens.scope == "follow")
            #expect(try await pics.status(.get, "/v1/me", token: tokens.access) == 403)
        }
    }

    @Test func `an app that its user has not let in holds nothing of them`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()

            #expect(try await app.decide(&browser, app.wish(), "deny").status == 303)
            #expect(try await app.decide(&browser, app.wish(), "").status == 303)
            #expect(try await app.decide(&browser, app.wish(), "ALLOW").status == 303)

            #expect(try await pics.grants() == 0)
            #expect(try await browser.open("/settings/apps").text.contains("No app is allowed"))
        }
    }

    @Test func `an app that asks who its user is gets that for its code, once, and no token`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics, scope: "profile write:media")
            var browser = try await pics.browser()
            for (scope, knowsProfile) in [("profile", true), ("write:media", false)] {
                let code = try await app.code(&browser, app.wish(scope: scope))
                let wrong = try await app.ask("/oauth/authorize", app.exchange(code) + ["code": "twice"])
                #expect(wrong.oauthError == "invalid_request")

                let answer = try await app.ask("/oauth/authorize", app.exchange(code))

                let json = try JSONValue(parsing: answer.body)
                #expect(answer.status == .ok && answer.fields["Cache-Control"] == "no-store")
                #expect(json["me"]?.string == "\(pics.base)/u/admin" && json["access_token"] == nil)
                #expect((json["profile"]?["name"] == "admin") == knowsProfile)
                for path in ["/oauth/authorize", "/oauth/token"] {
                    #expect(try await app.ask(path, app.exchange(code)).oauthError == "invalid_grant")
                }
            }
            let code = try await app.code(&browser, app.wish(scope: "profile"))
            let forged = app.exchange(code, verifier: String(repeating: "x", count: 43))
            #expect(try await app.ask("/oauth/authorize", forged).oauthError == "invalid_grant")
            #expect(try await pics.grants() == 0)
        }
    }

    @Test func `so many addresses of apps are read for a person a minute`() async throws {
        try await withInProcessPics(settings: ["PICS_WEBHOOK_RATE": "2"]) { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let site: FormFields = ["response_type": "code", "client_id": "https://localhost/", "redirect_uri": "a:/"]
            let address = "/oauth/authorize?\(site.encoded)"

            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await browser.open(address).status) }

            #expect(statuses == [400, 400, 429])
            // One that has registered is not read.
            #expect(try await browser.open("/oauth/authorize?\(app.wish().encoded)").status == 200)
        }
    }
}
