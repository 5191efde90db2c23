import Foundation
import HTTP
import TestPics
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SettingsPageTests {
    @Test func `a token is shown once, works, and works no more once it is revoked`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("alice")
            var browser = try await pics.browser(of: "alice")

            let made = try await browser.submit(
                ["name": "my <phone>", "scope": "read"], to: "/settings/tokens", from: "/settings/tokens")

            let token = try #require(made.shown)
            #expect(made.text.contains("my &lt;phone&gt;") && !made.text.contains("<phone>"))
            #expect(try await pics.status(.get, "/v1/photos", token: token) == 200)
            #expect(try await pics.status(.post, "/v1/photos", token: token) == 403)
            let list = try await browser.open("/settings/tokens").text
            #expect(list.contains("my &lt;phone&gt;") && !list.contains(token))

            let path = try #require(list.firstMatch(of: #/\/settings\/tokens\/[0-9a-f-]+\/revoke/#)?.output)
            #expect(try await browser.submit([:], to: String(path), from: "/settings/tokens").status == 303)
            #expect(try await pics.status(.get, "/v1/photos", token: token) == 401)
            #expect(try await !browser.open("/settings/tokens").text.contains("my &lt;phone&gt;"))
        }
    }

    @Test func `a token that may post is shown with the ways to post with it, another without`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            func page(_ scope: String) async throws -> Browser.Page {
                try await browser.submit(
                    ["name": "x", "scope": scope], to: "/settings/tokens", from: "/settings/tokens")
            }

            let (posting, reading) = (try await page("write"), try await page("read"))

            let token = try #require(posting.shown)
            #expect(posting.text.contains("curl -H 'Authorization: Bearer \(token)' -F photo=@photo.jpg"))
            #expect(posting.text.contains("\(pics.base)/v1/photos</pre>"))
            #expect(posting.text.contains("<img src=\"data:image/svg+xml;base64,"))
            #expect(posting.fields["Cache-Control"] == "no-store")
            #expect(!reading.text.contains("curl") && reading.text.contains("data:image/svg+xml"))
        }
    }

    @Test func `the browser's time zone is taken at joining and offered in the settings`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let invited = try await browser.submit([:], to: "/settings/people/invite", from: "/settings/people")
            var guest = Browser(pics)
            let join = try await guest.open(try #require(invited.shown).replacing("&amp;", with: "&"))

            #expect(join.text.contains("data-zone=\"guess\"") && !join.text.contains("data-offer"))
            let settings = try await browser.open("/settings").text
            #expect(settings.contains("data-zone=\"chosen\"") && settings.contains("data-offer hidden"))
            #expect(settings.contains("/assets/zone."))
        }
    }

    @Test func `a token for 30 days says when it ends, on its page and to its app`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("alice")
            var browser = try await pics.browser(of: "alice")

            let made = try await browser.submit(
                ["name": "x", "scope": "read", "days": "30"], to: "/settings/tokens", from: "/settings/tokens")

            #expect(made.text.contains("valid until <time"))
            let me = try await pics.send(
                .get, "/v1/me", with: ["Authorization": "Bearer \(try #require(made.shown))"], isAnonymous: true)
            let end = try JSONValue(parsing: me.body)["token"]?["expires_at"]?.string
            let ends = try #require(end.flatMap { Timestamp($0) }).date
            #expect((ends.timeIntervalSinceNow / 86_400).rounded() == 30)
        }
    }

    @Test(
        arguments: [
            ["name": "x"], ["scope": "read"], ["name": "x", "scope": "everything"],
            ["name": "x", "scope": "read", "days": "31"], ["name": "x", "scope": "read", "days": "-30"],
        ] as [FormFields])
    func `a token without a name or a known scope is not made`(form: FormFields) async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")

            let response = try await browser.submit(form, to: "/settings/tokens", from: "/settings/tokens")

            #expect(response.status == 422 && response.shown == nil)
        }
    }

    @Test func `nobody reaches tokens and sessions of others`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            var admin = try await pics.browser(of: "admin")
            var alice = try await pics.browser(of: "alice")
            let tokens = try await admin.open("/settings/tokens").text
            let sessions = try await admin.open("/settings/sessions").text
            let revoke = try #require(tokens.firstMatch(of: #/\/settings\/tokens\/[0-9a-f-]+\/revoke/#)?.output)
            let end = try #require(sessions.firstMatch(of: #/\/settings\/sessions\/[0-9a-f-]+\/end/#)?.output)

            for path in [String(revoke), String(end), "/settings/tokens/1/revoke", "/settings/sessions/1/end"] {
                #expect(try await alice.submit([:], to: path, from: "/settings").status == 404, "\(path)")
            }

            #expect(try await pics.status(.get, "/v1/photos", token: pics.token) == 200)
            #expect(try await admin.isSignedIn())
        }
    }

    @Test func `one browser is signed out from another, and all from one`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            var first = try await pics.browser(of: "admin")
            var second = try await pics.browser(of: "admin")
            var third = try await pics.browser(of: "admin")
            var alice = try await pics.browser(of: "alice")
            let list = try await third.open("/settings/sessions").text
            let ends = list.matches(of: #/\/settings\/sessions\/[0-9a-f-]+\/end/#).map { String($0.output) }
            #expect(ends.count == 3)

            for path in ends {
                // Its own is not among them.
                let response = try await third.submit([:], to: path, from: "/settings/sessions")
                if response.location == "/login" { break }
            }
            #expect(try await !third.isSignedIn())

            var last = try await pics.browser(of: "admin")
            let response = try await last.submit([:], to: "/settings/sessions/end", from: "/settings/sessions")

            #expect(response.location == "/login")
            for signedIn in [try await first.isSignedIn(), try await second.isSignedIn(), try await last.isSignedIn()] {
                #expect(!signedIn)
            }
            #expect(try await alice.isSignedIn())
        }
    }

    @Test func `a time zone is kept if there is such a one`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")

            let wrong = try await browser.submit(
                ["time_zone": "Mars/Olympus"], to: "/settings/time-zone", from: "/settings")
            let right = try await browser.submit(
                ["time_zone": "Asia/Tokyo"], to: "/settings/time-zone", from: "/settings")

            #expect(wrong.status == 422)
            #expect(right.location == "/settings?done=time-zone")
            #expect(try await browser.open("/settings").text.contains("<option selected>Asia/Tokyo"))
        }
    }

    @Test(arguments: [
        ("/settings/time-zone", "/settings"), ("/settings/password", "/settings/security"),
        ("/settings/people/invite", "/settings/people"),
    ])
    func `the address that a refused form leaves behind leads to its page`(form: String, page: String) async throws {
        try await withInProcessPics { pics in
            var browser = Browser(pics)

            let response = try await browser.open(form)

            #expect(response.status == 303 && response.location == page)
        }
    }

    @Test func `what is for admins is closed to others`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            var admin = try await pics.browser(of: "admin")
            var alice = try await pics.browser(of: "alice")

            #expect(try await alice.open("/settings/people").status == 403)
            #expect(try await alice.submit([:], to: "/settings/people/invite", from: "/settings").status == 403)
            let token = try await alice.submit(
                ["name": "x", "scope": "admin"], to: "/settings/tokens", from: "/settings/tokens")
            #expect(token.status == 403)
            #expect(try await !alice.open("/settings").text.contains("/settings/people"))

            #expect(try await admin.open("/settings/people").text.contains("<strong>alice</strong>"))
            let own = try await admin.submit(
                ["name": "x", "scope": "admin"], to: "/settings/tokens", from: "/settings/tokens")
            #expect(try await pics.status(.get, "/v1/queue/gates", token: try #require(own.shown)) == 200)
        }
    }

    @Test(arguments: ["make an admin", "invite an admin", "delete somebody"])
    func `an admin who signed in long ago gives the password before they`(act: String) async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            var admin = try await pics.browser(of: "admin")
            // A user's own account is deleted elsewhere.
            let people = try await admin.open("/settings/people").text
            let alice = try #require(people.firstMatch(of: #//people/([^/]+)/delete/#)).1
            let (path, fields): (String, FormFields) =
                switch act {
                case "make an admin": ("/settings/people/\(alice)/admin", ["admin": "yes"])
                case "invite an admin": ("/settings/people/invite", ["name": "carol", "admin": "yes"])
                default: ("/settings/people/\(alice)/delete", [:])
                }
            func isDone() async throws -> Bool {
                let changed = [
                    "users WHERE name = 'alice' AND is_admin", "invitations WHERE user_name = 'carol'",
                    "users WHERE deleted_at IS NOT NULL",
                ]
                for rows in changed where try await pics.change("SELECT FROM \(rows)") > 0 { return true }
                return false
            }
            try await pics.change("UPDATE sessions SET created_at = now() - interval '1 hour'")

            let asked = try await admin.submit(fields, to: path, from: "/settings/people")
            #expect(asked.status == 200 && asked.text.contains("type=\"password\""))
            var wrong = fields
            wrong.add("password", "wrong password")
            #expect(try await admin.submit(wrong, to: path, from: "/settings/people").status == 422)
            #expect(try await !isDone())

            // What was entered before comes again from the page that asks.
            for field in fields.pairs {
                #expect(asked.text.contains("name=\"\(field.name)\" value=\"\(field.value)\""))
            }
            var right = fields
            right.add("password", testPassword)
            let done = try await admin.submit(right, to: path, from: "/settings/people")
            #expect([200, 303].contains(done.status))
            #expect(try await isDone())
        }
    }
}
