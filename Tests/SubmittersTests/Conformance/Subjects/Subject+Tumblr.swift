internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let tumblr = tumblr("tumblr")
    static let tumblrVideo: Subject = {
        var subject = tumblr("tumblr, a video")
        subject.isVideo = true
        return subject
    }()
    static let tumblrs = [tumblr, tumblr("tumblr, lists that lag behind") { $0.listDelay = 20 }]

    private static func tumblr(
        _ name: String, _ change: @escaping @Sendable (inout FakeTumblr.Options) -> Void = { _ in }
    ) -> Subject {
        Subject(
            name: name, lacks: [.several, .album, .position, .edit, .resume, .revoke],
            steps: ["POST /v2/blog/{blog}/posts", "GET /v2/blog/{blog}/posts"],
            publishes: "POST /v2/blog/{blog}/posts",
            fake: { clock in
                var options = FakeTumblr.Options()
                change(&options)
                return FakeTumblr(options, now: clock.read)
            },
            submitter: { TumblrSubmitter(servers: .any, now: $0.clock.read) },
            entries: {
                [
                    "base_url": $0, "client_id": "client-id", "client_secret": "client-secret",
                    "refresh_token": "tumblr-refresh",
                ]
            })
    }
}
