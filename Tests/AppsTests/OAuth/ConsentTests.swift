import Crypto
import HTTP
import TestPics
import TestTools
import Testing

/// The page on which a person decides about an app.
@Suite(.timeLimit(.minutes(5)))
struct ConsentTests {
    @Test func `an app is let in, uses its token, and is removed`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()

            let page = try await browser.open("/oauth/authorize?\(app.wish(scope: "read write").encoded)")
            #expect(page.status == 200)
            for text in ["Quill", "app.example", "admin", "see your photos", "post photos", "delete your photos"] {
                #expect(page.text.contains(text), "\(text)")
            }
            let tokens = try await app.letIn(&browser, scope: "read write")
            #expect(tokens.scope == "read write")
            #expect(try await app.works(tokens.access))
            let me = try await pics.call(.get, "/v1/me", token: tokens.access).json
            #expect(me["name"] == "admin" && me["app"]?["name"] == "Quill" && me["app"]?["scope"] == "read write")

            let list = try await browser.open("/settings/apps")
            #expect(list.text.contains("Quill") && list.text.contains("see your photos"))
            let remove = try #require(list.text.firstMatch(of: #/action="(\/settings\/apps\/[^"]+\/remove)"/#)?.1)
            #expect(try await browser.submit([:], to: String(remove), from: "/settings/apps").status == 303)

            #expect(try await !app.works(tokens.access))
            #expect(
                try await app.ask("/oauth/token", app.refreshing(tokens.refresh ?? "")).oauthError == "invalid_grant")
            #expect(try await !browser.open("/settings/apps").text.contains("Quill"))
            #expect(try await pics.grants() == 0)
        }
    }

    @Test func `nobody removes an app of somebody else`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let tokens = try await app.letIn(&browser)
            let list = try await browser.open("/settings/apps").text
            let remove = String(try #require(list.firstMatch(of: #/action="(\/settings\/apps\/[^"]+\/remove)"/#)?.1))
            try await pics.letIn("alice")
            var alice = try await pics.browser(of: "alice")

            #expect(try await alice.submit([:], to: remove, from: "/settings/apps").status == 404)
            #expect(try await !alice.open("/settings/apps").text.contains("Quill"))
            #expect(try await app.works(tokens.access))
        }
    }

    @Test func `who has not signed in signs in first, and comes back to the same request`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            try await pics.letIn("admin")
            var browser = Browser(pics)
            let wish = app.wish(state: "a&b=c%20d \"<é>")

            let refused = try await browser.open("/oauth/authorize?\(wish.encoded)")
            #expect(refused.status == 303)
            let login = try #require(refused.location)
            let next = try #require(FormFields(login.replacing("/login?", with: ""))?["next"])
            let back = try await browser.signIn("admin", testPassword, next: next)

            #expect(back.location == "/oauth/authorize?\(wish.encoded)")
            let page = try await browser.open(try #require(back.location))
            let answer = try await browser.post(try app.form(of: page, "allow"), to: "/oauth/authorize")
            #expect(try OAuthClient.parameters(of: answer)["state"] == "a&b=c%20d \"<é>")
        }
    }

    /// Each differs from the registered address in one thing.
    @Test func `to an address that is not the app's nobody is sent, and no consent is kept`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let variants = [
                "https://app.example.evil/callback", "https://app.example/callback/../x",
                "https://app.example/callback?x", "https://app.example/callback#x",
                "https://app.example/%2e%2e/callback",
                "https://app.example/%63allback", "https://APP.example/callback", "https://app.example:443/callback",
                "https://app.example\\@evil.example/callback", "https://app.example/callback\t", "https://app.example/",
                "https://user@app.example/callback", "javascript:alert(1)", "//app.example/callback", "/settings", "",
                "urn:ietf:wg:oauth:2.0:oob", "https://app.example/callback\r\nLocation: https://evil.example/",
            ]
            for redirect in variants {
                var wish: FormFields = [
                    "response_type": "code", "client_id": app.id, "redirect_uri": redirect,
                    "code_challenge": OAuthClient.challenge, "code_challenge_method": "S256",
                ]
                for decision in ["allow", "deny"] {
                    let page = try await browser.open("/oauth/authorize?\(wish.encoded)")
                    #expect(page.status == 400 && page.location == nil, "\(redirect)")
                    #expect(!page.text.contains("href=\"\(redirect)") || redirect.isEmpty || redirect == "/settings")
                    let answer = try await browser.submit(
                        ["request": wish.encoded, "decision": decision], to: "/oauth/authorize", from: "/settings")
                    #expect(answer.status == 400 && answer.location == nil, "\(redirect)")
                }
                wish.add("decision", "allow")
            }
            for wish: FormFields in [
                ["response_type": "code", "client_id": app.id],
                ["response_type": "code", "client_id": "app_unknown", "redirect_uri": app.redirect],
                ["response_type": "code", "redirect_uri": app.redirect], [:],
                ["response_type": "code", "client_id": "", "redirect_uri": app.redirect],
                ["response_type": "code", "client_id": "https://localhost/", "redirect_uri": "https://localhost/cb"],
            ] {
                let page = try await browser.open("/oauth/authorize?\(wish.encoded)")
                #expect(page.status == 400 && page.location == nil && !page.text.contains("href=\"https:"))
            }
            #expect(try await pics.grants() == 0)
        }
    }

    @Test func `what the app has asked wrongly is shown with a way back to it, and nobody is sent there by itself`()
        async throws
    {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics, scope: "read:statuses")
            var browser = try await pics.browser()
            let start: FormFields = ["client_id": app.id, "redirect_uri": app.redirect, "state": "s&t"]
            let wrong: [(FormFields, String)] = [
                (["response_type": "token"], "unsupported_response_type"), ([:], "unsupported_response_type"),
                (["response_type": "code", "scope": "write"], "invalid_scope"),
                (["response_type": "code", "scope": "read"], "invalid_scope"),
                (["response_type": "code", "scope": "admin:read"], "invalid_scope"),
                (["response_type": "code", "scope": "read:statuses nonsense"], "invalid_scope"),
                (["response_type": "code", "scope": String(repeating: "read:statuses ", count: 200)], "invalid_scope"),
                (["response_type": "code", "code_challenge": OAuthClient.challenge], "invalid_request"),
                (
                    [
                        "response_type": "code", "code_challenge": OAuthClient.verifier,
                        "code_challenge_method": "plain",
                    ],
                    "invalid_request"
                ),
                (
                    [
                        "response_type": "code", "code_challenge": OAuthClient.challenge + "=",
                        "code_challenge_method": "S256",
                    ], "invalid_request"
                ),
                (
                    [
                        "response_type": "code", "code_challenge": String(OAuthClient.challenge.dropLast()),
                        "code_challenge_method": "S256",
                    ], "invalid_request"
                ),
                (
                    [
                        "response_type": "code", "code_challenge": OAuthClient.challenge,
                        "code_challenge_method": "s256",
                    ], "invalid_request"
                ),
            ]
            for (others, error) in wrong {
                var wish = start
                for pair in others.pairs { wish.add(pair.name, pair.value) }
                let page = try await browser.open("/oauth/authorize?\(wish.encoded)")

                #expect(page.status == 400 && page.location == nil, "\(others)")
                let link = try #require(page.text.firstMatch(of: #/href="(https:\/\/app.example[^"]*)"/#)?.1)
                let told = FormFields(String(link).unescaped.replacing("\(app.redirect)?", with: ""))
                #expect(told?["error"] == error && told?["state"] == "s&t" && told?["iss"] == "\(pics.base)/")
            }
            #expect(try await pics.grants() == 0)
        }
    }

    @Test func `a parameter that comes twice is refused`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            for name in ["client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge"] {
                let again = "\(name)=\(PercentEncoding.encode(app.wish()[name] ?? ""))"
                let page = try await browser.open("/oauth/authorize?\(app.wish().encoded)&\(again)")
                #expect(page.status == 400 && page.location == nil, "\(name)")
            }
            // What nobody reads may come as often as it likes.
            let page = try await browser.open("/oauth/authorize?\(app.wish().encoded)&lang=en&lang=ja")
            #expect(page.status == 200)
        }
    }

    @Test(arguments: [
        "xyz", "a&b", "100%", "%26", "a+b c", "line\nend", "line\r\nend", "\rx", "写真 📷", "\"<script>'&amp;", "=", "?#/",
        "e\u{301}",
    ])
    func `the state comes back as it was sent, with the issuer, after consent and denial`(state: String) async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()

            for decision in ["allow", "deny"] {
                let answer = try await app.decide(&browser, app.wish(state: state), decision)

                #expect(answer.status == 303)
                #expect(answer.location?.hasPrefix("\(app.redirect)?") == true)
                let told = try OAuthClient.parameters(of: answer)
                #expect(told["state"].map { Array($0.utf8) } == Array(state.utf8))
                #expect(told["iss"] == "\(pics.base)/")
                #expect(told["error"] == (decision == "deny" ? "access_denied" : nil))
                #expect((told["code"] != nil) == (decision == "allow"))
            }
        }
    }

    @Test func `a state of four kilobytes comes back, and a longer one is refused`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()

            let answer = try await app.decide(&browser, app.wish(state: String(repeating: "s", count: 4096)))
            #expect(try OAuthClient.parameters(of: answer)["state"]?.utf8.count == 4096)
            let longer = try await app.decide(&browser, app.wish(state: String(repeating: "s", count: 4097)))
            #expect(longer.status == 400 && longer.location == nil)
        }
    }

    @Test func `random bytes as address and state never split an answer or lead anywhere`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            var random = SplitMix64(seed: 40)
            for _ in 0..<60 {
                let bytes = (0..<Int.random(in: 1...80, using: &random)).map { _ in
                    UInt8.random(in: 1...255, using: &random)
                }
                let text = String(decoding: bytes, as: UTF8.self)
                var wish = app.wish(state: text)

                let answer = try await app.decide(&browser, wish)
                #expect(answer.status == 303 && answer.location?.hasPrefix("\(app.redirect)?code=") == true)
                #expect(answer.location?.utf8.allSatisfy { (0x21...0x7E).contains($0) } == true)

                wish = ["response_type": "code", "client_id": app.id, "redirect_uri": text]
                let elsewhere = try await browser.open("/oauth/authorize?\(wish.encoded)")
                #expect(elsewhere.status == 400 && elsewhere.location == nil)
            }
        }
    }

    @Test func `only a form of the page in the same session lets an app in`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            try await pics.letIn("alice")
            var alice = try await pics.browser(of: "alice")
            let address = "/oauth/authorize?\(app.wish().encoded)"

            // By an address.
            for query in ["&decision=allow", "&allow=1", "&decision=allow&form_token=x"] {
                let page = try await browser.open(address + query)
                #expect(page.status == 200 && page.location == nil)
            }
            // From elsewhere, with the right token.
            let form = try app.form(of: try await browser.open(address), "allow")
            for fields: HTTPFields in [
                ["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
                ["Sec-Fetch-Site": "same-site"],
            ] {
                let page = try await browser.post(form, to: "/oauth/authorize", with: fields)
                #expect(page.status == 403 && page.location == nil)
            }
            // With the token of another session, and without one.
            let foreign = try app.form(of: try await alice.open(address), "allow")
            #expect(try await browser.post(foreign, to: "/oauth/authorize").status == 403)
            #expect(try await browser.submit([:], to: "/oauth/authorize", from: "/login").status == 403)
            #expect(try await pics.grants() == 0)

            #expect(try await browser.post(form, to: "/oauth/authorize").status == 303)
            #expect(try await pics.grants() == 1)
        }
    }

    @Test func `every page of the way is kept by nobody, framed by nobody, and holds no script`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            let typed = try await OAuthClient.register(pics, redirect: "urn:ietf:wg:oauth:2.0:oob")
            var browser = try await pics.browser()
            let pages = [
                try await browser.open("/oauth/authorize?\(app.wish().encoded)"),
                try await browser.open("/oauth/authorize/?\(app.wish().encoded)"),
                try await browser.open("/oauth/authorize?client_id=x"),
                try await browser.open("/oauth/authorize?\(app.wish(scope: "nonsense").encoded)"),
                try await app.decide(&browser, app.wish()), try await app.decide(&browser, app.wish(), "deny"),
                try await typed.decide(&browser, typed.wish()),
            ]
            #expect(pages.map(\.status) == [200, 200, 400, 400, 303, 303, 200])
            for page in pages {
                #expect(page.fields["Cache-Control"] == "no-store")
                guard page.status != 303 else { continue }
                #expect(["no-referrer", "same-origin"].contains(page.fields["Referrer-Policy"]))
                #expect(page.fields["X-Frame-Options"] == "DENY")
                #expect(page.fields["Cross-Origin-Opener-Policy"] == nil)
                let policy = try #require(page.fields["Content-Security-Policy"])
                #expect(policy.hasPrefix("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("form-action"))
                #expect(!page.text.contains("<script") && !page.text.contains("<img"))
            }
            #expect(pages[6].text.contains(">code_"))
        }
    }

    @Test func `a code that is typed in is exchanged with the address that stands for none`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics, redirect: "urn:ietf:wg:oauth:2.0:oob")
            var browser = try await pics.browser()

            let page = try await app.decide(&browser, app.wish())
            let code = String(try #require(page.text.firstMatch(of: #/>(code_[^<]+)</#)?.1))

            let tokens = try await app.tokens(app.exchange(code, redirect: app.redirect))
            #expect(try await app.works(tokens.access))
            #expect(try await app.decide(&browser, app.wish(), "deny").location == "/")
        }
    }

    @Test func `an app that forces a sign-in needs the password of a session that is not fresh`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            try await pics.change("UPDATE sessions SET created_at = created_at - interval '1 hour'")
            for name in ["force_login", "prompt"] {
                var wish = app.wish()
                wish.add(name, name == "prompt" ? "login" : "true")

                #expect(try await browser.open("/oauth/authorize?\(wish.encoded)").text.contains("type=\"password\""))
                #expect(try await app.decide(&browser, wish).status == 422)
                #expect(try await app.decide(&browser, wish, "allow", ["password": "wrong"]).status == 422)
                #expect(try await pics.grants() == 0)
                #expect(try await app.decide(&browser, wish, "deny").status == 303)
                #expect(try await app.decide(&browser, wish, "allow", ["password": testPassword]).status == 303)
                try await pics.change("DELETE FROM app_grants")
            }
            var silent = app.wish()
            silent.add("prompt", "none")
            #expect(try await browser.open("/oauth/authorize?\(silent.encoded)").status == 200)
        }
    }

    @Test func `the page is shown each time, also to who has let the app in before`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let first = try await app.letIn(&browser)

            let page = try await browser.open("/oauth/authorize?\(app.wish().encoded)")
            #expect(page.status == 200 && page.location == nil)
            let second = try await app.letIn(&browser)

            #expect(try await app.works(first.access))
            #expect(try await app.works(second.access))
            #expect(try await pics.grants() == 2)
        }
    }

    @Test func `another account signs out and comes back to the request`() async throws {
        try await withInProcessPics { pics in
            let app = try await OAuthClient.register(pics)
            var browser = try await pics.browser()
            let page = try await browser.open("/oauth/authorize?\(app.wish().encoded)")
            let next = String(try #require(page.text.firstMatch(of: #/name="next" value="([^"]+)"/#)?.1)).unescaped

            let left = try await browser.submit(["next": next], to: "/logout", from: "/settings")

            #expect(left.location == "/login?next=\(PercentEncoding.encode(next))")
            let asked = try #require(FormFields(next.replacing("/oauth/authorize?", with: "")))
            #expect(app.wish().pairs.allSatisfy { asked[$0.name] == $0.value })
            #expect(try await !browser.isSignedIn())
        }
    }
}
