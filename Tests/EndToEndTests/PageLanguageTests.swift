import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import Testing

/// Every page, as somebody reads it who speaks one of the two languages alone.
@Suite(.timeLimit(.minutes(10)))
struct PageLanguageTests {
    @Test(arguments: ["ja", "en"])
    func `every page speaks the reader's language, and nothing else`(language: String) async throws {
        let folder = try await FakeServer(FakeHost(FakeWebDAV()), on: try EventLoop(name: "folder"))
        try await withServices { services, pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            var reader = try await pics.browser(of: "admin")
            reader.fields = ["Accept-Language": language]
            var walk = Walk(
                pics, language: language, reader: reader, stranger: Browser(pics, fields: reader.fields))
            let names = try #require(try await pics.json("/v1/services")["items"]?.array).map { service in
                (service["id"]?.string ?? "", service["name"]?.string ?? "")
            }
            walk.names = Set(names.flatMap { $0.1.split(separator: " ").map(String.init) + [$0.0] })
            // Its captions are counted like Mastodon's.
            walk.names.insert("GoToSocial")

            try await walk.comeIn()
            try await walk.openSettings()
            try await walk.openConnections(names.map(\.0), services, folder)
            try await walk.refuse()
            try await walk.openPublicPages()

            #expect(walk.opened > 90)
            #expect(walk.wrong.isEmpty, "\(walk.wrong.joined(separator: "\n"))")
        }
        await folder.stop()
    }
}

/// Opens pages and notes what is said in another language.
private struct Walk {
    let language: String
    var reader: Browser
    var stranger: Browser
    var names: Set<String> = []
    private(set) var opened = 0
    private(set) var wrong: [String] = []

    private let pics: Pics

    init(_ pics: Pics, language: String, reader: Browser, stranger: Browser) {
        (self.pics, self.language, self.reader, self.stranger) = (pics, language, reader, stranger)
    }

    // MARK: The ways

    mutating func comeIn() async throws {
        for path in [
            "/", "/login", "/Zz3dE9xZ", "/no/such/page", "/metrics/none", "/join?invitation=none", "/status",
            "/offline",
        ] {
            try await look(path)
        }
        see(try await stranger.signIn("alice", "not the password"), "a wrong password")
        see(try await stranger.post([:], to: "/login"), "a form without a token")
        for form in [[:], ["name": "berta", "admin": "yes"]] as [FormFields] {
            let page = try await reader.submit(form, to: "/settings/people/invite", from: "/settings/people")
            see(page, "an invitation")
            let link = try #require(page.shown)
            try await look(link)
            let token = String(link.split(separator: "=").last ?? "")
            for wrong in [
                ["invitation": token, "name": "Not A Name"], ["invitation": token, "name": "carol"],
                ["invitation": token, "name": "carol", "time_zone": "UTC", "new_password": "a"],
                [
                    "invitation": token, "name": "alice", "time_zone": "UTC", "new_password": testPassword,
                    "new_password_again": testPassword,
                ],
            ] as [FormFields] where form["name"] == nil {
                see(try await stranger.submit(wrong, to: "/join", from: link), "a wrong way to join")
            }
        }
    }

    mutating func openSettings() async throws {
        try await read("/logout")
        for path in ["/", "/?q=nothing", "/?done=posted", "/?done=stored", "/?done=deleted", "/new"] {
            try await read(path)
        }
        let code = try await pics.photo("phone", ["visibility": "private"])
        for done in ["edited", "sent", "acted", "changed", "late", "refused", "none", "withheld"] {
            try await read("/\(code)?done=\(done)")
        }
        try await read("/\(code)/delete")
        for done in ["", "time-zone", "camera"] { try await read("/settings?done=\(done)") }
        for done in ["", "password"] { try await read("/settings/security?done=\(done)") }
        for done in ["", "off"] { try await read("/settings/second-factor?done=\(done)") }
        try await read("/settings/gallery")
        see(
            try await reader.submit(
                ["name": "phone", "scope": "write"], to: "/settings/tokens", from: "/settings/tokens"), "a token")
        try await openWebhooks()
        for path in ["tokens?done=revoked", "sessions?done=ended", "account", "gallery?done=yes", "keys?done=kept"] {
            try await read("/settings/\(path)")
        }
        for done in ["taken-back", "admin", "user", "storage", "second-factor&of=alice", "deleted"] {
            try await read("/settings/people?done=\(done)")
        }
        let people = try await reader.open("/settings/people").text
        let path = try #require(people.firstMatch(of: #/\/settings\/people\/[0-9a-f-]+\/delete/#)?.output)
        try await read(String(path))
        let storage = String(path).replacing("/delete", with: "/storage")
        try await read(storage)
        see(try await reader.submit(["limit": "20"], to: storage, from: storage), "a limit without a unit")
        let rights = people.matches(of: #/\/settings\/people\/[0-9a-f-]+\/admin/#).map { String($0.output) }
        let own = try #require(rights.first)
        see(try await reader.submit(["admin": "no"], to: own, from: "/settings/people"), "the last admin's rights")
    }

    private mutating func openWebhooks() async throws {
        let list = "/settings/webhooks"
        for done in ["", "tested", "paused", "resumed", "deleted"] { try await read("\(list)?done=\(done)") }
        for wrong in ["", "https://a:b@example.org/"] {
            see(try await reader.submit(["url": wrong], to: list, from: list), "no address")
        }
        for _ in 0..<11 {
            // Nobody listens there.
            see(try await reader.submit(["url": "http://127.0.0.1:9/"], to: list, from: list), "a webhook")
        }
        let page = try await reader.open(list).text
        let path = String(try #require(page.firstMatch(of: #/\/settings\/webhooks\/[0-9a-f-]{36}/#)?.output))
        see(try await reader.submit([:], to: "\(path)/test", from: list), "a webhook that is tried")
        for problem in [
            "unreachable", "unanswered", "private_address", "long_answer", "lost_secret", "status_302", "status_410",
            "status_500",
        ] {
            for state in ["active", "paused", "disabled"] {
                try await pics.change(
                    """
                    UPDATE webhooks SET problem = '\(problem)', state = '\(state)', failures = 1,
                           failing_since = now(), next_at = now() + interval '1 hour', delivered_at = now()
                    """)
                try await read(list)
            }
        }
        try await pics.change("DELETE FROM webhooks")
    }

    mutating func openConnections(
        _ services: [String], _ foreign: ForeignServices, _ folder: FakeServer
    ) async throws {
        let list = "/settings/connections"
        for done in ["", "disconnected", "disconnected-and-revoked", "disconnected-alone"] {
            try await read("\(list)?done=\(done)")
        }
        for service in services {
            let path = "\(list)/connect/\(service)"
            try await read(path)
            if try await reader.open("/settings/keys/\(service)").status == 200 {
                try await read("/settings/keys/\(service)")
                see(
                    try await reader.submit([:], to: "/settings/keys/\(service)", from: "/settings/keys"),
                    "keys of \(service) that are missing", orNothing: true)
            }
            // One of each, whose page is never asked to send anything.
            try await pics.change(
                """
                INSERT INTO connections (id, owner_id, service, remote_id, account, credentials)
                SELECT gen_random_uuid(), id, '\(service)', 'walk', 'alice@mastodon', '' FROM users WHERE name = 'admin'
                """)
        }
        let page = try await reader.open(list).text
        for path in Set(page.matches(of: #/\/settings\/connections\/[0-9a-f-]{36}/#).map { String($0.output) }) {
            try await read(path)
        }
        try await pics.change("DELETE FROM connections WHERE remote_id = 'walk'")
        try await openAccount("\(list)/\(try await pics.connectMastodon(foreign.mastodon))")
        try await openAlbums(folder)
        see(try await reader.submit([:], to: "\(list)/connect/mastodon", from: list), "an empty form")
        let refused = try await reader.submit(
            ["base_url": foreign.mastodon.url, "access_token": "wrong"], to: "\(list)/connect/mastodon", from: list)
        see(refused, "a wrong token")
        #expect(!refused.text.contains("<bdi lang=\"en\">"))
        let consent = try await reader.submit(
            ["base_url": foreign.mastodon.url], to: "\(list)/connect/mastodon/browser", from: "\(list)/connect/mastodon"
        )
        see(consent, "the way to a service")
        try await look("/auth/mastodon/callback?state=none&code=none")
        try await read("/settings/keys?done=forgotten")
    }

    private mutating func openAccount(_ path: String) async throws {
        for done in ["connected", "kept", "paused", "resumed", "album"] { try await read("\(path)?done=\(done)") }
        try await read("\(path)/disconnect")
        for template in ["nothing", "{caption}{x}"] {
            see(try await reader.submit(["caption_template": template], to: path, from: path), "a wrong template")
        }
        for state in ["paused", "needs_login"] {
            try await pics.change(
                "UPDATE connections SET state = '\(state)', problem = 'The token ended.' WHERE service = 'mastodon'")
            try await read(path)
            try await read("/settings/connections")
        }
        let id = String(path.split(separator: "/").last ?? "")
        try await read("/settings/connections/connect/mastodon?account=\(id)")
        try await pics.change("UPDATE connections SET state = 'ok'")
    }

    private mutating func openAlbums(_ folder: FakeServer) async throws {
        let path = "/settings/connections/connect/webdav"
        let made = try await reader.submit(
            ["base_url": "\(folder.url)/dav/", "username": "alice", "password": "app-password"], to: path, from: path)
        let account = try #require(made.location?.split(separator: "?").first.map(String.init), "\(made.text)")
        try await read("\(account)/albums")
        for (form, path) in [([:], "albums"), (["album": "none"], "albums"), ([:], "albums/new")]
            as [(FormFields, String)]
        {
            see(
                try await reader.submit(form, to: "\(account)/\(path)", from: "\(account)/albums"), "a wrong album")
        }
        try await pics.change("DELETE FROM connections WHERE service = 'webdav'")
    }

    mutating func refuse() async throws {
        for (form, path) in [
            ([:], "tokens"), (["time_zone": "Mars"], "time-zone"), (["new_password": "a"], "password"),
            (["password": "x"], "account/delete"), (["name": "Not A Name"], "people/invite"),
            (["name": "alice"], "people/invite"),
            (["new_password": testPassword, "new_password_again": testPassword], "password"),
        ] as [(FormFields, String)] {
            see(try await reader.submit(form, to: "/settings/\(path)", from: "/settings"), "a refused \(path)")
        }
        var alice = try await pics.browser(of: "alice")
        alice.fields = reader.fields
        see(try await alice.open("/settings/people"), "a page for admins")
    }

    mutating func openPublicPages() async throws {
        try await pics.openGallery(&reader)
        // Captions and addresses are their owner's.
        let code = try await pics.photo("2026", ["album": "2026"])
        let year = Calendar(identifier: .gregorian).component(.year, from: .now)
        for path in ["/\(code)", "/u/admin", "/u/admin/albums", "/u/admin/days/\(year)", "/u/admin/days/1999"] {
            try await look(path)
        }
        let posted = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(7), caption: "7").body)
        _ = try await pics.ended(try #require(posted["id"]?.string))
        for state in ["rejected", "unknown", "needs_login"] {
            try await pics.change(
                "UPDATE submissions SET state = '\(state)', updated_at = now(), problem = 'The folder is full.'")
            try await read("/status?done=yes")
            try await read("/status?done=late")
        }
    }

    // MARK: What is seen

    private mutating func read(_ path: String) async throws { see(try await reader.open(path), path) }

    private mutating func look(_ path: String) async throws { see(try await stranger.open(path), path) }

    /// Notes what a page says in another language; `orNothing`: a page that only leads on says nothing.
    private mutating func see(_ page: Browser.Page, _ what: String, orNothing mayLeadOn: Bool = false) {
        guard page.status != 303 else {
            if !mayLeadOn { wrong.append("\(what) leads to \(page.location ?? "nowhere")") }
            return
        }
        opened += 1
        if page.status >= 500 { wrong.append("\(what): \(page.status)") }
        if !page.text.contains("<html lang=\"\(language)\">") { wrong.append("\(what): not in \(language)") }
        let words = PageWords(page.text, in: language)
        let foreign = language == "ja" ? words.foreignToJapanese(names) : words.japanese
        wrong += foreign.map { "\(what): \($0)" }
    }
}
