import Curl
import Foundation
import HTTP
import TestPics
import Testing

@Suite(.timeLimit(.minutes(10)))
struct InvitationTests {
    static func acceptance(_ link: String, name: String = "", password: String = testPassword) -> FormFields {
        [
            "invitation": String(link.split(separator: "=").last ?? ""), "name": name, "new_password": password,
            "new_password_again": password, "time_zone": "Europe/Stockholm",
        ]
    }

    /// The link that an admin is shown.
    private func invite(_ pics: Pics, _ form: FormFields = [:]) async throws -> String {
        try await pics.letIn("admin")
        var admin = try await pics.browser(of: "admin")
        let page = try await admin.submit(form, to: "/settings/people/invite", from: "/settings/people")
        return try #require(page.shown)
    }

    @Test func `whoever is invited chooses a name and a password, and is in`() async throws {
        try await withPics { pics in
            let link = try await invite(pics)
            var guest = Browser(pics)
            let page = try await guest.open(link)
            #expect(page.text.contains("admin invites you"))
            #expect(page.fields["Referrer-Policy"] == "same-origin")

            let response = try await guest.submit(Self.acceptance(link, name: "berta"), to: "/join", from: link)

            #expect(response.location == "/")
            let settings = try await guest.open("/settings").text
            #expect(settings.contains("You are berta") && !settings.contains("You are an admin"))
            #expect(settings.contains("<option selected>Europe/Stockholm"))
            // As everybody who is added.
            let made = try await guest.submit(
                ["name": "phone", "scope": "read"], to: "/settings/tokens", from: "/settings/tokens")
            let connections = OutgoingRequest(
                url: "\(pics.base)/v1/connections",
                fields: ["Authorization": "Bearer \(try #require(made.shown))"], addressPolicy: .any)
            let list = try JSONValue(parsing: try await pics.send(connections).body)
            #expect(list["items"]?[0]?["service"]?.string == "file")
            #expect(!pics.process.logged.contains(try #require(link.split(separator: "=").last)))
        }
    }

    @Test func `an invitation is good once`() async throws {
        try await withPics { pics in
            let link = try await invite(pics)
            var first = Browser(pics)
            var second = Browser(pics)
            _ = try await second.open(link)
            #expect(
                try await first.submit(Self.acceptance(link, name: "berta"), to: "/join", from: link).status == 303)

            let opened = try await second.open(link)
            let sent = try await second.submit(Self.acceptance(link, name: "carl"), to: "/join", from: "/login")

            #expect(opened.status == 410 && sent.status == 410)
            #expect(try await pics.command("user", "list").output == "admin  admin\nberta\n")
        }
    }

    @Test func `an invitation that is too old, taken back or made up is not good`() async throws {
        try await withPics { pics in
            let old = try await invite(pics, ["name": "berta"])
            try await pics.change("UPDATE invitations SET expires_at = now()")
            let terminal = try await pics.command("user", "invite", "carl").output.trimmingCharacters(in: .newlines)
            var admin = try await pics.browser(of: "admin")
            let list = try await admin.open("/settings/people").text
            #expect(list.contains("<strong>carl</strong>") && !list.contains("berta"))
            let path = try #require(list.firstMatch(of: #/\/settings\/invitations\/[0-9a-f-]+\/delete/#)?.output)
            #expect(try await admin.submit([:], to: String(path), from: "/settings/people").status == 303)

            var guest = Browser(pics)
            for link in [old, terminal, "/join?invitation=invite_made-up", "/join"] {
                #expect(try await guest.open(link).status == 410, "\(link)")
                let sent = try await guest.submit(Self.acceptance(link, name: "dora"), to: "/join", from: "/login")
                #expect(sent.status == 410, "\(link)")
            }
            #expect(try await pics.command("user", "list").output == "admin  admin\n")
        }
    }

    @Test func `a mistake leaves the invitation good`() async throws {
        try await withPics { pics in
            let link = try await invite(pics)
            var guest = Browser(pics)
            var different = Self.acceptance(link, name: "berta")
            different =
                FormFields(different.encoded.replacing("new_password_again=c", with: "new_password_again=C")) ?? [:]
            let mistakes = [
                Self.acceptance(link, name: "admin"), Self.acceptance(link, name: "Berta!"), Self.acceptance(link),
                Self.acceptance(link, name: "berta", password: "too short"), different,
            ]
            for mistake in mistakes {
                #expect(try await guest.submit(mistake, to: "/join", from: link).status == 422, "\(mistake)")
            }

            let response = try await guest.submit(Self.acceptance(link, name: "berta"), to: "/join", from: link)

            #expect(response.status == 303)
        }
    }

    @Test func `a name that was given stays, and an admin may make an admin`() async throws {
        try await withPics { pics in
            let link = try await invite(pics, ["name": "berta", "admin": "yes"])
            var guest = Browser(pics)
            #expect(try await guest.open(link).text.contains("<strong>berta</strong>"))

            let response = try await guest.submit(Self.acceptance(link, name: "mallory"), to: "/join", from: link)

            #expect(response.status == 303)
            #expect(try await pics.command("user", "list").output == "admin  admin\nberta  admin\n")
            #expect(try await guest.open("/settings/people").status == 200)
        }
    }

    @Test func `somebody who is there already is not invited`() async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            var admin = try await pics.browser(of: "admin")

            let page = try await admin.submit(
                ["name": "admin"], to: "/settings/people/invite", from: "/settings/people")

            #expect(page.status == 422 && page.shown == nil)
            #expect(try await pics.command("user", "invite", "admin").status == 1)
        }
    }
}
