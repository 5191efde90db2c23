import Crypto
import Foundation
import HTTP
import TestPics
import Testing

/// The second factor, from the settings to the page that asks for a code.
@Suite(.timeLimit(.minutes(5)))
struct SecondFactorTests {
    private static let path = "/settings/second-factor"
    private static let code = "/sign-in/code"

    /// What somebody has whose second factor is on.
    private struct Holder {
        let totp: TOTP
        let recoveryCode: String
        let page: Browser.Page

        /// The code of a step that is later than the one that has turned it on.
        var nextCode: String { totp.code(of: TOTP.step(at: Date()) + 1) }
    }

    private func decode(_ base32: String) -> [UInt8] {
        var (bytes, buffer, bits) = ([UInt8](), 0, 0)
        for letter in base32.utf8 {
            let value = letter >= 65 ? Int(letter) - 65 : Int(letter) - 24
            buffer = (buffer << 5 | value) & 0xFFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(buffer >> bits & 255))
            }
        }
        return bytes
    }

    /// Turns it on for who has signed in in `browser`.
    private func turnOn(_ browser: inout Browser) async throws -> Holder {
        let setup = try await browser.submit(["password": testPassword], to: "\(Self.path)/begin", from: Self.path)
        #expect(setup.status == 200 && setup.text.contains("data:image/svg+xml;base64,"))
        let key = try #require(setup.shown).replacing(" ", with: "")
        #expect(setup.text.contains("href=\"otpauth://totp/") && setup.text.contains("?secret=\(key)&amp;issuer="))
        #expect(setup.text.contains("inputmode=\"numeric\""))
        let totp = TOTP(secret: Secret(decode(key)))
        let ticket = try #require(setup.text.firstMatch(of: #/name="ticket" value="([^"]+)"/#).map { String($0.1) })
        let code = totp.code(of: TOTP.step(at: Date()))
        let page = try await browser.post(
            ["form_token": setup.formToken ?? "", "ticket": ticket, "code": "\(code.prefix(3)) \(code.suffix(3))"],
            to: "\(Self.path)/confirm")
        #expect(page.status == 200 && page.text.contains("Two-factor sign-in is on."))
        #expect(page.text.contains("I have saved them") && !page.text.contains("action=\"\(Self.path)"))
        return Holder(totp: totp, recoveryCode: try #require(page.shown), page: page)
    }

    /// Enters a code in a browser in which the password was right.
    private func enter(_ code: String, _ browser: inout Browser, next: String? = nil) async throws -> Browser.Page {
        var form: FormFields = ["code": code]
        if let next { form.add("next", next) }
        return try await browser.submit(form, to: Self.code, from: Self.code)
    }

    @Test func `a sign-in asks for a code, which works once, and then goes where it was going`() async throws {
        try await withInProcessPics { pics in
            var settings = try await pics.browser()
            let holder = try await turnOn(&settings)
            var browser = Browser(pics)

            let first = try await browser.signIn("admin", testPassword, next: "/settings/tokens")
            #expect(first.status == 303 && first.location == "/sign-in/code?next=%2Fsettings%2Ftokens")
            #expect(try await !browser.isSignedIn())
            let wrong = try await enter("000000", &browser, next: "/settings/tokens")
            #expect(wrong.status == 422 && wrong.text.contains("Wrong code"))
            let code = holder.nextCode
            let second = try await enter(code, &browser, next: "/settings/tokens")

            #expect(second.status == 303 && second.location == "/settings/tokens")
            #expect(try await browser.isSignedIn())
            #expect(browser.cookies["pics_second_step"] == nil)
            var other = Browser(pics)
            _ = try await other.signIn("admin", testPassword)
            #expect(try await enter(code, &other).status == 422)
            #expect(try await !other.isSignedIn())
            // A stored secret is sealed, and no code or secret is in the log.
            #expect(!pics.logged.contains(code) && !pics.logged.contains(holder.recoveryCode))
        }
    }

    @Test func `each recovery code works once, also as people type it`() async throws {
        try await withInProcessPics { pics in
            var settings = try await pics.browser()
            let holder = try await turnOn(&settings)
            #expect(holder.page.text.matches(of: #/<li><code>[a-z2-7]{4}(-[a-z2-7]{4}){3}<\/code>/#).count == 10)
            #expect(try await !settings.open(Self.path).text.contains(holder.recoveryCode))
            var browser = Browser(pics)
            _ = try await browser.signIn("admin", testPassword)

            let typed = holder.recoveryCode.uppercased().replacing("-", with: " ")
            #expect(try await enter(" \(typed)", &browser).location == "/")

            #expect(try await browser.open(Self.path).text.contains("9 codes left"))
            var other = Browser(pics)
            _ = try await other.signIn("admin", testPassword)
            #expect(try await enter(holder.recoveryCode, &other).status == 422)
        }
    }

    @Test func `the page for codes opens to the browser alone in which the password was right, while it is`()
        async throws
    {
        try await withInProcessPics { pics in
            var settings = try await pics.browser()
            let holder = try await turnOn(&settings)
            var stranger = Browser(pics)
            #expect(try await stranger.open(Self.code).location == "/login?next=%2F")
            _ = try await stranger.open("/login")
            let token = try #require(try await stranger.open("/login").formToken)
            let answer = try await stranger.post(["form_token": token, "code": holder.nextCode], to: Self.code)
            #expect(answer.location == "/login?next=%2F")
            var browser = Browser(pics)
            _ = try await browser.signIn("admin", testPassword)
            _ = try await browser.open(Self.code)

            try await pics.letIn("admin", "another horse battery")

            #expect(try await enter(holder.nextCode, &browser).location == "/login?next=%2F")
            #expect(try await !browser.isSignedIn())
        }
    }

    @Test func `wrong codes are counted, for strangers together and for a known browser by itself`() async throws {
        try await withInProcessPics(settings: ["PICS_WRONG_CODE_RATE_OF_USER": "3"]) { pics in
            var settings = try await pics.browser()
            let holder = try await turnOn(&settings)
            for _ in 0..<3 {
                var browser = Browser(pics)
                _ = try await browser.signIn("admin", testPassword)
                #expect(try await enter("000000", &browser).status == 422)
            }
            var browser = Browser(pics)
            _ = try await browser.signIn("admin", testPassword)

            let refused = try await enter(holder.nextCode, &browser)

            #expect(refused.status == 429 && refused.text.contains("Too many wrong codes"))
            #expect(refused.fields["Retry-After"] != nil)
            #expect(try await enter(holder.recoveryCode, &browser).status == 429)
            _ = try await settings.open("/logout")
            var known = Browser(pics)
            known.keep("pics_device", settings.cookies["pics_device"] ?? "")
            _ = try await known.signIn("admin", testPassword)
            #expect(try await enter(holder.nextCode, &known).location == "/")
        }
    }

    @Test func `a code that does not fit at the set-up points to the clock, and a sign-in leads back to its beginning`()
        async throws
    {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let setup = try await browser.submit(["password": testPassword], to: "\(Self.path)/begin", from: Self.path)
            let ticket = try #require(setup.text.firstMatch(of: #/name="ticket" value="([^"]+)"/#).map { String($0.1) })

            let wrong = try await browser.post(
                ["form_token": setup.formToken ?? "", "ticket": ticket, "code": "no code"], to: "\(Self.path)/confirm")

            #expect(wrong.status == 422 && wrong.text.contains("clock is right"))
            #expect(wrong.shown == setup.shown)
            _ = try await turnOn(&browser)
            var other = Browser(pics)
            _ = try await other.signIn("admin", testPassword)
            let page = try await other.open("\(Self.code)?next=%2Fnew")
            #expect(page.text.contains("href=\"/login?next=%2Fnew\"") && page.text.contains(" autofocus>"))
        }
    }

    @Test func `too many wrong codes are told in the form that has them`() async throws {
        try await withInProcessPics(settings: ["PICS_WRONG_CODE_RATE_OF_USER": "2"]) { pics in
            var browser = try await pics.browser()
            let holder = try await turnOn(&browser)
            func send(_ code: String) async throws -> Browser.Page {
                try await browser.submit(
                    ["password": testPassword, "code": code], to: "\(Self.path)/remove", from: Self.path)
            }
            for _ in 0..<2 { #expect(try await send("000000").status == 422) }

            let refused = try await send(holder.recoveryCode)

            #expect(refused.status == 429 && refused.fields["Retry-After"] != nil)
            #expect(refused.text.contains("Too many attempts. Try again in") && refused.text.contains("<details open>"))
        }
    }

    @Test func `it is set up with the password and turned off with password and code`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let refused = try await browser.submit(
                ["password": "wrong"], to: "\(Self.path)/begin", from: Self.path)
            #expect(refused.status == 422 && refused.text.contains("wrong") && refused.shown == nil)
            let holder = try await turnOn(&browser)
            func turnOff(_ password: String, _ code: String, _ action: String = "remove") async throws -> Browser.Page {
                try await browser.submit(
                    ["password": password, "code": code], to: "\(Self.path)/\(action)", from: Self.path)
            }
            #expect(try await turnOff("wrong", holder.recoveryCode).status == 422)
            let wrong = try await turnOff(testPassword, "000000")
            #expect(wrong.status == 422 && wrong.text.matches(of: #/<details open>/#).count == 1)
            let codes = try await turnOff(testPassword, holder.nextCode, "codes")
            let newCode = try #require(codes.shown)
            #expect(newCode != holder.recoveryCode && codes.text.contains("The old ones no longer work."))
            #expect(try await turnOff(testPassword, holder.recoveryCode).status == 422)

            #expect(try await turnOff(testPassword, newCode).location == "\(Self.path)?done=off")
            #expect(try await browser.open("/settings/security").text.contains("Off. Turn it on"))
            #expect(try await !browser.open("\(Self.path)?done=off").text.contains("Off. Turn it on"))

            var other = Browser(pics)
            #expect(try await other.signIn("admin", testPassword).location == "/")
        }
    }

    @Test func `an admin removes the second factor of others, and not their own`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            _ = try await turnOn(&bob)
            var admin = try await pics.browser()
            _ = try await turnOn(&admin)
            let people = try await admin.open("/settings/people")
            let paths = people.text.matches(of: #/href="(\/settings\/people\/[^\/]+\/second-factor)"/#).map {
                String($0.1)
            }
            #expect(paths.count == 1)
            let path = try #require(paths.first)
            let own = try #require(people.text.firstMatch(of: #/(\/settings\/people\/[^\/]+)\/admin/#)).1
            #expect(try await bob.submit([:], to: path, from: "/settings").status == 403)
            #expect(try await bob.open(path).status == 403)

            let asked = try await admin.open(path)
            #expect(asked.text.contains("<h1>Remove two-factor sign-in of bob?</h1>"))
            let removed = try await admin.submit([:], to: path, from: path)
            #expect(removed.location == "/settings/people?done=second-factor&of=bob")
            #expect(
                try await admin.open("/settings/people?done=second-factor&of=bob").text.contains(
                    "Two-factor sign-in of bob removed. Their password alone signs in now."))
            #expect(try await admin.open(path).location == "/settings/people")

            var other = Browser(pics)
            #expect(try await other.signIn("bob", testPassword).location == "/")
            #expect(
                try await admin.submit([:], to: "\(own)/second-factor", from: "/settings/people").location == Self.path)
            var another = Browser(pics)
            #expect(try await another.signIn("admin", testPassword).location == Self.code)
        }
    }
}
