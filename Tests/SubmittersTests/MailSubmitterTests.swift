internal import Curl
internal import Domain
internal import EventLoops
internal import Fakes
internal import Formats
internal import Foundation
internal import HTTP
internal import System
internal import TestTools
internal import Testing

@testable internal import Submitters

private let threads = BlockingThreads(name: "mail", count: 1)

struct MailSubmitterTests {
    private static func entries(_ url: String, _ changes: [String: String] = [:]) -> [String: String] {
        [
            "server": url, "sender": FakeMail.user, "password": FakeMail.password, "recipients": "ann@example.org",
        ].merging(changes) { $1 }
    }

    /// Lends an account of a fresh server, a photo of 100,000 bytes and the folder that it lies in.
    private func withMail(
        _ options: FakeMail.Options = FakeMail.Options(), _ changes: [String: String] = [:],
        _ body: (FakeMail, FakeServer, CurlTransport, OpenedAccount, SamplePhoto) async throws -> Void
    ) async throws {
        try await withFake(FakeMail(options)) { fake, server, transport in
            let account = try await Self.mail.connect(Self.entries(server.url, changes), over: transport)
            let folder = try TemporaryFolder()
            let photo = try folder.photo(
                (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }, mediaType: "image/jpeg",
                at: TestClock().now)
            try await body(fake, server, transport, account.opened(), photo)
        }
    }

    private static let mail = MailSubmitter(servers: .any, threads: threads)

    // MARK: Connecting

    @Test func `connecting logs in and asks, and sends nothing`() async throws {
        try await withMail { fake, server, _, account, _ in
            // Nobody waits for the answer to it.
            await until { server.host.requests.last?.route == "QUIT /" }
            #expect(server.host.requests.map(\.route) == ["EHLO /", "AUTH /", "MAIL /", "RCPT /", "RSET /", "QUIT /"])
            #expect(fake.deliveries.isEmpty)
            #expect(account.name == "alice@example.com → ann@example.org")
            #expect(account.settings["size_limit"] == 20_000_000)
            #expect(account.credentials == ["password": .string(FakeMail.password)])
        }
    }

    @Test func `a mailbox is connected once for each set of recipients`() async throws {
        try await withFake(FakeMail()) { _, server, transport in
            var ids: [String] = []
            for recipients in [
                "ann@example.org, bob@example.org", "Bob <bob@Example.org>; ann@example.org", "ann@example.org",
            ] {
                ids.append(
                    try await Self.mail.connect(
                        Self.entries(server.url, ["recipients": recipients]), over: transport
                    ).remoteID)
            }
            #expect(ids[0] == ids[1] && ids[0] != ids[2])
        }
    }

    @Test(arguments: [
        (["password": "wrong"], ProblemCode.credentialsRefused),
        (["sender": "carol@example.com", "username": FakeMail.user], .senderRefused),
        (["recipients": "nobody@example.org"], .recipientRefused), (["recipients": ""], .valueRequired),
        (["recipients": "ann"], .valueInvalid), (["recipients": "ann@example.org, b b@example.org"], .valueInvalid),
        (["sender": "alice"], .valueInvalid), (["server": "no-such-host.invalid"], .destinationMissing),
        (["server": "mail test"], .valueInvalid), (["server": "https://mail.test"], .valueInvalid),
        (["server": "mail.test:0"], .valueInvalid), (["server": "mail.test:99999"], .valueInvalid),
        (["recipients": (0...20).map { "a\($0)@example.org" }.joined(separator: ",")], .valueInvalid),
    ])
    func `what was entered and cannot be used is named`(changes: [String: String], code: ProblemCode) async throws {
        var options = FakeMail.Options()
        options.unknown = ["nobody@example.org"]
        try await withFake(FakeMail(options)) { _, server, transport in
            let problem = await refusal {
                try await Self.mail.connect(Self.entries(server.url, changes), over: transport)
            }
            #expect(problem?.problem.code == code)
            if code == .recipientRefused { #expect(problem?.problem.text.contains("nobody@example.org") == true) }
        }
    }

    @Test func `a server without STARTTLS, or without a login, gets no password`() async throws {
        for (mechanisms, scheme, reason) in [
            (["PLAIN"], "smtp://", ProblemParameters.Reason.notEncrypted), ([], "smtp+insecure://", .noLogin),
            (["CRAM-MD5"], "smtp+insecure://", .noLogin),
        ] {
            var options = FakeMail.Options()
            options.mechanisms = mechanisms
            try await withFake(FakeMail(options)) { _, server, transport in
                let url = server.url.replacing("smtp+insecure://", with: scheme)
                let problem = await refusal { try await Self.mail.connect(Self.entries(url), over: transport) }

                #expect(problem?.problem.parameters.reason == reason)
                #expect(!server.host.requests.contains { $0.route == "AUTH /" })
            }
        }
    }

    @Test func `clear text, and a server that takes mail of anybody, are for networks of the operator's own`()
        async throws
    {
        let strict = MailSubmitter(servers: .publicOnly, threads: threads)
        var options = FakeMail.Options()
        (options.needsLogin, options.mechanisms) = (false, [])
        try await withFake(FakeMail(options)) { fake, server, transport in
            for changes in [[:], ["server": "mail.test", "password": ""]] {
                #expect(
                    await meaning { try await strict.connect(Self.entries(server.url, changes), over: transport) }
                        == .rejected)
            }
            #expect(server.host.requests.isEmpty)

            let account = try await Self.mail.connect(Self.entries(server.url, ["password": ""]), over: transport)
            let folder = try TemporaryFolder()
            let photo = try folder.photo([1, 2, 3], mediaType: "image/jpeg", at: TestClock().now)
            _ = try await Self.mail.submit(.sample(photo, to: account.opened(), over: transport))
            #expect(fake.deliveries.count == 1)
        }
    }

    @Test(arguments: [
        ("smtp.example.com", 465, "tls"), ("smtp.example.com:587", 587, "starttls"), ("smtps://a:2465/", 2465, "tls"),
        ("smtp://Smtp.Example.com", 587, "starttls"), ("[2001:db8::1]:465", 465, "tls"),
        ("smtp+insecure://box:25", 25, "none"),
    ])
    func `host, port and safety are read from the server`(entered: String, port: Int64, security: String) throws {
        let account = try MailAccount(EnteredValues(Self.entries(entered)), policy: .any)

        #expect(account.settings(EnteredValues([:]))["port"]?.int == port)
        #expect(account.security.rawValue == security)
        #expect(MailAccount(.object(account.settings(EnteredValues([:]))))?.remoteID == account.remoteID)
    }

    // MARK: The message

    @Test func `several recipients get one message, and do not see each other`() async throws {
        try await withMail(FakeMail.Options(), ["recipients": "ann@example.org, bob@example.org"]) {
            fake, _, transport, account, photo in
            let receipt = try await Self.mail.submit(.sample(photo, to: account, over: transport))

            let delivery = try #require(fake.deliveries.first)
            #expect(fake.deliveries.count == 1)
            #expect(delivery.recipients == ["ann@example.org", "bob@example.org"] && delivery.sender == FakeMail.user)
            #expect(delivery.envelope == "key-1" && receipt.remoteID == "<key-1.pics@example.com>")
            let text = String(decoding: delivery.bytes, as: UTF8.self)
            #expect(!text.contains("ann@") && text.contains("To: undisclosed-recipients:;"))
        }
    }

    @Test(arguments: [
        ("Föhn\nSecond", "Föhn"), ("", "Photo by alice"), ("\n \n", "Photo by alice"),
        (String(repeating: "ä", count: 100), String(repeating: "ä", count: 77) + "…"),
        ("a\u{0}b\r\nBcc: eve@example.org", "a b"),
    ])
    func `the subject is the first line of the caption`(text: String, subject: String) async throws {
        try await withMail { fake, _, transport, account, photo in
            _ = try await Self.mail.submit(.sample(photo, to: account, over: transport, text: text))

            #expect(fake.subjects == [subject])
        }
    }

    @Test(arguments: [(Visibility.public, true), (.unlisted, true), (.private, false)])
    func `the photo's page is named where people may open it`(visibility: Visibility, isNamed: Bool) async throws {
        try await withMail { fake, _, transport, account, photo in
            var photo = photo
            photo.photo = OutgoingPhoto(
                isVideo: false, code: photo.code, owner: "alice", takenAt: nil, createdAt: TestClock().now,
                visibility: visibility)
            _ = try await Self.mail.submit(.sample(photo, to: account, over: transport, text: "Föhn"))

            #expect(fake.effects.map(\.text) == [isNamed ? "Föhn\n\nhttps://pics.test/Ab3dE9xZ" : "Föhn"])
        }
    }

    @Test func `a second try is the same message to the byte`() async throws {
        try await withMail { fake, server, transport, account, photo in
            let (journal, clock) = (MemoryJournal(), TestClock())
            let task = SubmissionTask.sample(photo, to: account, over: transport, journal: journal, clock: clock)
            _ = try await Self.mail.submit(task)
            journal.disarm()
            clock.advance(by: .seconds(3600))
            _ = try await Self.mail.submit(task)

            #expect(fake.deliveries.count == 2 && fake.deliveries[0].bytes == fake.deliveries[1].bytes)
        }
    }

    @Test func `one recipient that is refused stops the message for all, and is named`() async throws {
        var options = FakeMail.Options()
        options.greylisted = ["bob@example.org"]
        try await withMail(options, ["recipients": "ann@example.org, bob@example.org"]) {
            fake, server, transport, account, photo in
            server.host.fail("RCPT /", .none, .status(404))
            do throws(SubmissionError) {
                _ = try await Self.mail.submit(.sample(photo, to: account, over: transport))
                Issue.record("sent")
            } catch {
                #expect(Meaning(error) == .rejected && error.problem.code == .recipientRefused)
                #expect(error.problem.parameters.label == "bob@example.org")
            }
            #expect(fake.deliveries.isEmpty)
        }
    }

    @Test func `a message that the server says to be too long for it is not begun`() async throws {
        var options = FakeMail.Options()
        options.extensions = ["SIZE 120000"]
        try await withMail(options) { fake, server, transport, account, photo in
            #expect(
                await meaning { try await Self.mail.submit(.sample(photo, to: account, over: transport)) } == .rejected)
            #expect(server.host.requests.count { $0.route == "MAIL /" } == 1)
            // A copy that is made by the rule fits, and ten of them.
            let most = Self.mail.mediaRule(account.settings).maximumPictureBytes
            #expect(most > 0 && 10 * MailBody.length(ofBase64: most) <= 120_000)
        }
    }

    @Test func `a server without extensions gets none of their parameters`() async throws {
        var options = FakeMail.Options()
        options.extensions = []
        try await withMail(options) { fake, server, transport, account, photo in
            _ = try await Self.mail.submit(.sample(photo, to: account, over: transport))

            #expect(fake.deliveries.count == 1)
            #expect(account.settings["size_limit"]?.isNull == true)
            #expect(Self.mail.mediaRule(account.settings).maximumVideoBytes > 14_000_000)
        }
    }

    @Test func `a limit that the server states later is read`() async throws {
        try await withMail { _, _, transport, account, _ in
            let fresh = try await Self.mail.refreshSettings(of: account, over: transport)
            #expect(fresh == ["size_limit": 20_000_000])
        }
    }

    @Test func `a file that cannot be read in the midst of a message sends nothing`() async throws {
        try await withMail { fake, _, transport, account, photo in
            let short = SamplePhoto(
                photo: photo.photo,
                file: OutgoingFile(
                    path: photo.file.path, bytes: 200_000, mediaType: "image/jpeg", width: 1, height: 1))
            #expect(
                await meaning { try await Self.mail.submit(.sample(short, to: account, over: transport)) } == .temporary
            )
            #expect(fake.deliveries.isEmpty)
        }
    }

    @Test func `a submission that is cancelled when all but the end was sent is not sent`() async throws {
        try await withMail { fake, server, transport, account, photo in
            let journal = MemoryJournal()
            journal.cancel()
            let task = SubmissionTask.sample(photo, to: account, over: transport, journal: journal)
            #expect(await meaning { try await Self.mail.submit(task) } == .cancelled)
            #expect(fake.deliveries.isEmpty && server.host.requests.contains { $0.route == "DATA /" })
        }
    }

    // MARK: Answers

    @Test(
        arguments: [
            (421, "4.7.0 try again", SMTPFailure.Phase.greeting, Meaning.limited),
            (421, "4.3.2 bye", .greeting, .temporary),
            (554, "5.7.1 listed", .greeting, .temporary), (454, "4.7.0 too many logins", .login, .temporary),
            (535, "5.7.8 no", .login, .unauthorized), (500, "what", .login, .unauthorized),
            (535, "5.7.139 basic authentication is disabled", .login, .unauthorized),
            (553, "5.7.1 not yours", .sender, .unauthorized),
            (552, "5.3.4 too big", .sender, .rejected), (451, "4.7.1 greylisted", .recipient("a@b"), .temporary),
            (452, "4.2.2 full", .recipient("a@b"), .temporary), (552, "5.2.2 full", .recipient("a@b"), .rejected),
            (550, "5.4.5 daily limit", .recipient("a@b"), .limited),
            (550, "5.1.1 unknown", .recipient("a@b"), .rejected),
            (452, "4.3.1 no room", .message, .temporary), (554, "5.7.1 spam", .message, .rejected),
            (552, "too big", .message, .rejected), (530, "5.7.0 log in", .sender, .unauthorized),
            (354, "go on", .message, .unknownOutcome), (250, "queued", .data, .temporary),
        ] as [(Int, String, SMTPFailure.Phase, Meaning)])
    func `an answer means what the standards say`(code: Int, text: String, phase: SMTPFailure.Phase, meaning: Meaning) {
        let client = ServiceClient(service: "Mail", transport: Recording(), now: { Date() })

        #expect(Meaning(SMTPFailure(client).error(MailReply(code, [text]), phase)) == meaning)
    }

    @Test func `a greylisting server is asked again after a while`() {
        let client = ServiceClient(service: "Mail", transport: Recording(), now: { Date() })
        guard case .temporary(_, let pause) = SMTPFailure(client).error(MailReply(451, ["4.7.1 x"]), .recipient("a@b"))
        else {
            Issue.record("not temporary")
            return
        }
        #expect(pause == .seconds(600))
    }

    @Test(arguments: [("a\r\n.\r\n..b\r\n", "a\r\n..\r\n...b\r\n"), (".", ".."), ("a.b", "a.b"), ("", "")])
    func `a line that begins with a dot gets one more`(text: String, stuffed: String) {
        #expect(SMTPSession.stuffed(Array(text.utf8)) == Array(stuffed.utf8))
    }

    // MARK: Words alone

    @Test func `the operator's account sends words, by a token too, and says what became of them`() async throws {
        for login in [
            MailServer.Login.password(user: FakeMail.user, password: FakeMail.password),
            .bearer(user: FakeMail.user, token: FakeMail.token),
        ] {
            try await withFake(FakeMail()) { fake, server, transport in
                let sender = try #require(MailAddress("Pics <\(FakeMail.user)>"))
                let ann = try #require(MailAddress("ann@example.org"))
                let port = try #require(server.url.split(separator: ":").last.flatMap { UInt16($0) })
                let notices = MailSender(
                    server: MailServer(
                        host: "127.0.0.1", port: port, security: .none, clientName: "pics.test", login: login,
                        addressPolicy: .any), from: sender, over: transport, threads: threads)
                let message = MailMessage(
                    from: sender, to: [ann], subject: "Welcome", date: 1_795_290_120, key: "invitation-1",
                    text: "Come in.", isAutomatic: true)

                try await notices.check()
                #expect(fake.deliveries.isEmpty)
                try await notices.send(message)
                #expect(fake.deliveries.map(\.recipients) == [["ann@example.org"]] && fake.subjects == ["Welcome"])

                server.host.fail(". /", .status(413), .resetAfter)
                #expect(await meaning { try await notices.send(message) } == .rejected)
                #expect(await meaning { try await notices.send(message) } == .unknownOutcome)
                #expect(fake.deliveries.count == 2)
            }
        }
    }
}
