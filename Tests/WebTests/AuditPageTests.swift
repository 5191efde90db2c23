import Foundation
import HTTP
import TestPics
import Testing

/// What was done, as admins and everybody see it.
@Suite(.timeLimit(.minutes(5)))
struct AuditPageTests {
    private static let path = "/settings/audit"
    private static let own = "/settings/security-activity"

    @Test func `admins see what was done by whom and how, and filter it by person and kind`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            _ = try await bob.submit(
                ["name": "<phone>", "scope": "read"], to: "/settings/tokens", from: "/settings/tokens")
            _ = try await bob.open("/settings/account/export")
            var admin = try await pics.browser()
            _ = try await admin.submit(["services": "mastodon"], to: "/settings/services", from: "/settings/services")

            let all = try await admin.open(Self.path).text
            #expect(all.contains("Token created</strong>: <bdi>&lt;phone&gt;</bdi>") && !all.contains("<phone>"))
            #expect(all.contains("Services chosen") && all.contains("services: <bdi>mastodon</bdi>"))
            #expect(all.contains("network 127.0.0.…") && !all.contains("127.0.0.1"))
            let ofBob = try await admin.open("\(Self.path)?person=bob&kind=keys").text
            #expect(ofBob.contains("Token created") && !ofBob.contains("Data exported"))
            #expect(!ofBob.contains("<strong>Services chosen"))
            #expect(try await admin.open("\(Self.path)?person=bob&kind=data").text.contains("<strong>Data exported"))
            #expect(try await admin.open("\(Self.path)?person=carol").text.contains("Unknown user name."))
            let odd = try await admin.open("\(Self.path)?person=%22%3E%3Cb%3E&kind=x&before=x")
            #expect(odd.status == 200 && !odd.text.contains("<b>"))
        }
    }

    @Test func `everybody sees what concerns them, and no admin's place; nobody else's page, and no form changes it`()
        async throws
    {
        try await withInProcessPics { pics in
            try await pics.letIn("bob")
            try await pics.letIn("carol")
            var bob = try await pics.browser(of: "bob")
            var carol = try await pics.browser(of: "carol")
            _ = try await carol.submit(
                ["name": "c", "scope": "read"], to: "/settings/tokens", from: "/settings/tokens")
            try await pics.change(
                """
                INSERT INTO audit_log (id, action, channel, actor_id, actor, network, user_id)
                SELECT gen_random_uuid(), 'admin_granted', 'browser', a.id, a.name, '198.51.100.0/24', b.id
                  FROM users a, users b WHERE a.name = 'admin' AND b.name = 'bob'
                """)

            let page = try await bob.open(Self.own).text

            #expect(page.contains("Signed in on a new device") && page.contains("Admin added"))
            #expect(page.contains("<bdi>admin</bdi>") && !page.contains("198.51.100"))
            #expect(!page.contains("Token created") && !page.contains("action=\"\(Self.own)"))
            #expect(try await bob.open(Self.path).status == 403)
            #expect(try await bob.submit([:], to: Self.own, from: Self.own).status == 405)
            let japanese = try await bob.open(Self.own, with: ["Accept-Language": "ja"]).text
            #expect(japanese.contains("新しい端末でログイン"))
        }
    }

    @Test func `wrong passwords until no more are compared are one line an hour`() async throws {
        try await withInProcessPics(settings: ["PICS_WRONG_PASSWORD_RATE": "1"]) { pics in
            try await pics.letIn("bob")
            var admin = try await pics.browser()
            var stranger = Browser(pics)
            for _ in 0..<5 { _ = try await stranger.signIn("bob", "wrong password") }

            let page = try await admin.open("\(Self.path)?kind=sign-ins").text

            #expect(page.components(separatedBy: "<strong>Too many wrong passwords").count == 2)
            #expect(page.contains("not signed in"))
        }
    }

    @Test func `a request of an app is told as the app's`() async throws {
        try await withInProcessPics { pics in
            let made = try await pics.ask(.post, "/v1/webhooks", json: ["url": "https://hooks.example.com/T0/secret"])
            #expect(made.status == .created)

            var admin = try await pics.browser()
            let page = try await admin.open("\(Self.path)?kind=keys").text

            #expect(page.contains("Webhook added</strong>: <bdi>hooks.example.com</bdi>"))
            #expect(page.contains("<bdi>admin</bdi> · app") && !page.contains("T0/secret"))
        }
    }
}
