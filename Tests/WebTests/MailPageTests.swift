import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// Mail on pages, from forms to what the links in mails open. What leaves, and when: `NoticesTests`.
@Suite(.timeLimit(.minutes(5)))
struct MailPageTests {
    private static let path = "/settings/notifications"
    private static let mail = "/settings/notifications/mail"

    /// Runs `body` with an operator who has a mail server.
    private func withMail(_ body: (InProcessPics, FakeMail, FakeServer) async throws -> Void) async throws {
        let fake = FakeMail()
        let server = try await FakeServer(FakeHost(fake), on: try EventLoop(name: "mail"))
        let result: Result<Void, any Error>
        do {
            let settings = [
                "PICS_MAIL_SERVER": server.url, "PICS_MAIL_FROM": "Pics <\(FakeMail.user)>",
                "PICS_MAIL_PASSWORD": FakeMail.password,
            ]
            try await withInProcessPics(settings: settings) { try await body($0, fake, server) }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await server.stop()
        try result.get()
    }

    /// The link below `path` in the last mail, as a path.
    private func link(_ path: String, in fake: FakeMail) throws -> String {
        let text = try #require(fake.effects.last?.text)
        let found = try Regex("\(path)[?][a-z]+=[A-Za-z0-9_-]+").firstMatch(in: text)
        return String(try #require(found?[0].substring))
    }

    private func token(of link: String) throws -> String { String(try #require(link.split(separator: "=").last)) }

    /// Enters an address and confirms it.
    private func confirm(
        _ address: String, by browser: inout Browser, _ pics: InProcessPics, _ fake: FakeMail
    ) async throws {
        let asked = try await browser.submit(
            ["address": address, "posts": "yes", "digest": "weekly"], to: Self.mail, from: Self.path)
        #expect(asked.location == "\(Self.path)?done=mail-asked")
        #expect(try await pics.sendMails() == 1)
        let link = try link("/mail/confirm", in: fake)
        var reader = Browser(pics)
        #expect(try await reader.open(link).text.contains(address))
        #expect(try await browser.open(Self.path).text.contains("Not confirmed yet."))
        let done = try await reader.submit(["token": try token(of: link)], to: "/mail/confirm", from: link)
        #expect(done.status == 200 && done.text.contains("Mail address confirmed"))
    }

    @Test func `an address is confirmed by a link, unsubscribed without a session, and removed`() async throws {
        try await withMail { pics, fake, _ in
            var browser = try await pics.browser()
            try await confirm("admin@example.org", by: &browser, pics, fake)
            let page = try await browser.open(Self.path).text
            #expect(page.contains("Confirmed.") && page.contains("value=\"admin@example.org\""))
            #expect(page.contains("name=\"posts\" value=\"yes\" checked") && page.contains("value=\"weekly\" selected"))
            #expect(!page.contains("name=\"logins\" value=\"yes\" checked"))

            let unsubscribe = try link("/mail/unsubscribe", in: fake)
            var reader = Browser(pics)
            #expect(try await reader.open(unsubscribe).text.contains("admin@example.org?"))
            #expect(try await browser.open(Self.path).text.contains("value=\"weekly\" selected"))
            let wrong = try await reader.post(["List-Unsubscribe": "One-Click"], to: "\(unsubscribe)x")
            #expect(wrong.status == 404)
            let ended = try await reader.post(
                ["List-Unsubscribe": "One-Click"], to: unsubscribe, with: ["Origin": "https://mail.example"])
            #expect(ended.status == 200 && ended.text.contains("no more notices"))
            #expect(try await !browser.open(Self.path).text.contains("value=\"weekly\" selected"))

            let removed = try await browser.submit([:], to: "\(Self.mail)/remove", from: Self.path)
            #expect(removed.location == "\(Self.path)?done=mail-removed")
            #expect(try await !browser.open(Self.path).text.contains("admin@example.org"))
        }
    }

    @Test func `what is no address, and one that was asked a moment ago, is refused with a sentence`() async throws {
        try await withMail { pics, fake, _ in
            var browser = try await pics.browser()
            for wrong in ["", "alice", "a@b\r\nBcc: c@d", "Alice <alice@example.org>"] {
                let page = try await browser.submit(["address": wrong], to: Self.mail, from: Self.path)
                #expect(page.status == 422 && page.text.contains("Enter a mail address"), "\(wrong)")
            }
            _ = try await browser.submit(["address": "a@example.org"], to: Self.mail, from: Self.path)
            let again = try await browser.submit(["address": "a@example.org"], to: Self.mail, from: Self.path)
            #expect(again.status == 429 && again.text.contains("Retry later."))
            #expect(try await pics.sendMails() == 1)
            #expect(fake.deliveries.map(\.recipients) == [["a@example.org"]])
        }
    }

    @Test func `another address wants the password in a session that is not fresh`() async throws {
        try await withMail { pics, fake, _ in
            var browser = try await pics.browser()
            try await pics.change("UPDATE sessions SET created_at = now() - interval '1 hour'")
            let form: FormFields = ["address": "thief@example.org", "posts": "yes", "digest": "none"]
            let asked = try await browser.submit(form, to: Self.mail, from: Self.path)
            #expect(asked.status == 200 && asked.text.contains("Enter your password"))
            #expect(try await pics.sendMails() == 0)

            var proven = form
            proven.add("password", testPassword)
            #expect(try await browser.submit(proven, to: Self.mail, from: Self.path).status == 303)
            #expect(try await pics.sendMails() == 1)
        }
    }

    @Test func `a forgotten password is chosen anew by a mail, and all sessions end`() async throws {
        try await withMail { pics, fake, _ in
            var thief = try await pics.browser()
            try await confirm("admin@example.org", by: &thief, pics, fake)
            var owner = Browser(pics)
            #expect(try await owner.open("/login").text.contains("href=\"/sign-in/forgot\""))

            let sent = try await owner.submit(
                ["who": " Admin@example.org "], to: "/sign-in/forgot", from: "/sign-in/forgot")
            #expect(sent.status == 200 && sent.text.contains("Check your mail"))
            #expect(try await pics.sendMails() == 1)
            let link = try link("/sign-in/reset", in: fake)
            #expect(try await owner.open(link).text.contains("For admin."))
            let short = try await owner.submit(
                ["token": try token(of: link), "new_password": "a", "new_password_again": "a"], to: "/sign-in/reset",
                from: link)
            #expect(short.status == 422)
            #expect(try await thief.isSignedIn())

            let form: FormFields = [
                "token": try token(of: link), "new_password": "a new password for all",
                "new_password_again": "a new password for all",
            ]
            #expect(try await owner.submit(form, to: "/sign-in/reset", from: link).location == "/")

            #expect(try await owner.isSignedIn())
            #expect(try await !thief.isSignedIn())
            #expect(try await owner.open(link).status == 404)
            var other = Browser(pics)
            #expect(try await other.submit(form, to: "/sign-in/reset", from: "/login").status == 404)
            #expect(try await other.signIn("admin", "a new password for all").location == "/")
        }
    }

    @Test func `a new password by mail does not go round the second factor`() async throws {
        try await withMail { pics, fake, _ in
            var browser = try await pics.browser()
            try await confirm("admin@example.org", by: &browser, pics, fake)
            try await pics.change(
                "INSERT INTO second_factors (user_id, sealed, last_step) SELECT id, '', 0 FROM users WHERE name = 'admin'"
            )
            var reader = Browser(pics)
            _ = try await reader.submit(["who": "admin@example.org"], to: "/sign-in/forgot", from: "/sign-in/forgot")
            #expect(try await pics.sendMails() == 1)
            let link = try link("/sign-in/reset", in: fake)
            let form: FormFields = [
                "token": try token(of: link), "new_password": "a new password for all",
                "new_password_again": "a new password for all",
            ]

            let answer = try await reader.submit(form, to: "/sign-in/reset", from: link)

            #expect(answer.location == "/sign-in/code")
            #expect(try await !reader.isSignedIn())
        }
    }

    @Test func `a forgotten password says and does the same for everybody`() async throws {
        try await withMail { pics, fake, _ in
            var browser = try await pics.browser()
            try await confirm("admin@example.org", by: &browser, pics, fake)
            var pages: Set<String> = []
            var stranger = Browser(pics)
            for who in [
                "admin", "admin@example.org", "nobody", "nobody@example.org", "", String(repeating: "a", count: 999),
            ] {
                let page = try await stranger.submit(["who": who], to: "/sign-in/forgot", from: "/sign-in/forgot")
                #expect(page.status == 200)
                pages.insert(page.lasting)
            }
            #expect(pages.count == 1)
            // One row each, whoever it is.
            #expect(try await pics.change("UPDATE mails SET failures = 0 WHERE kind = 'reset'") == 6)
            for _ in 0..<4 {
                _ = try await stranger.submit(["who": "x"], to: "/sign-in/forgot", from: "/sign-in/forgot")
            }
            let many = try await stranger.submit(["who": "x"], to: "/sign-in/forgot", from: "/sign-in/forgot")
            #expect(many.status == 429 && many.text.contains("<h1>Too many requests</h1>"))
            #expect(many.text.firstMatch(of: #/Try again in \d+ minutes\./#) != nil && !many.text.contains("quota"))
            #expect(try await pics.sendMails() == 2)
        }
    }

    @Test func `an invitation is mailed, and shown, and either link is good once for both`() async throws {
        try await withMail { pics, fake, _ in
            var admin = try await pics.browser()
            let page = try await admin.submit(
                ["name": "berta", "mail": "berta@example.org"], to: "/settings/people/invite", from: "/settings/people")
            let shown = try #require(page.shown)
            #expect(page.text.contains("also mailed to berta@example.org"))
            #expect(try await pics.sendMails() == 1)
            #expect(fake.subjects == ["admin invites you to Pics"])
            #expect(fake.deliveries[0].recipients == ["berta@example.org"])
            let link = try link("/join", in: fake)
            #expect(!shown.hasSuffix(link))

            var guest = Browser(pics)
            let joined = try await guest.submit(
                [
                    "invitation": try token(of: link), "new_password": testPassword, "new_password_again": testPassword,
                    "time_zone": "UTC",
                ], to: "/join", from: link)
            #expect(joined.location == "/")
            #expect(try await guest.open("/settings").text.contains("You are berta"))
            #expect(try await Browser.opened(shown, at: pics).status == 410)
        }
    }

    @Test func `an admin sends a test mail and reads what the server says`() async throws {
        try await withMail { pics, fake, server in
            var admin = try await pics.browser()
            let sent = try await admin.submit(["address": "ann@example.org"], to: "\(Self.mail)/test", from: Self.path)
            #expect(sent.status == 200 && sent.text.contains("2.0.0 OK: queued"))
            #expect(fake.subjects == ["Test mail from Pics"])

            server.host.fail("RCPT /", .status(404))
            let failed = try await admin.submit(
                ["address": "ann@example.org"], to: "\(Self.mail)/test", from: Self.path)
            #expect(failed.status == 422 && failed.text.contains("Mailbox does not exist"))

            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            #expect(try await !bob.open(Self.path).text.contains("Test mail"))
            #expect(
                try await bob.submit(["address": "ann@example.org"], to: "\(Self.mail)/test", from: Self.path).status
                    == 403)
        }
    }

    @Test func `without a mail server nothing of mail is there`() async throws {
        try await withInProcessPics { pics in
            var admin = try await pics.browser()
            #expect(try await !admin.open(Self.path).text.contains("By mail"))
            #expect(try await !admin.open("/settings/people").text.contains("name=\"mail\""))
            #expect(try await !admin.open("\(Self.path)?done=mail").text.contains("class=\"notice\""))
            var stranger = Browser(pics)
            #expect(try await !stranger.open("/login").text.contains("Forgot"))
            for path in [
                "/sign-in/forgot", "/sign-in/reset?token=a", "/mail/confirm?token=a", "/mail/unsubscribe?token=a",
            ] {
                #expect(try await stranger.open(path).status == 404)
            }
            #expect(try await admin.submit(["address": "a@example.org"], to: Self.mail, from: Self.path).status == 404)
        }
    }

    @Test func `pages and mails speak the reader's language`() async throws {
        try await withMail { pics, fake, _ in
            try await pics.letIn("admin")
            var reader = try await pics.browser(of: "admin")
            reader.fields = ["Accept-Language": "ja"]
            _ = try await reader.submit(["address": "a@example.org"], to: Self.mail, from: Self.path)
            try await pics.sendMails()

            #expect(fake.subjects == ["メールアドレスの確認"])
            let english = #/>[^<]*[A-Za-z]{4,} [a-z]+/#
            for path in [
                Self.path, "/sign-in/forgot", try link("/mail/confirm", in: fake),
                try link("/mail/unsubscribe", in: fake),
            ] {
                let text = try await reader.open(path).text
                let words = text.matches(of: english).map { String($0.output) }
                #expect(words.isEmpty, "\(path): \(words)")
            }
        }
    }
}

extension Browser {
    fileprivate static func opened(_ path: String, at pics: InProcessPics) async throws -> Page {
        var browser = Browser(pics)
        return try await browser.open(path)
    }
}
