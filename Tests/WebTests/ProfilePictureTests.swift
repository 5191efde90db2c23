import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import Testing

/// Profile pictures of connected accounts: read from a fake service by the real transport, and made by the real media process.
@Suite(.timeLimit(.minutes(5)))
struct ProfilePictureTests {
    private static let avatarRoute = "GET /system/accounts/avatars/alice.png"

    /// Runs `body` with Pics and a server of Mastodon whose account has this picture.
    private func withMastodon(
        _ avatar: FakeAnswer?, settings: [String: String] = [:],
        _ body: (InProcessPics, FakeServer) async throws -> Void
    ) async throws {
        var options = FakeMastodon.Options()
        options.avatar = avatar
        let server = try await FakeServer(FakeHost(FakeMastodon(options)), on: try EventLoop(name: "fakes"))
        do {
            try await withInProcessPics(settings: settings) { pics in try await body(pics, server) }
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    private static func picture(_ bytes: [UInt8] = CameraPhoto.jpeg()) -> FakeAnswer {
        FakeAnswer(.ok, fields: ["Content-Type": "image/png"], body: bytes)
    }

    /// Connects the admin's account; the path of its page.
    private func connect(_ pics: InProcessPics, _ server: FakeServer) async throws -> String {
        let json: JSONValue = [
            "service": "mastodon", "fields": ["base_url": .string(server.url), "access_token": "mastodon-token"],
        ]
        let answer = try await pics.ask(
            .post, "/v1/connections", ["Content-Type": "application/json"], json.serialized)
        let made = try JSONValue(parsing: answer.body)
        return "/settings/connections/\(try #require(made["id"]?.string, "\(made)"))"
    }

    /// The addresses of profile pictures on a page.
    private func pictures(_ page: Browser.Page) -> [String] {
        page.text.matches(of: #/<img class="avatar small" src="([^"]+)" alt=""/#).map { String($0.1) }
    }

    @Test
    func `an account has its profile picture wherever it is shown, for its owner alone, until it is disconnected`()
        async throws
    {
        try await withMastodon(Self.picture()) { pics, server in
            let path = try await connect(pics, server)
            var browser = try await pics.browser()
            #expect(try await pictures(browser.open("/new")).isEmpty)

            #expect(try await pics.readAccountPictures() == 1)

            let shown = try await pictures(browser.open("/new"))
            let address = try #require(shown.first)
            #expect(address.wholeMatch(of: #/\/settings\/connections\/[0-9a-f-]{36}\/picture\?v=[0-9a-f]{16}/#) != nil)
            #expect(shown.count == 1 && address.hasPrefix("\(path)/picture"))
            #expect(try await pictures(browser.open("/settings/connections")) == [address])
            let there = try await pics.posted("There", ["services": "mastodon"])["code"]?.string ?? ""
            let elsewhere = try await pics.posted("Elsewhere", ["services": "file"])["code"]?.string ?? ""
            for code in [there, elsewhere] { #expect(try await pictures(browser.open("/\(code)")) == [address]) }

            let picture = try await browser.open(address)
            #expect(picture.status == 200 && picture.fields["Content-Type"] == "image/webp")
            #expect(picture.fields["Cache-Control"] == "private, max-age=31536000, immutable")
            #expect(picture.fields["X-Content-Type-Options"] == "nosniff")
            #expect(picture.fields["Content-Security-Policy"] == "default-src 'none'; sandbox")
            #expect(picture.text.hasPrefix("RIFF") && picture.text.contains("WEBPVP8"))
            #expect(try await browser.open("\(path)/picture").fields["Cache-Control"] == "private, no-cache")
            let tag = try #require(picture.fields["ETag"])
            #expect(try await browser.open(address, with: ["If-None-Match": tag]).status == 304)

            try await pics.letIn("bob")
            var other = try await pics.browser(of: "bob")
            var stranger = Browser(pics)
            #expect(try await other.open(address).status == 404)
            #expect(try await stranger.open(address).location?.hasPrefix("/login") == true)
            let foreign: HTTPFields = [
                "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image",
            ]
            #expect(try await browser.open(address, with: foreign).location?.hasPrefix("/login") == true)

            _ = try await browser.submit([:], to: "\(path)/disconnect", from: "\(path)/disconnect")
            #expect(try await browser.open(address).status == 404)
            #expect(try await pics.change("SELECT 1 FROM connections WHERE picture IS NOT NULL") == 0)
            #expect(
                try await pics.change("SELECT 1 FROM connections WHERE picture_due_at IS NOT NULL AND state <> 'ok'")
                    == 0)
        }
    }

    @Test(arguments: [
        nil, FakeAnswer(.notFound), picture(Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)),
        picture(Array(CameraPhoto.jpeg().prefix(400))),
        picture(CameraPhoto.jpeg() + [UInt8](repeating: 0, count: 1 << 20)),
        picture(Array("\u{0}\u{0}\u{0}\u{18}ftypmp42".utf8)), picture([]),
        FakeAnswer(.found, fields: ["Location": "/system/accounts/avatars/alice.png"]),
        FakeAnswer(.found, fields: ["Location": "file:///etc/passwd"]),
    ])
    func `an account whose picture cannot be used is connected all the same, with initials`(
        answer: FakeAnswer?
    ) async throws {
        try await withMastodon(answer) { pics, server in
            let path = try await connect(pics, server)

            #expect(try await pics.readAccountPictures() == 0)

            var browser = try await pics.browser()
            let page = try await browser.open("/settings/connections")
            #expect(page.text.contains("alice@") && pictures(page).isEmpty)
            #expect(page.text.firstMatch(of: #/class="avatar hue\d+ small" aria-hidden="true">M</#) != nil)
            #expect(try await browser.open("\(path)/picture").status == 404)
            #expect(try await pics.json(path.replacing("/settings", with: "/v1"))["state"]?.string == "ok")
        }
    }

    @Test(arguments: ["http://127.0.0.1", "https://127.0.0.1", "https://localhost", "https://[::1]"])
    func `no picture is read from a private address, or without encryption`(origin: String) async throws {
        try await withMastodon(Self.picture(), settings: ["PICS_PRIVATE_SERVERS": "false"]) { pics, server in
            let port = server.url.split(separator: ":").last ?? ""
            try await pics.connect("twitter", "alice")
            let url = "\(origin):\(port)/system/accounts/avatars/alice.png"
            try await pics.change("UPDATE connections SET picture_url = '\(url)' WHERE service = 'twitter'")

            #expect(try await pics.readAccountPictures() == 0)

            #expect(server.host.requests.isEmpty)
            let reason = origin.hasPrefix("http:") ? "its address is not taken" : "is not at a public address"
            #expect(pics.logged.contains("no profile picture") && pics.logged.contains(reason))
            #expect(try await pics.change("SELECT 1 FROM connections WHERE picture_url IS NOT NULL") == 0)
        }
    }

    @Test func `a server that has trouble is asked again later, and for today's address`() async throws {
        try await withMastodon(Self.picture()) { pics, server in
            _ = try await connect(pics, server)
            server.host.fail(Self.avatarRoute, .status(503))
            let asked = { server.host.requests.count { $0.route == "GET /api/v1/accounts/verify_credentials" } }

            #expect(try await pics.readAccountPictures() == 0)
            #expect(try await pics.readAccountPictures() == 0 && asked() == 1)
            try await pics.change("UPDATE connections SET picture_due_at = now()")

            #expect(try await pics.readAccountPictures() == 1)
            #expect(asked() == 2)
        }
    }

    @Test func `a picture is read again each week, and one that is there no more goes`() async throws {
        try await withMastodon(Self.picture()) { pics, server in
            _ = try await connect(pics, server)
            #expect(try await pics.readAccountPictures() == 1)
            #expect(try await pics.readAccountPictures() == 0)
            let passed = "UPDATE connections SET picture_due_at = picture_due_at - interval '7 days'"

            try await pics.change(passed)
            #expect(try await pics.readAccountPictures() == 1)
            server.host.fail(Self.avatarRoute, .status(404))
            try await pics.change(passed)
            #expect(try await pics.readAccountPictures() == 0)

            var browser = try await pics.browser()
            #expect(try await pictures(browser.open("/new")).isEmpty)
        }
    }

    @Test func `accounts that were connected before there were pictures get theirs`() async throws {
        try await withMastodon(Self.picture()) { pics, server in
            _ = try await connect(pics, server)
            // As the migration leaves them.
            try await pics.change("UPDATE connections SET picture_url = NULL, picture_due_at = DEFAULT")

            #expect(try await pics.readAccountPictures() == 1)
        }
    }
}
