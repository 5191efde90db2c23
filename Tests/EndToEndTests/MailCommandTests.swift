import EventLoops
import Fakes
import Foundation
import TestPics
import TestTools
import Testing

/// Mail by commands: the test mail, invitations, and what the doctor finds.
@Suite(.timeLimit(.minutes(10)))
struct MailCommandTests {
    @Test func `mail test says what the server answered, and ends with 1 where it does not take mail`() async throws {
        try await withMail { pics, fake, _ in
            let sent = try await pics.command("mail", "test", "bob@example.com")
            #expect(sent.status == 0)
            #expect(sent.output.hasPrefix("sent to bob@example.com; the server answered: 2.0.0"))
            #expect(fake.deliveries.map(\.recipients) == [["bob@example.com"]])

            let wrong = try PicsProcess(
                ["mail", "test", "bob@example.com"],
                environment: pics.environment.merging(["PICS_MAIL_PASSWORD": "wrong"]) { $1 }, folder: pics.folder)
            #expect(await wrong.end().status == 1)
            #expect(wrong.logged.contains("The server answered: 535"), "\(wrong.logged)")
            #expect(!wrong.logged.contains("wrong\n") && fake.deliveries.count == 1)
        }
    }

    @Test(arguments: [["test"], ["test", "bob"], ["send", "bob@example.com"]])
    func `words that cannot be meant are refused with what there is`(words: [String]) async throws {
        try await withFolder { folder in
            let pics = try PicsProcess(
                ["mail"] + words, environment: ["PICS_DATA_DIR": "\(folder)/data"], folder: folder)
            #expect(await pics.end().status == 2)
            #expect(pics.logged.contains("pics mail") || pics.logged.contains("is no mail address"))
        }
    }

    @Test func `an invitation is mailed once, with a link of its own`() async throws {
        try await withMail { pics, fake, _ in
            let invited = try await pics.command("user", "invite", "berta", "--mail", "berta@example.com")
            #expect(invited.status == 0)
            let link = invited.output.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(link.hasPrefix("https://pics.example/join?invitation="))
            await until { !fake.deliveries.isEmpty }
            #expect(fake.deliveries.map(\.recipients) == [["berta@example.com"]])
            // Each has a token of its own.
            let text = try #require(fake.effects.first?.text)
            #expect(text.contains("https://pics.example/join?invitation=") && !text.contains(link))
        }
        try await withPics { pics in
            let refused = try PicsProcess(
                ["user", "invite", "berta", "--mail", "berta@example.com"], environment: pics.environment,
                folder: pics.folder)
            #expect(await refused.end().status == 1)
            #expect(refused.logged.contains("Nobody was invited."))
        }
    }

    @Test func `the doctor tells whether the server takes mail`() async throws {
        try await withMail { pics, _, server in
            let ready = try await pics.command("doctor").output
            #expect(ready.contains("mail: ready, the server takes mail of \(FakeMail.user)"))
            await server.stop()
            let troubled = try await pics.command("doctor").output
            #expect(troubled.contains("mail: Mail cannot be sent: "))
        }
    }

    /// Runs `body` with a Pics that has a mail server.
    private func withMail(_ body: (Pics, FakeMail, FakeServer) async throws -> Void) async throws {
        let fake = FakeMail()
        let server = try await FakeServer(FakeHost(fake), on: try EventLoop(name: "mail"))
        let settings = [
            "PICS_MAIL_SERVER": server.url, "PICS_MAIL_FROM": "Pics <\(FakeMail.user)>",
            "PICS_MAIL_PASSWORD": FakeMail.password, "PICS_BASE_URL": "https://pics.example",
        ]
        try await withPics(settings: settings) { try await body($0, fake, server) }
        await server.stop()
    }
}
