import Crypto
import Domain
import Fakes
import Foundation
import Postgres
import Store
import TestTools
import Testing

@testable import Formats
@testable import Notices

/// What people are written, and when.
@Suite(.timeLimit(.minutes(5)))
struct MailNotifierTests {
    // MARK: Posts and accounts

    @Test func `what happens within ten minutes is one mail, with words, links and no pictures`() async throws {
        try await withBench { bench in
            try await bench.confirm()
            let (submission, account) = (try await bench.submission(caption: "A boat"), try await bench.account())
            try await bench.end(submission, "rejected")
            try await bench.loseLogin(account)
            #expect(try await bench.send() == 0)

            try await bench.database.change("UPDATE mails SET due_at = now() WHERE kind = 'post'")
            #expect(try await bench.send() == 1)

            let delivery = try #require(bench.fake.deliveries.first)
            #expect(delivery.sender == FakeMail.user && delivery.recipients == ["alice@example.org"])
            #expect(bench.fake.subjects == ["2 things need your attention"])
            let text = try #require(bench.fake.effects.first?.text)
            #expect(text.contains("Post failed: Flickr\n“A boat”\nhttps://pics.example/"))
            #expect(text.contains("Reconnect Flickr\n") && text.contains("https://pics.example/settings/connections"))
            let words = bench.words(0)
            #expect(words.contains("From: \"Pics\" <alice@example.com>") && words.contains("To: <alice@example.org>"))
            #expect(words.contains("Auto-Submitted: auto-generated\r\n"))
            #expect(words.contains("List-Unsubscribe: <https://pics.example/mail/unsubscribe?token="))
            #expect(words.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"))
            #expect(words.contains("<html lang=\"en\">") && !words.contains("<img"))
            #expect(try await bench.waiting == 0)
            #expect(try await bench.address?.deliveredAt != nil)
            #expect(try await bench.send() == 0)
        }
    }

    @Test func `a report is told to admins until it is decided`() async throws {
        try await withBench { bench in
            try await bench.confirm()
            _ = try await bench.choose(kinds: [.reports])
            _ = try await bench.submission(caption: "A boat")
            try await bench.database.change("UPDATE users SET is_admin = true")
            let report = """
                INSERT INTO reports (id, photo_id, reporter, reason)
                SELECT gen_random_uuid(), id, sha256(gen_random_uuid()::text::bytea), 'spam' FROM photos
                """
            try await bench.database.change(report)
            try await bench.passTime()
            #expect(try await bench.send() == 1)
            #expect(bench.fake.subjects == ["A photo was reported"])
            let text = try #require(bench.fake.effects.first?.text)
            #expect(text.contains("https://pics.example/settings/reports") && !text.contains("spam"))

            try await bench.database.change(report)
            try await bench.database.change("UPDATE reports SET decided_at = now(), decision = 'dismissed'")
            try await bench.passTime()
            #expect(try await bench.send() == 0)
            #expect(try await bench.waiting == 0)
        }
    }

    @Test func `what was mended meanwhile, and what is not wanted, is not told`() async throws {
        try await withBench { bench in
            try await bench.confirm()
            let submission = try await bench.submission()
            try await bench.end(submission, "rejected")
            try await bench.end(submission, "cancelled")
            try await bench.passTime()
            #expect(try await bench.send() == 0)
            #expect(try await bench.waiting == 0)

            _ = try await bench.choose(kinds: [.logins])
            try await bench.end(submission, "unknown")
            #expect(try await bench.waiting == 0)
            #expect(bench.fake.deliveries.isEmpty)
        }
    }

    @Test func `the words are Japanese where the address is, and names cannot end a field`() async throws {
        try await withBench { bench in
            try await bench.confirm(language: "ja")
            let account = try await bench.account()
            try await bench.database.change("UPDATE connections SET account = E'a\r\nBcc: eve@example.org\r\n'")
            try await bench.loseLogin(account)
            try await bench.passTime()

            #expect(try await bench.send() == 1)

            #expect(bench.fake.subjects == ["Flickrの再接続が必要です"])
            #expect(bench.fake.deliveries[0].recipients == ["alice@example.org"])
            let head = bench.words(0).prefix(while: { _ in true }).split(separator: "\r\n\r\n")[0]
            #expect(!"\n\(head.lowercased())".contains("\nbcc"))
        }
    }

    @Test func `an invitation's names cannot end a field either`() async throws {
        let message = MailMessage(
            from: try #require(MailAddress("Pics\u{85} <pics@example.com>")),
            to: [try #require(MailAddress("a@example.org"))],
            subject: "Hi\r\nBcc: eve@example.org", date: 0, key: "k\r\nX: y", text: "",
            unsubscribeURL: "https://a/\r\nBcc: eve@example.org")
        let text = message.pieces.reduce("") { text, piece in
            guard case .text(let bytes) = piece else { return text }
            return text + String(decoding: bytes, as: UTF8.self)
        }
        #expect(!text.contains("\nBcc") && !text.contains("\nX:") && !text.contains("List-Unsubscribe"))
    }

    // MARK: Trouble

    @Test func `a server that is busy is asked again later`() async throws {
        try await withBench { bench in
            try await bench.confirm()
            let submission = try await bench.submission()
            try await bench.end(submission, "rejected")
            try await bench.passTime()
            bench.server.host.fail("MAIL /", .status(500))

            #expect(try await bench.send() == 0)
            #expect(try await bench.waiting == 1)
            #expect(try await bench.address?.problem != nil)
            #expect(try await bench.send() == 0)
            try await bench.passTime()
            #expect(try await bench.send() == 1)
            #expect(try await bench.address?.problem == nil)
        }
    }

    @Test func `a notice that may have left is not sent again, a link is, with a token of its own`() async throws {
        try await withBench { bench in
            try await bench.confirm()
            let submission = try await bench.submission()
            try await bench.end(submission, "rejected")
            try await bench.passTime()
            bench.server.host.fail(". /", .resetAfter)
            #expect(try await bench.send() == 0)
            #expect(try await bench.waiting == 0)
            #expect(bench.fake.deliveries.count == 1)

            _ = try await bench.choose("alice@example.net")
            bench.server.host.fail(". /", .resetAfter)
            #expect(try await bench.send() == 0)
            try await bench.passTime()
            #expect(try await bench.send() == 1)
            #expect(bench.fake.deliveries.count == 3)
            let (first, second) = (
                try bench.token("/mail/confirm", in: 1), try bench.token("/mail/confirm", in: 2)
            )
            #expect(first != second)
            #expect(try await bench.store.addressToConfirm(token: SHA256Digest(of: first).bytes) == nil)
            #expect(try await bench.store.confirmAddress(token: SHA256Digest(of: second).bytes) != nil)
        }
    }

    @Test func `a process that ends after the last line leaves nothing that is sent twice`() async throws {
        try await withBench { bench in
            try await bench.confirm()
            let submission = try await bench.submission()
            try await bench.end(submission, "rejected")
            try await bench.passTime()
            let turn = try #require(try await bench.store.claimMails(lease: .seconds(60)))
            #expect(try await bench.store.claimMails(lease: .seconds(60)) == nil)
            try await bench.store.arm(turn, lease: .seconds(60))
            try await bench.database.change("UPDATE mails SET lease_until = now() - interval '1 s'")
            await #expect(throws: StoreError.changed) { try await bench.store.arm(turn, lease: .seconds(60)) }

            #expect(try await bench.send() == 0)
            #expect(try await bench.waiting == 0)
            #expect(bench.fake.deliveries.isEmpty)
        }
    }

    @Test func `who has left gets no mail, and keeps nobody from theirs`() async throws {
        try await withBench { bench in
            let bob = try await bench.store.addUser("bob")
            _ = try await bench.choose("bob@example.org", of: bob)
            _ = try await bench.choose()
            try await bench.database.change("SELECT leave('\(bob.id)')")

            #expect(try await bench.send() == 1)

            #expect(bench.fake.deliveries.map(\.recipients) == [["alice@example.org"]])
        }
    }

    @Test func `a sign that joins its neighbour is no markup in a mail either`() {
        #expect(HTMLText.escaped("\u{600}<b>\u{301}&\"") == "\u{600}&lt;b&gt;\u{301}&amp;&quot;")
    }

    @Test func `an address that its server refuses is written to no more until it is confirmed again`() async throws {
        var options = FakeMail.Options()
        options.unknown = ["alice@example.org"]
        try await withBench(options) { bench in
            try await bench.confirm()
            let account = try await bench.account()
            try await bench.loseLogin(account)
            try await bench.passTime()

            #expect(try await bench.send() == 0)

            let address = try #require(try await bench.address)
            #expect(address.isRefused && !address.isConfirmed && address.problem?.contains("user unknown") == true)
            let submission = try await bench.submission()
            try await bench.end(submission, "rejected")
            #expect(try await bench.waiting == 0)
        }
    }

    // MARK: Confirmation

    @Test func `nobody can have many questions sent to a stranger`() async throws {
        try await withBench { bench in
            let bob = try await bench.store.addUser("bob", isAdmin: false, timeZone: "UTC")
            #expect(try await bench.choose("eve@example.org"))
            #expect(try await !bench.choose("Eve@example.org"))
            #expect(try await !bench.choose("eve@example.org", of: bob))
            try await bench.store.deleteNoticeAddress(of: bench.alice.id)
            #expect(try await !bench.choose("eve@example.org"))

            for number in 2...5 { #expect(try await bench.choose("eve\(number)@example.org")) }
            #expect(try await !bench.choose("eve6@example.org"))
            #expect(try await bench.waiting == 1)
            try await bench.database.change("UPDATE mail_confirmations SET asked_at = asked_at - interval '1 day'")
            #expect(try await bench.choose("eve6@example.org"))
        }
    }

    @Test func `nothing but the question goes to an address that is not confirmed`() async throws {
        try await withBench { bench in
            _ = try await bench.choose(digest: .daily)
            #expect(try await bench.send() == 1)
            let submission = try await bench.submission()
            try await bench.end(submission, "rejected")
            try await bench.database.change("UPDATE mail_addresses SET next_digest_at = now()")
            try await bench.store.askForReset("alice", language: "en")
            #expect(try await bench.send() == 0)
            #expect(bench.fake.subjects == ["Confirm your mail address"])
            #expect(try await bench.waiting == 0)
        }
    }

    // MARK: New passwords

    @Test func `a link for a new password is good once and for an hour, and three are sent within one`() async throws {
        try await withBench { bench in
            try await bench.confirm()
            for entered in ["alice", "alice@example.org", "alice", "alice", "nobody", "?"] {
                try await bench.store.askForReset(entered, language: "en")
            }
            #expect(try await bench.send() == 3)
            #expect(try await bench.waiting == 0)
            let tokens = try (0..<3).map { SHA256Digest(of: try bench.token("/sign-in/reset", in: $0)).bytes }
            #expect(try await bench.store.userToReset(hash: tokens[0])?.name == "alice")

            let hash = try PasswordHash(of: Secret("a new password")).text
            #expect(try await bench.store.resetPassword(of: bench.alice.id, to: hash, reset: tokens[0]))

            for token in tokens {
                #expect(try await bench.store.userToReset(hash: token) == nil)
                #expect(try await !bench.store.resetPassword(of: bench.alice.id, to: hash, reset: token))
            }
            #expect(try await bench.store.password(ofUserNamed: "alice")?.password == hash)
        }
    }

    @Test func `no token stands in the database`() async throws {
        try await withBench { bench in
            try await bench.confirm()
            try await bench.store.askForReset("alice", language: "en")
            try await bench.send()
            let token = try bench.token("/sign-in/reset", in: 0)
            for table in ["mails", "password_resets", "mail_addresses"] {
                let found = try await bench.database.run(
                    Query<Int32>(
                        "test_token_in_\(table)", "SELECT 1 AS n FROM \(table) t WHERE t::text LIKE $1", ["%\(token)%"]
                    ) {
                        row throws(PostgresError) in try row.get("n")
                    })
                #expect(found.isEmpty)
            }
        }
    }

    // MARK: Digests

    @Test func `a digest tells what is new since the last one, and is not sent where nothing is`() async throws {
        try await withBench { bench in
            try await bench.confirm(digest: .daily)
            let photo = try await bench.photo(caption: "Boat")
            func passDay() async throws {
                try await bench.database.change("UPDATE mail_addresses SET next_digest_at = now()")
            }
            try await bench.respond(to: photo, "1")
            try await bench.respond(to: photo, "2")
            try await bench.respond(to: photo, "3", kind: .like)
            #expect(try await bench.send() == 0)

            try await passDay()
            #expect(try await bench.send() == 1)
            #expect(bench.fake.subjects == ["2 new responses"])
            let text = try #require(bench.fake.effects.first?.text)
            #expect(text.contains("2 new responses\n“Boat”\nhttps://pics.example/") && text.contains("#responses"))

            try await passDay()
            #expect(try await bench.send() == 0)
            try await bench.respond(to: photo, "4")
            try await passDay()
            #expect(try await bench.send() == 1)
            #expect(bench.fake.subjects.last == "1 new response")
        }
    }

    @Test func `a digest comes at eight by the user's clock, weekly ones on Monday`() async throws {
        try await withBench { bench in
            try await bench.store.setTimeZone(of: bench.alice.id, to: "Asia/Tokyo")
            for (digest, days) in [("daily", 1.0), ("weekly", 7.0)] {
                let next = try await bench.database.one(
                    Query<Date>(
                        "test_next_\(digest)", "SELECT next_digest($1, $2) AS at", [bench.alice.id.uuid, digest]
                    ) {
                        row throws(PostgresError) in try row.get("at")
                    })
                var calendar = Calendar(identifier: .gregorian)
                calendar.timeZone = try #require(TimeZone(identifier: "Asia/Tokyo"))
                #expect(calendar.component(.hour, from: next) == 8 && calendar.component(.minute, from: next) == 0)
                #expect(0...(days * 86_400) ~= next.timeIntervalSinceNow)
                if digest == "weekly" { #expect(calendar.component(.weekday, from: next) == 2) }
            }
        }
    }

    // MARK: Unsubscribing

    @Test func `a link of a mail ends notices of its address alone`() async throws {
        try await withBench { bench in
            try await bench.confirm(digest: .weekly)
            let url = bench.delivery.unsubscribeURL(of: bench.alice.id, "alice@example.org")
            let token = String(try #require(url.split(separator: "=").last))
            #expect(try await bench.delivery.subscription(token)?.address == "alice@example.org")
            #expect(try await bench.delivery.subscription(String(token.reversed())) == nil)

            #expect(try await bench.store.unsubscribe(bench.alice.id, from: "alice@example.org"))
            let address = try #require(try await bench.address)
            #expect(address.kinds.isEmpty && address.digest == .none && address.isConfirmed)

            try await bench.confirm("new@example.org")
            #expect(try await bench.delivery.subscription(token) == nil)
        }
    }
}
