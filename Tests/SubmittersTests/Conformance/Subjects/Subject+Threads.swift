internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let threads = threads("threads")
    /// Where a container is ready at once.
    static let threadsAtOnce = threads("threads, without waiting") { $0.processing = 0 }
    static let threadses = [
        threads, threads("threads, lists that lag behind") { $0.listDelay = 45 },
        threads.showing("threads, a video") { $0.isVideo = true },
        threads.showing("threads, three pictures") {
            $0.companions = 2
            $0.joinsPictures = true
        },
    ]

    private static func threads(
        _ name: String, _ change: @escaping @Sendable (inout FakeContainers.Options) -> Void = { _ in }
    ) -> Subject {
        var subject = Subject(
            name: name, lacks: [.album, .position, .edit, .revoke],
            steps: ["POST /v1.0/me/threads", "GET /v1.0/{id}", "POST /v1.0/me/threads_publish"],
            // A container that is not there is made anew.
            meanings: [.notFound: .temporary],
            fake: { clock in
                var options = FakeContainers.Options(quota: 250)
                change(&options)
                return FakeThreads(options, fetch: Network.fetch, now: clock.read)
            },
            submitter: { ThreadsSubmitter(servers: .any, now: $0.clock.read) },
            entries: { ["base_url": $0, "access_token": FakeThreads.token] })
        (subject.fetchesFiles, subject.isRenewedEarly) = (true, true)
        return subject
    }

    /// The same in another way.
    func showing(_ name: String, _ change: (inout Subject) -> Void) -> Subject {
        var subject = self
        subject.name = name
        change(&subject)
        return subject
    }
}
