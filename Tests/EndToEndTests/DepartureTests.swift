import EventLoops
import Fakes
import Foundation
import HTTP
import Postgres
import TestPics
import TestSupport
import TestTools
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DepartureTests {
    @Test func `a deleted account leaves nothing that can be opened`() async throws {
        try await withPics { pics in
            try await pics.letIn("alice")
            let token = try await pics.command("token", "create", "alice").output.trimmingCharacters(in: .newlines)
            var browser = try await pics.browser(of: "alice")
            var other = try await pics.browser(of: "alice")
            try await pics.openGallery(&browser)
            let form = CameraPhoto.jpeg()
            let stored = try await pics.ask(
                .post, "/v1/photos?caption=Mine", ["Content-Type": "image/jpeg"], form, token: token)
            let code = try #require(try JSONValue(parsing: stored.body)["code"]?.string)

            let wrong = try await browser.submit(
                ["password": "something else"], to: "/settings/account/delete", from: "/settings/account")
            #expect(wrong.status == 422)
            let gone = try await browser.submit(
                ["password": testPassword], to: "/settings/account/delete", from: "/settings/account")

            #expect(gone.status == 200)
            #expect(try await browser.open("/\(code)").status == 410)
            #expect(try await browser.open("/m/\(code)/small.jpg").status == 410)
            #expect(try await browser.open("/u/alice").status == 404)
            #expect(try await !other.isSignedIn())
            #expect(try await pics.ask(.get, "/v1/photos", token: token).status.code == 401)
            // Nothing is left but the row, which keeps the code taken.
            try await until {
                try await pics.change("SELECT 1 FROM users WHERE forgotten_at IS NOT NULL AND name LIKE 'deleted-%'")
                    == 1
            }
            #expect(try await pics.change("SELECT 1 FROM photos WHERE deleted_at IS NULL") == 0)
            // The name is free.
            try await pics.letIn("alice")
            #expect(try await pics.browser(of: "alice").cookies.isEmpty == false)
        }
    }

    @Test func `a service that is away when an account ends hears of it later, and nothing else is kept`() async throws
    {
        let loop = try EventLoop(name: "fakes")
        let host = FakeHost(FakeDropbox())
        let dropbox = try await FakeServer(host, on: loop)
        let port = try #require(dropbox.url.split(separator: ":").last.flatMap { UInt16($0) })
        try await withTestDatabase { database in
            try await withFolder { folder in
                let connection = database.settings.connection
                let first = try await Pics.start(in: folder, database: connection)
                var alice = try await first.connectedToDropbox(at: dropbox.url)
                let form = CameraPhoto.jpeg()
                let token = try await first.command("token", "create", "alice").output
                    .trimmingCharacters(in: .newlines)
                let stored = try await first.ask(
                    .post, "/v1/photos?caption=Mine", ["Content-Type": "image/jpeg"], form, token: token)
                #expect(stored.status == .created)
                await dropbox.stop()

                let gone = try await alice.submit(
                    ["password": testPassword], to: "/settings/account/delete", from: "/settings/account")

                #expect(gone.status == 200)
                try await until { try await first.change("SELECT 1 FROM users WHERE forgotten_at IS NOT NULL") == 1 }
                for left in [
                    "connections WHERE service = 'dropbox' AND state <> 'disabled'", "photos WHERE deleted_at IS NULL",
                    "sessions s JOIN users u ON u.id = s.user_id WHERE u.name <> 'admin'", "jobs",
                ] { #expect(try await first.change("SELECT 1 FROM \(left)") == 0, "\(left)") }
                #expect(try await first.change("SELECT 1 FROM revocations") == 1)
                #expect(await first.stop() == 0)

                try await database.execute(Query("due", "UPDATE revocations SET due_at = now()"))
                let back = try await FakeServer(host, port: port, on: loop)
                let second = try await Pics.start(in: folder, database: connection)
                try await until { try await second.change("SELECT 1 FROM revocations") == 0 }
                #expect(host.requests.last?.route == "POST /2/auth/token/revoke")
                #expect(await second.stop() == 0)
                await back.stop()
            }
        }
    }

    @Test func `the last admin cannot leave`() async throws {
        try await withGallery { pics, browser in
            var browser = browser

            let response = try await browser.submit(
                ["password": testPassword], to: "/settings/account/delete", from: "/settings/account")

            #expect(response.status == 409)
            #expect(try await browser.isSignedIn())
        }
    }
}

extension Pics {
    /// The browser of a new user who has connected Dropbox, at `url`.
    fileprivate func connectedToDropbox(at url: String) async throws -> Browser {
        try await letIn("admin")
        try await letIn("alice")
        var admin = try await browser(of: "admin")
        _ = try await admin.submit(
            ["client_id": "client-id", "client_secret": "client-secret", "base_url": url],
            to: "/settings/keys/dropbox", from: "/settings/keys/dropbox")
        var alice = try await browser(of: "alice")
        _ = try await alice.connect("dropbox")
        return alice
    }
}
