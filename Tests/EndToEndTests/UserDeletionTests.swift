import Foundation
import HTTP
import TestPics
import Testing

/// Admins who end the accounts of others.
@Suite(.timeLimit(.minutes(10)))
struct PersonDeletionTests {
    @Test func `an admin deletes another user, after a page that asks, and their photos are gone`() async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            let token = try await pics.command("token", "create", "alice").output.trimmingCharacters(in: .newlines)
            let stored = try await pics.ask(
                .post, "/v1/photos?caption=Mine", ["Content-Type": "image/jpeg"], CameraPhoto.jpeg(), token: token)
            let code = try #require(try JSONValue(parsing: stored.body)["code"]?.string)
            var admin = try await pics.browser(of: "admin")
            var alice = try await pics.browser(of: "alice")
            let path = try await admin.deletionPath(of: "alice")
            #expect(try await alice.open(path).status == 403)
            #expect(try await alice.submit([:], to: path, from: "/settings").status == 403)
            #expect(try await admin.post([:], to: path).status == 403)

            let asked = try await admin.open(path)
            #expect(asked.text.contains("<h1>Delete alice?</h1>") && asked.text.contains("This cannot be undone"))
            #expect(try await alice.isSignedIn())
            let gone = try await admin.submit([:], to: path, from: path)

            #expect(gone.location == "/settings/people?done=deleted")
            #expect(try await !alice.isSignedIn())
            #expect(try await pics.ask(.get, "/v1/photos", token: token).status.code == 401)
            #expect(try await Browser(pics).status(of: "/\(code)") == 410)
            #expect(try await !admin.open("/settings/people").text.contains("alice"))
            #expect(try await pics.change("SELECT 1 FROM users WHERE forgotten_at IS NOT NULL") == 1)
            #expect(try await admin.open(path).status == 404)
            #expect(try await admin.submit([:], to: path, from: "/settings").status == 404)
        }
    }

    @Test func `nobody deletes themselves there, but where the password is asked for`() async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            var admin = try await pics.browser(of: "admin")
            let own = try await admin.open("/settings/people").text
            let found = try #require(own.firstMatch(of: #/\/settings\/people\/[0-9a-f-]+/#)?.output)
            let path = "\(found)/delete"

            #expect(!own.contains("/delete\""))
            #expect(try await admin.open(path).location == "/settings/account")
            #expect(try await admin.submit([:], to: path, from: "/settings").location == "/settings/account")
            #expect(try await admin.isSignedIn())
        }
    }

    @Test func `the terminal deletes a user, but not the last admin`() async throws {
        try await withPics { pics in
            try await pics.letIn("alice")

            #expect(try await pics.command("user", "delete", "admin").status == 1)
            #expect(try await pics.command("user", "delete", "alice").output.contains("deleted user alice"))

            #expect(try await pics.command("user", "delete", "alice").status == 1)
            #expect(
                try await pics.command("user", "list").output.trimmingCharacters(in: .newlines)
                    == "admin  admin  no password")
            #expect(try await pics.change("SELECT 1 FROM users WHERE forgotten_at IS NOT NULL") == 1)
            // The name is free.
            try await pics.letIn("alice")
        }
    }
}

extension Browser {
    /// The address of the page that asks whether to delete somebody.
    fileprivate mutating func deletionPath(of name: String) async throws -> String {
        let text = try await open("/settings/people").text
        let row = try #require(text.split(separator: "<li>").first { $0.contains("<strong>\(name)</strong>") })
        return try #require(
            row.firstMatch(of: #/href="(\/settings\/people\/[0-9a-f-]+\/delete)"/#).map { String($0.1) })
    }

    fileprivate func status(of path: String) async throws -> Int {
        var browser = self
        return try await browser.open(path).status
    }
}
