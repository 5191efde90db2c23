import Crypto
import Foundation
import HTTP
import TestPics
import Testing

/// Refreshing, ending and asking about tokens.
@Suite(.timeLimit(.minutes(5)))
struct TokenLifeTests {
    @Test func `a refresh token is good once and gives the next`() async throws {
        try await withInProcessPics { pics in
            for hasSecret in [true, false] {
                let app = try await OAuthClient.register(pics, hasSecret: hasSecret)
                var browser = try await pics.browser()
                var tokens = try await app.letIn(&browser, scope: "read write")
                for _ in 0..<3 {
                    let next = try await app.tokens(app.refreshing(try #require(tokens.refresh)))
                    #expect(next.access != tokens.access && next.refresh != tokens.refresh)
                    #expect(next.scope == "read write")
                    #expect(try await app.works(next.access))
                    tokens = next
                }
            }
        }
    }

    /// Also where the second use asks for a scope.
    @Test(arguments: [nil, "read", "write", ""])
    func `a refresh token that comes a second time ends all that came of its consent`(scope: String?) async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let first = try await app.letIn(&browser)
            let old = try #require(first.refresh)
            let second = try await app.tokens(app.refreshing(old))

            let stolen = try await app.ask("/oauth/token", app.refreshing(old, scope: scope))

            #expect(stolen.status == .badRequest && stolen.oauthError == "invalid_grant")
            #expect(try await !app.works(first.access))
            #expect(try await !app.works(second.access))
            let next = try await app.ask("/oauth/token", app.refreshing(try #require(second.refresh)))
            #expect(next.oauthError == "invalid_grant")
            #expect(try await pics.grants() == 0)
        }
    }

    @Test func `another app's refresh token is worth nothing, and is dead then`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            let other = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let tokens = try await app.letIn(&browser)

            for scope in [nil, "read"] {
                let answer = try await other.ask(
                    "/oauth/token", other.refreshing(try #require(tokens.refresh), scope: scope))
                #expect(answer.oauthError == "invalid_grant")
            }

            #expect(try await !app.works(tokens.access))
        }
    }

    @Test func `a refresh may ask for less, and not for more`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics, scope: "profile read")
            var browser = try await pics.browser()
            let tokens = try await app.letIn(&browser, scope: "profile read:statuses")
            let refresh = try #require(tokens.refresh)
            for scope in ["write", "read", "profile write:media", "admin", "nonsense"] {
                let answer = try await app.ask("/oauth/token", app.refreshing(refresh, scope: scope))
                #expect(answer.status == .badRequest && answer.oauthError == "invalid_scope", "\(scope)")
            }

            let less = try await app.tokens(app.refreshing(refresh, scope: "read:statuses"))

            #expect(less.scope == "read:statuses")
            #expect(try await pics.ask(.get, "/v1/me", token: less.access).status == .forbidden)
            var question = app.credentials
            question.add("token", less.access)
            let known = try JSONValue(parsing: try await app.ask("/oauth/introspect", question).body)
            #expect(known["scope"] == "read:statuses")
            // The next one may have all again; an empty one is none.
            let all = try await app.tokens(app.refreshing(try #require(less.refresh), scope: ""))
            #expect(all.scope == "profile read:statuses")
        }
    }

    @Test func `an app that does not refresh has tokens without an end`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.registerLasting(pics)
            var browser = try await pics.browser()

            let tokens = try await app.letIn(&browser)

            #expect(tokens.refresh == nil)
            #expect(try JSONValue(parsing: tokens.answer.body)["expires_in"] == nil)
            try await pics.change("UPDATE tokens SET created_at = created_at - interval '5 years'")
            #expect(try await app.works(tokens.access))
        }
    }

    @Test func `an access token that is refreshed ends after two hours`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let tokens = try await app.letIn(&browser)
            #expect(
                try await pics.number(
                    "SELECT count(*) FROM tokens WHERE expires_at BETWEEN now() + '119 min' AND now() + '120 min'") == 1
            )

            try await pics.change("UPDATE tokens SET expires_at = now() WHERE grant_id IS NOT NULL")

            #expect(try await !app.works(tokens.access))
            #expect(try await app.ask("/oauth/token", app.refreshing(try #require(tokens.refresh))).status == .ok)
        }
    }

    @Test func `an app ends its access with either token, at once`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            for isRefreshToken in [true, false] {
                let tokens = try await app.letIn(&browser)
                var form = app.credentials
                form.add("token", isRefreshToken ? try #require(tokens.refresh) : tokens.access)
                #expect(try await app.works(tokens.access))

                let answer = try await app.ask("/oauth/revoke", form)

                #expect(answer.status == .ok && answer.text == "{}")
                let refused = try await pics.ask(.get, "/v1/me", token: tokens.access)
                #expect(refused.status == .unauthorized)
                #expect(refused.fields["WWW-Authenticate"]?.contains("error=\"invalid_token\"") == true)
                let again = try await app.ask("/oauth/token", app.refreshing(try #require(tokens.refresh)))
                #expect(again.oauthError == "invalid_grant")
                #expect(try await app.ask("/oauth/revoke", form).status == .ok)
            }
            var unknown = app.credentials
            unknown.add("token", "no token of ours")
            #expect(try await app.ask("/oauth/revoke", unknown).status == .ok)
            #expect(try await app.ask("/oauth/revoke", app.credentials).oauthError == "invalid_request")
        }
    }

    @Test func `nobody else ends an app's access`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            let other = try await OAuthClient.register(pics)
            let open = try await OAuthClient.register(pics, hasSecret: false)
            var browser = try await pics.browser()
            let tokens = try await app.letIn(&browser)
            let openTokens = try await open.letIn(&browser)

            var form = other.credentials
            form.add("token", tokens.access)
            let foreign = try await app.ask("/oauth/revoke", form)
            #expect(foreign.status == .forbidden && foreign.oauthError == "unauthorized_client")
            #expect(try await app.ask("/oauth/revoke", ["token": tokens.access]).status == .forbidden)
            let wrong = try await app.ask(
                "/oauth/revoke", ["token": tokens.access, "client_id": app.id, "client_secret": "wrong"])
            #expect(wrong.status == .unauthorized)
            #expect(try await app.works(tokens.access))
            // A token of the person's own, and another's.
            #expect(try await app.ask("/oauth/revoke", ["token": pics.token]).status == .ok)
            #expect(try await pics.ask(.get, "/v1/me").status == .ok)
            // An app without a secret has nothing to show but the token.
            #expect(try await open.ask("/oauth/revoke", ["token": openTokens.access]).status == .ok)
            #expect(try await !open.works(openTokens.access))
        }
    }

    @Test func `an app learns of its own tokens alone, by form and by Basic`() async throws {
        try await withInProcessPics(settings: ["PICS_WRONG_TOKEN_RATE": "0"]) { pics in
            let app = try await OAuthClient.register(pics)
            let other = try await OAuthClient.register(pics)
            let open = try await OAuthClient.register(pics, hasSecret: false)
            var browser = try await pics.browser()
            let tokens = try await app.letIn(&browser, scope: "read write:media")
            var form = app.credentials
            form.add("token", tokens.access)
            let basic = "Basic \(Base64.encode(Array("\(app.id):\(app.secret ?? "")".utf8)))"

            for answer in [
                try await app.ask("/oauth/introspect", form),
                try await app.ask("/oauth/introspect", ["token": tokens.access], ["Authorization": basic]),
            ] {
                let json = try JSONValue(parsing: answer.body)
                #expect(answer.status == .ok && json["active"] == true && json["scope"] == "read write:media")
                #expect(json["client_id"]?.string == app.id && json["username"] == "admin")
                #expect(json["iss"]?.string == "\(pics.base)/" && json["exp"]?.int != nil && json["iat"]?.int != nil)
                #expect(answer.fields["Cache-Control"] == "no-store")
            }
            var foreign = other.credentials
            foreign.add("token", tokens.access)
            for form: FormFields in [
                foreign, other.credentials + ["token": "unknown"], app.credentials + ["token": pics.token],
                app.credentials + ["token": tokens.refresh ?? ""],
            ] {
                #expect(try await app.ask("/oauth/introspect", form).text == #"{"active":false}"#)
            }
            for form: FormFields in [
                ["token": tokens.access], open.credentials + ["token": tokens.access],
                ["token": tokens.access, "client_id": app.id, "client_secret": "wrong"],
            ] {
                #expect(try await app.ask("/oauth/introspect", form).status == .unauthorized)
            }
            // A person asks about tokens that they have given.
            let own: HTTPFields = ["Authorization": "Bearer \(pics.token)"]
            #expect(try await app.ask("/oauth/introspect", ["token": tokens.access], own).text.contains("true"))
            let alice = try await pics.addUser("alice")
            let others: HTTPFields = ["Authorization": "Bearer \(alice)"]
            let unknown = try await app.ask("/oauth/introspect", ["token": tokens.access], others)
            #expect(unknown.text == #"{"active":false}"#)
            var end = app.credentials
            end.add("token", tokens.access)
            #expect(try await app.ask("/oauth/revoke", end).status == .ok)
            #expect(try await app.ask("/oauth/introspect", form).text == #"{"active":false}"#)
        }
    }

    @Test func `the tokens of a deleted user are dead, and so are the codes`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            try await pics.letIn("alice")
            var alice = try await pics.browser(of: "alice")
            let tokens = try await app.letIn(&alice)
            let code = try await app.code(&alice)
            #expect(try await app.works(tokens.access))

            #expect(try await pics.number("SELECT leave(id)::int FROM users WHERE name = 'alice'") == 1)

            #expect(try await !app.works(tokens.access))
            for form in [app.exchange(code), app.refreshing(try #require(tokens.refresh))] {
                #expect(try await app.ask("/oauth/token", form).oauthError == "invalid_grant")
            }
            var question = app.credentials
            question.add("token", tokens.access)
            #expect(try await app.ask("/oauth/introspect", question).text == #"{"active":false}"#)
            #expect(try await pics.grants() == 0)
        }
    }

    @Test func `a new password ends sessions and leaves apps in`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let tokens = try await app.letIn(&browser)

            try await pics.letIn("admin", "another horse battery")

            #expect(try await !browser.isSignedIn())
            #expect(try await app.works(tokens.access))
        }
    }

    @Test func `the database holds no token, code or secret`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let code = try await app.code(&browser)
            let tokens = try await app.tokens(app.exchange(code))
            let own = try await app.tokens(app.credentials + ["grant_type": "client_credentials"])
            let waiting = try await app.code(&browser)

            let rows = try await pics.rows(of: [
                "apps", "app_grants", "authorization_codes", "refresh_tokens", "app_tokens", "tokens",
            ])

            #expect(rows.contains(app.id))
            for secret in [code, waiting, tokens.access, tokens.refresh, own.access, app.secret] {
                let secret = try #require(secret)
                #expect(!rows.contains(secret) && !rows.contains(String(secret.suffix(43))))
            }
        }
    }

    @Test func `the log holds no code, token, secret or state`() async throws {
        try await withInProcessPics(settings: ["PICS_ACCESS_LOG": "true"]) { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let wish = app.wish(state: "a-state-that-nobody-logs")
            let code = try await app.code(&browser, wish)
            let tokens = try await app.tokens(app.exchange(code))
            _ = try await app.ask("/oauth/token", app.exchange(code))
            _ = try await app.ask("/oauth/token?code=\(code)&client_secret=\(app.secret ?? "")", [:])
            _ = try await app.decide(&browser, wish, "deny")
            var end = app.credentials
            end.add("token", tokens.access)
            _ = try await app.ask("/oauth/revoke", end)
            _ = try await pics.send(.get, "/v1/me?access_token=\(tokens.access)", isAnonymous: true)

            let log = pics.logged
            #expect(log.contains("path=/oauth/token") && log.contains("path=/oauth/authorize"))
            for secret in [
                code, tokens.access, tokens.refresh, app.secret, "a-state-that-nobody-logs", OAuthClient.challenge,
                OAuthClient.verifier,
            ] {
                #expect(!log.contains(try #require(secret)))
            }
        }
    }
}
