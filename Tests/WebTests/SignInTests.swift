import Foundation
import HTTP
import TestPics
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SignInTests {
    private static let viaProxy = ["PICS_TRUSTED_PROXIES": "127.0.0.1"]

    @Test func `a user signs in once they have a password`() async throws {
        try await withInProcessPics { pics in
            var browser = Browser(pics)
            #expect(try await browser.open("/settings").location == "/login?next=%2Fsettings")
            #expect(try await browser.signIn("admin", testPassword).status == 422)
            try await pics.letIn("admin")

            let response = try await browser.signIn(" Admin", testPassword)

            #expect(response.status == 303 && response.location == "/")
            let settings = try await browser.open("/settings")
            #expect(settings.status == 200 && settings.text.contains("You are admin"))
            #expect(settings.fields["Cache-Control"] == "no-store")
            #expect(settings.fields["Content-Security-Policy"]?.contains("unsafe") == false)
            #expect(settings.fields["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
            #expect(!pics.logged.contains(testPassword))
        }
    }

    @Test func `an unknown user and a wrong password get the same answer`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            var browser = Browser(pics)
            _ = try await browser.open("/login")

            let unknown = try await browser.signIn("nobody", "wrong horse battery")
            let wrong = try await browser.signIn("admin", "wrong horse battery")

            #expect(unknown.status == 422 && wrong.status == 422)
            #expect(unknown.lasting.replacing("nobody", with: "admin") == wrong.lasting)
            #expect(wrong.lasting.contains("Wrong user name or password"))
        }
    }

    @Test func `a cookie that was planted before the sign-in is worth nothing after it`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            let planted = "session_\(String(repeating: "A", count: 43))"
            var victim = Browser(pics)
            victim.keep("pics_session", planted)

            #expect(try await victim.signIn("admin", testPassword).status == 303)

            #expect(victim.cookies["pics_session"] != planted)
            #expect(try await victim.isSignedIn())
            var thief = Browser(pics)
            thief.keep("pics_session", planted)
            #expect(try await !thief.isSignedIn())
        }
    }

    @Test func `signing in again ends the session before it`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")
            let earlier = browser
            browser.keep("pics_visit", "visit_\(String(repeating: "B", count: 43))")
            let token = try #require(try await Self.loginToken(pics, of: browser))

            let response = try await browser.post(
                ["name": "admin", "password": testPassword, "form_token": token], to: "/login")

            #expect(response.status == 303)
            #expect(try await browser.isSignedIn())
            var former = earlier
            #expect(try await !former.isSignedIn())
        }
    }

    /// The form of a browser with the visit of another that has signed in, and would be sent on.
    private static func loginToken(_ pics: InProcessPics, of browser: Browser) async throws -> String? {
        var visitor = Browser(pics)
        visitor.keep("pics_visit", browser.cookies["pics_visit"] ?? "")
        return try await visitor.open("/login").formToken
    }

    @Test(arguments: [(false, "pics_session="), (true, "__Host-pics_session=")])
    func `the cookie of a session has the strictest flags that its connection allows`(
        isSecure: Bool, start: String
    ) async throws {
        try await withInProcessPics(settings: Self.viaProxy) { pics in
            try await pics.letIn("admin")
            var browser = isSecure ? Browser.secure(pics) : Browser(pics)

            let response = try await browser.signIn("admin", testPassword)

            let cookie = try #require(response.fields.values("Set-Cookie").first { $0.hasPrefix(start) })
            let flags = cookie.split(separator: ";").dropFirst().map { $0.drop { $0 == " " } }
            #expect(flags == ["Path=/", "Max-Age=7776000", "HttpOnly", "SameSite=Lax"] + (isSecure ? ["Secure"] : []))
            #expect(try await browser.isSignedIn())
            // A cookie given over https is not taken from plain http.
            var plain = Browser(pics)
            for (name, value) in browser.cookies { plain.keep(name, value) }
            #expect(try await plain.isSignedIn() == !isSecure)
        }
    }

    @Test func `after the sign-in one is sent to a page of this site and nowhere else`() async throws {
        try await withInProcessPics(settings: ["PICS_WRONG_PASSWORD_RATE": "0"]) { pics in
            try await pics.letIn("admin")
            let places = [
                ("/settings/tokens", "/settings/tokens"),
                ("/settings/security?done=password", "/settings/security?done=password"),
                ("https://evil.example/", "/"), ("//evil.example", "/"),
                ("/\\evil.example", "/"), ("/\t/evil.example", "/"), ("\\\\evil.example", "/"),
                ("javascript:alert(1)", "/"), ("evil.example", "/"), ("", "/"),
            ]
            for (next, expected) in places {
                var browser = Browser(pics)
                #expect(try await browser.signIn("admin", testPassword, next: next).location == expected, "\(next)")
                // And who is in already is sent on at once.
                let again = try await browser.open("/login?next=\(PercentEncoding.encode(next))")
                #expect(again.status == 303 && again.location == expected, "\(next)")
            }
        }
    }

    @Test func `an address that has tried too many wrong passwords has to wait`() async throws {
        try await withInProcessPics(settings: ["PICS_WRONG_PASSWORD_RATE": "3"]) { pics in
            try await pics.letIn("admin")
            var browser = Browser(pics)
            for number in 0..<3 { #expect(try await browser.signIn("user\(number)", "wrong password").status == 422) }

            let refused = try await browser.signIn("admin", testPassword)

            #expect(refused.status == 429)
            #expect(refused.fields["Retry-After"].flatMap(Int.init).map { 1...20 ~= $0 } == true)
            #expect(refused.text.contains("Too many wrong passwords"))
            let passkey = try await browser.submit(["id": "x"], to: "/sign-in/passkey", from: "/login")
            #expect(passkey.status == 429 && passkey.text.contains("Too many attempts. Try again in a minute."))
            #expect(passkey.fields["Retry-After"] != nil)
        }
    }

    @Test func `right passwords are not counted`() async throws {
        try await withInProcessPics(settings: [
            "PICS_WRONG_PASSWORD_RATE": "1", "PICS_WRONG_PASSWORD_RATE_OF_USER": "1",
        ]) {
            pics in
            try await pics.letIn("admin")
            for _ in 0..<3 {
                var browser = Browser(pics)
                #expect(try await browser.signIn("admin", testPassword).status == 303)
            }
        }
    }

    @Test func `the passwords of one user are not guessed from many addresses`() async throws {
        let settings = ["PICS_WRONG_PASSWORD_RATE": "1", "PICS_WRONG_PASSWORD_RATE_OF_USER": "3"]
        try await withInProcessPics(settings: settings.merging(Self.viaProxy) { $1 }) { pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            for name in ["admin", "nobody"] {
                for number in 0..<3 {
                    var browser = Browser.secure(pics, address: "203.0.113.\(name.count * 10 + number)")
                    #expect(try await browser.signIn(name, "wrong password").status == 422)
                }
                var browser = Browser.secure(pics, address: "203.0.113.\(name.count * 10 + 9)")
                #expect(try await browser.signIn(name, testPassword).status == 429)
            }

            var other = Browser.secure(pics, address: "203.0.113.200")
            #expect(try await other.signIn("alice", testPassword).status == 303)
        }
    }

    @Test func `strangers who guess a user's password keep none of that user's browsers out`() async throws {
        let settings = ["PICS_WRONG_PASSWORD_RATE": "1", "PICS_WRONG_PASSWORD_RATE_OF_USER": "2"]
        try await withInProcessPics(settings: settings.merging(Self.viaProxy) { $1 }) { pics in
            try await pics.letIn("admin")
            var (home, work) = (Browser.secure(pics), Browser.secure(pics))
            #expect(try await home.signIn("admin", testPassword).status == 303)
            #expect(try await work.signIn("admin", testPassword).status == 303)
            _ = try await work.submit([:], to: "/logout", from: "/logout")
            for number in 0..<2 {
                var stranger = Browser.secure(pics, address: "203.0.113.\(10 + number)")
                #expect(try await stranger.signIn("admin", "wrong password").status == 422)
            }
            // The address of the household has none left either.
            var guest = Browser.secure(pics)
            #expect(try await guest.signIn("nobody", "wrong password").status == 422)

            var stranger = Browser.secure(pics, address: "203.0.113.99")
            #expect(try await stranger.signIn("admin", testPassword).status == 429)
            #expect(try await work.signIn("admin", testPassword).status == 303)
            let new = "a better horse battery"
            let changed = try await home.submit(
                ["password": testPassword, "new_password": new, "new_password_again": new], to: "/settings/password",
                from: "/settings")
            #expect(changed.location == "/settings/security?done=password")
            // It is known with its new password, too.
            _ = try await home.submit([:], to: "/logout", from: "/logout")
            #expect(try await home.signIn("admin", new).status == 303)
        }
    }

    @Test func `a browser that guesses in spite of an earlier sign-in keeps itself out and no other`() async throws {
        let settings = ["PICS_WRONG_PASSWORD_RATE": "100", "PICS_WRONG_PASSWORD_RATE_OF_USER": "2"]
        try await withInProcessPics(settings: settings.merging(Self.viaProxy) { $1 }) { pics in
            for name in ["admin", "alice"] { try await pics.letIn(name) }
            var (thief, home, other) = (Browser.secure(pics), Browser.secure(pics), Browser.secure(pics))
            #expect(try await thief.signIn("admin", testPassword).status == 303)
            #expect(try await home.signIn("admin", testPassword).status == 303)
            #expect(try await other.signIn("alice", testPassword).status == 303)
            for browser in [thief, home, other] {
                #expect(browser.cookies["__Host-pics_device"] != nil)
            }
            func forget(_ browser: inout Browser) async throws {
                _ = try await browser.submit([:], to: "/logout", from: "/logout")
            }
            try await forget(&thief)
            try await forget(&home)
            try await forget(&other)

            for _ in 0..<2 { #expect(try await thief.signIn("admin", "wrong password").status == 422) }

            #expect(try await thief.signIn("admin", testPassword).status == 429)
            #expect(try await home.signIn("admin", testPassword).status == 303)
            // Strangers have their own two, and another user's browser is one of them.
            for _ in 0..<2 { #expect(try await other.signIn("admin", "wrong password").status == 422) }
            #expect(try await other.signIn("admin", testPassword).status == 429)
            #expect(try await other.signIn("alice", testPassword).status == 303)
            var stranger = Browser.secure(pics)
            stranger.keep("__Host-pics_device", String(repeating: "A", count: 98))
            #expect(try await stranger.signIn("admin", testPassword).status == 429)
        }
    }

    @Test func `browsers from before a new password share one bucket, which is not the strangers'`() async throws {
        let settings = ["PICS_WRONG_PASSWORD_RATE": "100", "PICS_WRONG_PASSWORD_RATE_OF_USER": "2"]
        try await withInProcessPics(settings: settings) { pics in
            try await pics.letIn("admin")
            var (one, two) = (try await pics.browser(of: "admin"), try await pics.browser(of: "admin"))
            try await pics.letIn("admin", "another horse battery")

            #expect(try await one.signIn("admin", testPassword).status == 422)
            #expect(try await two.signIn("admin", testPassword).status == 422)

            #expect(try await one.signIn("admin", "another horse battery").status == 429)
            var stranger = Browser(pics)
            #expect(try await stranger.signIn("admin", "another horse battery").status == 303)
        }
    }

    @Test func `a right token is let in from an address that has tried many wrong ones`() async throws {
        try await withInProcessPics(settings: ["PICS_WRONG_TOKEN_RATE": "2"]) { pics in
            var guest = Browser(pics, fields: ["Authorization": "Bearer pics_wrong"])
            var owner = Browser(pics, fields: ["Authorization": "Bearer \(pics.token)"])

            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await guest.open("/v1/photos").status) }

            #expect(statuses == [401, 401, 429])
            #expect(try await owner.open("/v1/photos").status == 200)
        }
    }

    @Test func `a password that was hashed at another cost is good, and is hashed anew`() async throws {
        try await withInProcessPics { pics in
            try await pics.change(
                """
                UPDATE users SET password =
                '$scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$hKGWL22WtdGfIbxEPAZ06BS2bWyYKuZIKvypfAlYOWk'
                """)
            var browser = Browser(pics)
            #expect(try await browser.signIn("admin", "wrong password").status == 422)

            #expect(try await browser.signIn("admin", testPassword).status == 303)

            #expect(try await browser.isSignedIn())
            let renewed = try await pics.change("UPDATE users SET name = name WHERE password LIKE '$scrypt$ln=4,%'")
            #expect(renewed == 1)
            _ = try await pics.browser(of: "admin")
        }
    }

    @Test func `signing out ends the session on the server`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")
            var copy = browser

            let response = try await browser.submit([:], to: "/logout", from: "/logout")

            #expect(response.status == 303 && response.location == "/login")
            #expect(browser.cookies["pics_session"] == nil)
            #expect(try await !copy.isSignedIn())
        }
    }

    @Test func `a new password ends all other sessions, and one from the terminal ends all`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            var here = try await pics.browser(of: "admin")
            var there = try await pics.browser(of: "admin")
            let new = "a better horse battery"
            func change(from present: String) async throws -> Browser.Page {
                try await here.submit(
                    ["password": present, "new_password": new, "new_password_again": new], to: "/settings/password",
                    from: "/settings")
            }
            #expect(try await change(from: "not the password").status == 422)
            #expect(try await there.isSignedIn())

            #expect(try await change(from: testPassword).location == "/settings/security?done=password")

            #expect(try await here.isSignedIn())
            #expect(try await !there.isSignedIn())
            #expect(try await there.signIn("admin", testPassword).status == 422)
            #expect(try await there.signIn("admin", new).status == 303)
            try await pics.letIn("admin")
            #expect(try await !here.isSignedIn())
            #expect(try await !there.isSignedIn())
        }
    }

    @Test func `a browser that rests too long, or is signed in too long, is signed out`() async throws {
        try await withInProcessPics(settings: ["PICS_SESSION_IDLE": "1h", "PICS_SESSION_AGE": "2h"]) { pics in
            try await pics.letIn("admin")
            for column in ["last_seen_at", "created_at"] {
                var browser = try await pics.browser(of: "admin")
                #expect(try await browser.isSignedIn())

                try await pics.change("UPDATE sessions SET \(column) = now() - interval '2 hours 1 second'")

                #expect(try await !browser.isSignedIn(), "\(column)")
            }
        }
    }
}
