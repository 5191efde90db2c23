internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let mastodon = mastodon("mastodon")
    static let mastodons = [
        mastodon, mastodon("mastodon, a video", isVideo: true, looks: true),
        mastodon("mastodon, lists that lag behind") { $0.listDelay = 45 },
        gotosocial,
        mastodonAtPixelfed, mastodon("akkoma") { $0.software = .akkoma }, takahe, mastodonEnding,
        several(mastodon("mastodon, four pictures")),
    ]
    static let gotosocial = mastodon("gotosocial") { $0.software = .gotosocial }
    /// An account at Pixelfed that is connected as one at Mastodon, as before Pixelfed was a service of its own.
    private static let mastodonAtPixelfed = mastodon("mastodon, at a Pixelfed server") { $0.software = .pixelfed }

    static let pixelfed = pixelfed("pixelfed")
    static let pixelfeds: [Subject] = {
        var ending = pixelfed("pixelfed, a token that ends") { $0.tokenLife = 7200 }
        ending.consent = { Consent(app: ClientCredentials([:]), entered: ["base_url": $0]) }
        return [
            pixelfed, pixelfed("pixelfed, a video", isVideo: true), several(pixelfed, "pixelfed, four pictures"),
            ending,
        ]
    }()

    /// Of an account at Pixelfed.
    static func pixelfed(
        _ name: String, isVideo: Bool = false,
        _ change: @escaping @Sendable (inout FakeMastodon.Options) -> Void = { _ in }
    ) -> Subject {
        Subject(
            name: name, lacks: [.position], isVideo: isVideo, steps: ["POST /api/v2/media", "POST /api/v1/statuses"],
            fake: { clock in
                var options = FakeMastodon.Options()
                options.software = .pixelfed
                change(&options)
                return FakeMastodon(options, now: clock.read)
            },
            submitter: { PixelfedSubmitter(servers: .any, now: $0.clock.read) },
            entries: { ["base_url": $0, "access_token": "mastodon-token"] })
    }

    static let takahe: Subject = {
        var subject = mastodon("takahe") { $0.software = .takahe }
        subject.editsPosts = false
        return subject
    }()

    private static func several(_ one: Subject, _ name: String? = nil) -> Subject {
        var subject = one
        subject.name = name ?? one.name
        subject.companions = 3
        return subject
    }

    private static let mastodonEnding: Subject = {
        var subject = mastodon("mastodon, a token that ends") { $0.tokenLife = 7200 }
        subject.consent = { Consent(app: ClientCredentials([:]), entered: ["base_url": $0]) }
        return subject
    }()

    private static func mastodon(
        _ name: String, isVideo: Bool = false, looks: Bool = false,
        _ change: @escaping @Sendable (inout FakeMastodon.Options) -> Void = { _ in }
    ) -> Subject {
        let look = "GET /api/v1/media/{id}"
        return Subject(
            name: name, lacks: [.album, .position], isVideo: isVideo,
            steps: ["POST /api/v2/media"] + (looks ? [look] : []) + ["POST /api/v1/statuses"],
            // 206 says all there is to say.
            readByStatus: [look],
            fake: { clock in
                var options = FakeMastodon.Options()
                change(&options)
                return FakeMastodon(options, now: clock.read)
            },
            submitter: { MastodonSubmitter(servers: .any, now: $0.clock.read) },
            entries: { ["base_url": $0, "access_token": "mastodon-token"] })
    }
}
