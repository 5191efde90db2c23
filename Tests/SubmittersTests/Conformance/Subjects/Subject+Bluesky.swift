internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let bluesky = bluesky("bluesky")
    static let blueskies = [
        bluesky, bluesky("bluesky, a video", isVideo: true),
        bluesky("bluesky, a server that does not tell") { $0.tellsAbsence = false },
        blueskySeveral,
    ]

    private static let blueskySeveral: Subject = {
        var subject = bluesky("bluesky, four pictures")
        subject.companions = 3
        return subject
    }()

    private static func bluesky(
        _ name: String, isVideo: Bool = false,
        _ change: @escaping @Sendable (inout FakeBluesky.Options) -> Void = { _ in }
    ) -> Subject {
        Subject(
            name: name, lacks: [.album, .position], reasons: [.edit: "It does not show edits."], isVideo: isVideo,
            steps: ["POST /xrpc/com.atproto.repo.uploadBlob", "POST /xrpc/com.atproto.repo.putRecord"],
            fake: { clock in
                var options = FakeBluesky.Options()
                change(&options)
                return FakeBluesky(options, now: clock.read)
            },
            submitter: { BlueskySubmitter(servers: .any, now: $0.clock.read) },
            entries: { ["base_url": $0, "identifier": "alice.test", "password": "app-pass-word-1234"] })
    }
}
