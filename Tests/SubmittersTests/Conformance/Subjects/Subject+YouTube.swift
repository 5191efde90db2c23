internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let youtube = youtube("youtube")
    static let youtubePlaylist: Subject = {
        let items = "youtube/v3/playlistItems"
        var subject = youtube("youtube, into a playlist")
        subject.settings = ["album": "PLlakes"]
        subject.steps += ["GET /\(items)", "POST /\(items)"]
        subject.readByStatus.insert("POST /\(items)")
        return subject
    }()
    static let youtubes = [youtube, youtubePlaylist]
    /// Pieces and end are one call of the API: what goes wrong with the first of them is met here.
    static let youtubePieces = youtube("youtube, in pieces", segmentBytes: 12_000)

    private static func youtube(
        _ name: String, segmentBytes: Int64 = 1 << 20,
        _ change: @escaping @Sendable (inout FakeYouTube.Options) -> Void = { _ in }
    ) -> Subject {
        let videos = "/upload/youtube/v3/videos"
        return Subject(
            name: name, lacks: [.altText],
            reasons: [
                .photo: "It takes videos alone.", .several: "A post is one video.",
                .position: "Its programs can set a position no more.",
            ], isVideo: true,
            steps: ["POST \(videos)", "PUT \(videos)"], publishes: "PUT \(videos)",
            // The session's address is in a field.
            readByStatus: ["POST \(videos)"],
            // The session is over: the next attempt begins another.
            meanings: [.notFound: .temporary], hasAltText: false,
            // Two signs are spelled otherwise.
            publishedText: Scene.text.replacing("<", with: "‹").replacing(">", with: "›"),
            fake: { clock in
                var options = FakeYouTube.Options()
                change(&options)
                return FakeYouTube(options, now: clock.read)
            },
            submitter: { YouTubeSubmitter(servers: .any, segmentBytes: segmentBytes, now: $0.clock.read) },
            entries: {
                [
                    "base_url": $0, "client_id": "client-id", "client_secret": "client-secret",
                    "refresh_token": "google-refresh",
                ]
            })
    }
}
