internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let instagram = instagram("instagram")
    /// Where a container is ready at once.
    static let instagramAtOnce = instagram("instagram, without waiting") { $0.processing = 0 }
    static let instagrams = [
        instagram, instagram("instagram, lists that lag behind") { $0.listDelay = 45 },
        instagram.showing("instagram, a video") { ($0.isVideo, $0.hasAltText) = (true, false) },
        instagram.showing("instagram, three pictures") { ($0.companions, $0.joinsPictures) = (2, true) },
    ]

    private static func instagram(
        _ name: String, _ change: @escaping @Sendable (inout FakeContainers.Options) -> Void = { _ in }
    ) -> Subject {
        let user = "/v26.0/17841405309211844"
        var subject = Subject(
            name: name, lacks: [.album, .position, .revoke],
            reasons: [
                .edit: "It lets no program edit.",
                .delete: "Programs that are connected by Instagram Login may not delete.",
            ],
            steps: ["POST \(user)/media", "GET /v26.0/{id}", "POST \(user)/media_publish"],
            // A container that is not there is made anew.
            meanings: [.notFound: .temporary],
            fake: { clock in
                var options = FakeContainers.Options(quota: 100)
                change(&options)
                return FakeInstagram(options, fetch: Network.fetch, now: clock.read)
            },
            submitter: { InstagramSubmitter(servers: .any, now: $0.clock.read) },
            entries: { ["base_url": $0, "access_token": FakeInstagram.token] })
        (subject.fetchesFiles, subject.isRenewedEarly) = (true, true)
        return subject
    }
}
