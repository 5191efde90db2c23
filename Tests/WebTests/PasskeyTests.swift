import Crypto
import Foundation
import HTTP
import TestPics
import Testing

/// Passkeys, from the settings to a sign-in without a password.
@Suite(.timeLimit(.minutes(5)))
struct PasskeyTests {
    private static let path = "/settings/passkeys"
    private static let signIn = "/sign-in/passkey"
    private static let json: HTTPFields = ["Accept": "application/json"]

    private func withSite(_ body: (InProcessPics) async throws -> Void) async throws {
        try await withInProcessPics { pics in
            pics.stand(at: "https://pics.example")
            try await body(pics)
        }
    }

    private func authenticator(signCount: UInt32 = 0) throws -> Authenticator {
        try Authenticator(origin: "https://pics.example", site: "pics.example", signCount: signCount)
    }

    private func options(_ path: String, _ browser: inout Browser) async throws -> JSONValue {
        try JSONValue(parsing: Array(try await browser.open(path, with: Self.json).text.utf8))
    }

    /// Adds a passkey; the user's handle.
    private func add(_ authenticator: Authenticator, _ browser: inout Browser) async throws -> [UInt8] {
        let options = try await options("\(Self.path)/options", &browser)
        #expect(options["site"]?.string == "pics.example")
        var form = authenticator.register(try #require(options["challenge"]?.string))
        form.add("name", "Phone")
        let added = try await browser.submit(form, to: Self.path, from: Self.path)
        #expect(added.location == "\(Self.path)?done=added")
        return try #require(options["user"]?["id"]?.string.flatMap(Base64URL.decode))
    }

    /// Signs in; `change` is done to the form.
    private func enter(
        _ authenticator: inout Authenticator, _ user: [UInt8], _ browser: inout Browser,
        _ change: (inout Authenticator) -> Void = { _ in }
    ) async throws -> Browser.Page {
        _ = try await browser.open("/login")
        let challenge = try #require(try await options(Self.signIn, &browser)["challenge"]?.string)
        change(&authenticator)
        return try await browser.submit(
            try authenticator.signIn(challenge, user: user), to: Self.signIn, from: "/login")
    }

    @Test func `a passkey signs in without a password, also where a code is asked for after one`() async throws {
        try await withSite { pics in
            var settings = try await pics.browser()
            var phone = try authenticator()
            let security = "/settings/security"
            #expect(try await settings.open(security).text.contains("href=\"\(Self.path)\">Set up"))
            let user = try await add(phone, &settings)
            #expect(try await settings.open(security).text.contains("href=\"\(Self.path)\">Manage"))
            try await pics.change(
                "INSERT INTO second_factors (user_id, sealed, last_step) SELECT id, '', 0 FROM users WHERE name = 'admin'"
            )
            var browser = Browser(pics)
            #expect(try await browser.open("/login").text.contains("data-passkey"))

            let response = try await enter(&phone, user, &browser)

            #expect(response.status == 303 && response.location == "/")
            #expect(try await browser.isSignedIn())
            #expect(browser.cookies["pics_device"] != nil)
            let list = try await settings.open(Self.path)
            #expect(list.text.contains("Phone") && !list.text.contains("never used"))
        }
    }

    @Test func `an answer counts once, in its own browser, with its own user`() async throws {
        try await withSite { pics in
            var settings = try await pics.browser()
            var phone = try authenticator()
            let user = try await add(phone, &settings)
            var browser = Browser(pics)
            _ = try await browser.open("/login")
            let challenge = try #require(try await options(Self.signIn, &browser)["challenge"]?.string)
            let form = try phone.signIn(challenge, user: user)
            var thief = Browser(pics)
            _ = try await thief.open("/login")
            #expect(try await thief.submit(form, to: Self.signIn, from: "/login").status == 422)
            var sameVisit = browser

            #expect(try await browser.submit(form, to: Self.signIn, from: "/login").location == "/")

            let again = try await sameVisit.submit(form, to: Self.signIn, from: "/login")
            #expect(again.status == 422 && again.text.contains("The passkey was refused"))
            var other = Browser(pics)
            #expect(try await enter(&phone, [UInt8](repeating: 1, count: 16), &other).status == 422)
            #expect(try await !other.isSignedIn())
        }
    }

    @Test func `whoever was not verified is refused, and so is a counter that has not gone up`() async throws {
        try await withSite { pics in
            var settings = try await pics.browser()
            var phone = try authenticator(signCount: 5)
            let user = try await add(phone, &settings)
            var browser = Browser(pics)

            #expect(try await enter(&phone, user, &browser) { $0.flags = [.present] }.status == 422)
            #expect(
                try await enter(&phone, user, &browser) { $0.flags = [.present, .verified, .backupEligible] }.status
                    == 422)
            #expect(try await enter(&phone, user, &browser) { $0.flags = [.verified] }.status == 422)
            let copied = try await enter(&phone, user, &browser) {
                $0.flags = [.present, .verified]
                $0.signCount = 4
            }
            #expect(copied.status == 422)
            #expect(pics.logged.contains("counter of a passkey has not gone up"))
            #expect(try await enter(&phone, user, &browser) { $0.signCount = 6 }.location == "/")
        }
    }

    @Test func `a passkey is added once, with the session's own challenge, by who was verified`() async throws {
        try await withSite { pics in
            var browser = try await pics.browser()
            let phone = try authenticator()
            _ = try await add(phone, &browser)
            func attempt(_ other: Authenticator, challenge: String? = nil) async throws -> Browser.Page {
                let own = try await options("\(Self.path)/options", &browser)["challenge"]?.string
                var form = other.register(try #require(challenge ?? own))
                form.add("name", "Key")
                return try await browser.submit(form, to: Self.path, from: Self.path)
            }

            let again = try await attempt(phone)
            #expect(again.status == 422 && again.text.contains("already has a passkey for Pics"))
            var unverified = try authenticator()
            unverified.flags = [.present]
            #expect(try await attempt(unverified).status == 422)
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            let foreign = try await options("\(Self.path)/options", &bob)["challenge"]?.string
            #expect(try await attempt(try authenticator(), challenge: foreign).status == 422)
            var elsewhere = try authenticator()
            elsewhere.origin = "https://evil.example"
            #expect(try await attempt(elsewhere).status == 422)
            #expect(try await attempt(try authenticator()).location == "\(Self.path)?done=added")
        }
    }

    @Test func `a session that is not fresh needs password and code to add a passkey, and the password to remove one`()
        async throws
    {
        try await withSite { pics in
            var browser = try await pics.browser()
            var phone = try authenticator()
            let user = try await add(phone, &browser)
            try await pics.change(
                "INSERT INTO second_factors (user_id, sealed, last_step) SELECT id, '', 0 FROM users WHERE name = 'admin'"
            )
            try await pics.change("UPDATE sessions SET created_at = now() - interval '1 hour'")
            func attempt(_ more: FormFields) async throws -> Browser.Page {
                let challenge = try await options("\(Self.path)/options", &browser)["challenge"]?.string
                var form = try authenticator().register(try #require(challenge))
                form.add("name", "Key")
                for pair in more.pairs { form.add(pair.name, pair.value) }
                return try await browser.submit(form, to: Self.path, from: Self.path)
            }
            #expect(try await attempt([:]).status == 422)
            let page = try await attempt(["password": testPassword])
            #expect(page.status == 422 && page.text.contains("Wrong code") && page.text.contains("name=\"code\""))
            let remove = try #require(
                try await browser.open(Self.path).text.firstMatch(
                    of: #/action="(\/settings\/passkeys\/[^"]+\/remove)"/#))
            let path = String(remove.1)
            #expect(try await browser.submit([:], to: path, from: Self.path).status == 200)
            #expect(
                try await browser.submit(["password": testPassword], to: path, from: Self.path).location
                    == "\(Self.path)?done=removed")

            var other = Browser(pics)
            #expect(try await enter(&phone, user, &other).status == 422)
        }
    }

    @Test func `where browsers have no passkeys nothing is shown of them, but to admins what is missing`() async throws
    {
        try await withInProcessPics { pics in
            try await pics.letIn("bob")
            var browser = try await pics.browser(of: "bob")
            var admin = try await pics.browser()
            var stranger = Browser(pics)

            #expect(try await !stranger.open("/login").text.contains("passkey"))
            #expect(try await !browser.open("/settings/security").text.contains("Passkeys"))
            #expect(try await admin.open("/settings/security").text.contains("a host name: set base_url."))
            #expect(try await browser.open(Self.path).text.contains("Passkeys need HTTPS"))
            #expect(try await stranger.open(Self.signIn, with: Self.json).status == 404)
            #expect(try await stranger.open(Self.signIn).location == "/login")
        }
    }
}
