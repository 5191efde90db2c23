internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let facebook = facebook("facebook")
    static let facebookVideo: Subject = {
        let videos = "POST /v26.0/104729384756102/videos"
        var subject = facebook("facebook, a video")
        subject.isVideo = true
        subject.hasAltText = false
        // Start, pieces and end are one call of the API: what goes wrong with the first of them is met here.
        subject.steps = [videos, "GET /v26.0/{id}"]
        subject.publishes = videos
        return subject
    }()
    static let facebooks = [facebook, facebook("facebook, lists that lag behind") { $0.listDelay = 45 }]

    private static func facebook(
        _ name: String, _ change: @escaping @Sendable (inout FakeFacebook.Options) -> Void = { _ in }
    ) -> Subject {
        Subject(
            name: name, lacks: [.several, .album, .position, .edit, .refresh],
            reasons: [
                .revoke: "Its call wants the token of a person, which Pics does not keep; they take it back there."
            ],
            steps: ["POST /v26.0/104729384756102/photos", "POST /v26.0/104729384756102/feed"],
            fake: { clock in
                var options = FakeFacebook.Options()
                change(&options)
                return FakeFacebook(options, now: clock.read)
            },
            submitter: { FacebookSubmitter(servers: .any, now: $0.clock.read) },
            entries: { ["base_url": $0, "page": "104729384756102", "access_token": "page-token"] })
    }
}
