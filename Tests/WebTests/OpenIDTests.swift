import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// Signing in by an issuer of OpenID Connect, and linking who somebody is there.
@Suite(.timeLimit(.minutes(5)))
struct OpenIDTests {
    private static let path = "/settings/identities"

    /// Runs `body` with an operator who has chosen an issuer.
    private func withIssuer(
        settings: [String: String] = [:], _ body: (InProcessPics, FakeIssuer, FakeHost) async throws -> Void
    ) async throws {
        let fake = try FakeIssuer()
        let host = FakeHost(fake)
        let server = try await FakeServer(host, on: try EventLoop(name: "issuer"))
        let result: Result<Void, any Error>
        do {
            let own = [
                "PICS_OIDC_ISSUER": "\(server.url)/", "PICS_OIDC_CLIENT_ID": FakeIssuer.clientID,
                "PICS_OIDC_CLIENT_SECRET": FakeIssuer.clientSecret, "PICS_OIDC_NAME": "Example ID",
                "PICS_WRONG_PASSWORD_RATE": "0", "PICS_PRIVATE_SERVERS": "false",
            ]
            try await withInProcessPics(settings: own.merging(settings) { $1 }) { try await body($0, fake, host) }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await server.stop()
        try result.get()
    }

    /// Goes to the issuer from `start`, and comes back.
    private func goAround(_ browser: inout Browser, from start: String? = nil) async throws -> Browser.Page {
        let url = try #require(try await address(&browser, start))
        let callback = try #require(try await browser.open(url).location)
        return try await browser.open(callback)
    }

    private func address(_ browser: inout Browser, _ start: String? = nil) async throws -> String? {
        if let start { return start }
        let begun = try await browser.open("/sign-in/openid?next=%2Fsettings%2Ftokens")
        #expect(begun.status == 303)
        return begun.location
    }

    /// Links the issuer's person with who has signed in.
    private func link(_ browser: inout Browser) async throws -> Browser.Page {
        let page = try await browser.submit([:], to: "\(Self.path)/link", from: Self.path)
        let found = page.text.firstMatch(of: #/<a class="button" href="([^"]+)" rel/#)
        let url = try #require(found.map { String($0.1).replacing("&amp;", with: "&") })
        return try await goAround(&browser, from: url)
    }

    @Test func `a linked identity signs in, and goes where it was going`() async throws {
        try await withIssuer { pics, _, host in
            var settings = try await pics.browser()
            #expect(try await link(&settings).location == "\(Self.path)?done=linked")
            #expect(try await settings.open(Self.path).text.contains("ann@example.org"))
            var browser = Browser(pics)
            #expect(try await browser.open("/login").text.contains("Sign in with Example ID"))

            let back = try await goAround(&browser)

            #expect(back.status == 303 && back.location == "/settings/tokens")
            #expect(try await browser.isSignedIn())
            #expect(browser.cookies["pics_openid"] == nil)
            // What it says of itself, and its keys, are read once.
            #expect(host.requests.filter { $0.route == "GET /keys" }.count == 1)
            #expect(!pics.logged.contains(FakeIssuer.clientSecret) && !pics.logged.contains("code="))
        }
    }

    @Test func `whoever is unknown gets no account, not even by the mail address of somebody here`() async throws {
        try await withIssuer { pics, fake, _ in
            var settings = try await pics.browser()
            _ = try await link(&settings)
            fake.set(subject: "another", email: "ann@example.org")
            var browser = Browser(pics)

            let page = try await goAround(&browser)

            #expect(page.status == 403 && page.text.contains("is not linked with a user here"))
            #expect(try await !browser.isSignedIn())
        }
    }

    @Test func `where the operator wants it, people become users, each once`() async throws {
        try await withIssuer(settings: ["PICS_OIDC_REGISTER": "true"]) { pics, fake, _ in
            fake.set(subject: "1", email: "Admin@example.org")
            var browser = Browser(pics)
            #expect(try await goAround(&browser).location == "/settings/tokens")
            // The name of somebody else is not theirs, nor is their account.
            let settings = try await browser.open("/settings")
            #expect(settings.text.contains("admin-2") && !settings.text.contains("You are an admin"))
            var again = Browser(pics)
            #expect(try await goAround(&again).location == "/settings/tokens")
            #expect(try await again.open("/settings").text.contains("admin-2"))

            // Without a password, a fresh session stands for it; later they sign in again.
            #expect(try await !browser.open("/settings/security").text.contains("name=\"password\""))
            let unlink = try #require(
                try await browser.open(Self.path).text.firstMatch(of: #/action="([^"]+\/unlink)"/#).map { String($0.1) }
            )
            let last = try await browser.submit([:], to: unlink, from: Self.path)
            #expect(last.status == 409 && last.text.contains("only way"))
            try await pics.change("UPDATE sessions SET created_at = now() - interval '1 hour'")
            #expect(try await browser.submit([:], to: unlink, from: Self.path).text.contains("sign in again"))
            try await pics.change("UPDATE sessions SET created_at = now()")
            let password: FormFields = [
                "new_password": "a new password for all", "new_password_again": "a new password for all",
            ]
            #expect(
                try await browser.submit(password, to: "/settings/password", from: "/settings").location
                    == "/settings/security?done=password")
            let done = try await browser.submit([:], to: unlink, from: Self.path)
            #expect(done.location == "\(Self.path)?done=unlinked")
            #expect(try await again.signIn("admin-2", "a new password for all").location == "/")
        }
    }

    @Test func `an identity is one user's, and is asked for a code where a password is`() async throws {
        try await withIssuer { pics, _, _ in
            var settings = try await pics.browser()
            _ = try await link(&settings)
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            #expect(try await link(&bob).location == "\(Self.path)?done=taken")
            try await pics.change(
                "INSERT INTO second_factors (user_id, sealed, last_step) SELECT id, '', 0 FROM users WHERE name = 'admin'"
            )
            try await pics.change(
                "INSERT INTO recovery_codes (user_id, hash) SELECT user_id, sha256('aaaabbbbccccdddd') FROM second_factors"
            )
            var browser = Browser(pics)

            let back = try await goAround(&browser)

            #expect(back.location == "/sign-in/code?next=%2Fsettings%2Ftokens")
            #expect(try await !browser.isSignedIn())
            let entered = try await browser.submit(
                ["code": "aaaa-bbbb-cccc-dddd"], to: "/sign-in/code", from: "/sign-in/code")
            #expect(entered.location == "/")
            #expect(try await browser.isSignedIn())
        }
    }

    @Test func `nobody ends in their browser what another began, or another session links`() async throws {
        try await withIssuer { pics, _, _ in
            var settings = try await pics.browser()
            var attacker = Browser(pics)
            let url = try #require(try await address(&attacker))
            let callback = try #require(try await attacker.open(url).location)
            var victim = Browser(pics)
            #expect(try await victim.open(callback).status == 400)
            // Also where the victim has begun one as well.
            _ = try await address(&victim)
            #expect(try await victim.open(callback).status == 400)
            #expect(try await !victim.isSignedIn())

            let page = try await settings.submit([:], to: "\(Self.path)/link", from: Self.path)
            let found = page.text.firstMatch(of: #/<a class="button" href="([^"]+)" rel/#)
            let link = try #require(found.map { String($0.1).replacing("&amp;", with: "&") })
            let linking = try #require(try await settings.open(link).location)
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            bob.keep("pics_openid", settings.cookies["pics_openid"] ?? "")
            #expect(try await bob.open(linking).status == 400)
            #expect(try await settings.open("/sign-in/openid/callback?state=x&code=y").status == 400)
            #expect(try await settings.open("/sign-in/openid/callback").status == 400)
        }
    }

    @Test(
        arguments: [
            ("iss", JSONValue.string("https://evil.example")), ("aud", "other"), ("aud", ["pics", "other"]),
            ("azp", "other"),
            ("exp", 1), ("iat", 1), ("iat", 9_999_999_999), ("nbf", 9_999_999_999), ("nonce", "other"), ("nonce", nil),
            ("sub", nil), ("sub", ""), ("exp", nil), ("iat", nil),
        ] as [(String, JSONValue?)])
    func `a token that says something else signs nobody in`(claim: String, value: JSONValue?) async throws {
        try await withIssuer { pics, fake, _ in
            var settings = try await pics.browser()
            _ = try await link(&settings)
            fake.change(claim, to: value)
            var browser = Browser(pics)

            let page = try await goAround(&browser)

            #expect(page.status == 502 && page.text.contains("was refused"))
            #expect(try await !browser.isSignedIn())
        }
    }

    @Test func `tokens that anybody could make, and an issuer that is another, are refused`() async throws {
        try await withIssuer { pics, fake, host in
            var settings = try await pics.browser()
            _ = try await link(&settings)
            for algorithm in ["none", "HS256", "stranger", "RS256"] {
                fake.sign(as: algorithm)
                var browser = Browser(pics)
                #expect(try await goAround(&browser).status == 502, "\(algorithm)")
            }
            fake.clear()
            host.fail("POST /token", .status(503))
            var browser = Browser(pics)
            let page = try await goAround(&browser)
            #expect(page.status == 502 && page.text.contains("does not answer"))
            #expect(try await goAround(&browser).location == "/settings/tokens")
        }
        try await withIssuer { (pics: InProcessPics, fake: FakeIssuer, _: FakeHost) async throws in
            fake.call(itself: "https://evil.example")
            var browser = Browser(pics)
            #expect(try await browser.open("/sign-in/openid").status == 502)
        }
    }
}
