internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    /// Posts of kind 20.
    static let nostr = nostr("nostr")
    /// Posts of kind 1, in which the files' addresses stand.
    static let nostrNotes = nostr("nostr, notes", kind: "1")
    static let nostrs: [Subject] = {
        var video = nostr("nostr, a video")
        video.isVideo = true
        var several = nostr("nostr, four pictures")
        several.companions = 3
        return [nostr, nostrNotes, video, several]
    }()

    static func nostr(
        _ name: String, kind: String = "20", relays: String = "URL",
        _ change: @escaping @Sendable (inout FakeNostr.Options) -> Void = { _ in }
    ) -> Subject {
        Subject(
            name: name, lacks: [.album, .refresh],
            reasons: [
                .edit: "What is signed cannot be changed.",
                .revoke: "A key does not end: who has it is its owner, for ever.",
            ],
            // Before the first a file is looked for, which is tried elsewhere.
            steps: ["PUT /upload", "EVENT /"],
            // Relays say in words what is the matter: these are "blocked:" and "error:".
            meanings: [.notFound: .rejected, .conflict: .unknownOutcome],
            // A message of a WebSocket has no fields.
            tellsPause: false,
            fake: { clock in
                var options = FakeNostr.Options()
                change(&options)
                return FakeNostr(options, now: clock.read)
            },
            submitter: { NostrSubmitter(servers: .any, threads: $0.threads, now: $0.clock.read) },
            entries: { url in
                [
                    "secret_key": FakeNostr.secretKey, "relays": relays.replacing("URL", with: url), "servers": url,
                    "kind": kind,
                ]
            })
    }
}
