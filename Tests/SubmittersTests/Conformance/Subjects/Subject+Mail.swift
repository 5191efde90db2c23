internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let mail = mail("mail")
    static let mails: [Subject] = {
        var video = mail("mail, a video")
        video.isVideo = true
        var several = mail("mail, four pictures")
        several.companions = 3
        return [mail, video, several]
    }()

    static func mail(
        _ name: String, recipients: String = "ann@example.org",
        _ change: @escaping @Sendable (inout FakeMail.Options) -> Void = { _ in }
    ) -> Subject {
        Subject(
            name: name, lacks: [.album, .counts, .refresh, .resume, .reconcile],
            reasons: [
                .position: "Pictures leave without it.", .edit: "What is sent cannot be changed.",
                .delete: "What is sent cannot be called back.",
                .revoke: "A password ends when its owner changes it.",
                .limitWithPause: "Mail servers do not say how long a limit holds.",
            ],
            steps: ["EHLO /", "AUTH /", "MAIL /", "RCPT /", "DATA /", ". /"],
            // To the end of a message: no such sender, no such mailbox, no room, and too large.
            meanings: [.notFound: .rejected, .conflict: .temporary],
            publishedText: "\(Scene.text)\n\nhttps://pics.test/Ab3dE9xZ",
            // A server for sending cannot be asked what it has taken.
            tellsOutcome: false, keepsUploads: false, tellsPause: false,
            sendsAllAnew: true,
            // Any answer but 250 to the end of a message says that it was not taken.
            clearTrouble: [.internalError, .unavailable],
            fake: { _ in
                var options = FakeMail.Options()
                change(&options)
                return FakeMail(options)
            },
            submitter: { MailSubmitter(servers: .any, threads: $0.threads, now: $0.clock.read) },
            entries: { url in
                [
                    "server": url, "sender": FakeMail.user, "password": FakeMail.password, "recipients": recipients,
                ]
            })
    }
}
