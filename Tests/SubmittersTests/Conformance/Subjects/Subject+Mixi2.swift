internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let mixi2 = mixi2("mixi2")
    static let mixi2s = [
        mixi2, mixi2("mixi2, a video", isVideo: true),
        mixi2("mixi2, files that take their time") { $0.processing = 20 },
    ]

    private static func mixi2(
        _ name: String, isVideo: Bool = false,
        _ change: @escaping @Sendable (inout FakeMixi2.Options) -> Void = { _ in }
    ) -> Subject {
        let service = "POST /social.mixi.application.service.application_api.v1.ApplicationService"
        return Subject(
            name: name, lacks: [.several, .album, .position, .edit, .reconcile],
            reasons: [.revoke: Showing.ownerMadeKey], isVideo: isVideo,
            steps: [
                "\(service)/InitiatePostMediaUpload", "POST /upload/{id}", "\(service)/GetPostMediaStatus",
                "\(service)/CreatePost",
            ],
            // Of an upload the status says all there is to say.
            readByStatus: ["POST /upload/{id}"],
            // NOT_FOUND and PERMISSION_DENIED are about this post alone.
            meanings: [.forbidden: .rejected, .notFound: .rejected],
            // No call lists what an application has posted.
            tellsOutcome: false,
            fake: { clock in
                var options = FakeMixi2.Options()
                change(&options)
                return FakeMixi2(options, now: clock.read)
            },
            submitter: { Mixi2Submitter(servers: .any, now: $0.clock.read) },
            entries: {
                [
                    "base_url": $0, "client_id": FakeMixi2.clientID, "client_secret": FakeMixi2.clientSecret,
                    "handle": "@lakes",
                ]
            })
    }
}
