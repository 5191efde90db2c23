internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let flickr = flickr("flickr", [])
    static let flickrVideo: Subject = {
        var subject = flickr("flickr, a video by ticket", ["GET /services/rest/"])
        subject.isVideo = true
        return subject
    }()
    static let flickrAlbum: Subject = {
        var subject = flickr("flickr, in an album", ["POST /services/rest/"])
        subject.settings = ["album": "7215"]
        return subject
    }()
    static let flickrs = [
        flickr, flickrVideo, flickrAlbum, flickr("flickr, lists that lag behind", []) { $0.listDelay = 20 },
    ]

    private static func flickr(
        _ name: String, _ following: [String],
        _ change: @escaping @Sendable (inout FakeFlickr.Options) -> Void = { _ in }
    ) -> Subject {
        Subject(
            name: name, lacks: [.several, .altText, .edit, .refresh, .resume, .revoke],
            steps: ["POST /services/upload/"] + following, publishes: "POST /services/upload/",
            hasAltText: false,
            fake: { clock in
                var options = FakeFlickr.Options()
                change(&options)
                return FakeFlickr(options, now: clock.read)
            },
            submitter: { FlickrSubmitter(servers: .any, now: $0.clock.read) },
            entries: {
                [
                    "base_url": $0, "consumer_key": "consumer-key", "consumer_secret": "consumer-secret",
                    "access_token": "access-token", "access_token_secret": "access-token-secret",
                ]
            })
    }
}
