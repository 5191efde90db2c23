internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let twitter = twitter("twitter", last: ["POST /2/media/metadata", "POST /2/tweets"])
    static let twitters = [
        twitter, twitterVideo,
        twitter("twitter, a timeline that lags behind", last: ["POST /2/media/metadata", "POST /2/tweets"]) {
            $0.timelineDelay = 45
        },
        twitterOAuth2, twitterSeveral,
    ]
    /// Apart from the others: an answer without a body cannot come slowly.
    static let twitterSilent = twitter(
        "twitter, segments without an answer", last: ["POST /2/media/metadata", "POST /2/tweets"]
    ) {
        $0.answersAppend = false
    }

    private static let twitterOAuth2: Subject = {
        var subject = twitter("twitter, by OAuth 2", last: ["POST /2/media/metadata", "POST /2/tweets"])
        subject.credentials = { clock in
            [
                "access_token": "twitter-access", "refresh_token": "twitter-refresh", "client_id": "client-id",
                "client_secret": "client-secret", "expires_at": .double(clock.now.timeIntervalSince1970 + 7200),
            ]
        }
        return subject
    }()

    private static let twitterSeveral: Subject = {
        var subject = twitter("twitter, four pictures", last: ["POST /2/media/metadata", "POST /2/tweets"])
        subject.companions = 3
        return subject
    }()

    private static let twitterVideo: Subject = {
        var subject = twitter("twitter, a video", last: ["GET /2/media/upload", "POST /2/tweets"])
        subject.isVideo = true
        subject.hasAltText = false
        return subject
    }()

    private static func twitter(
        _ name: String, last: [String], _ change: @escaping @Sendable (inout FakeTwitter.Options) -> Void = { _ in }
    ) -> Subject {
        Subject(
            name: name, lacks: [.album, .edit],
            reasons: [.position: "It takes the id of a place only, which Pics does not look up."],
            steps: [
                "POST /2/media/upload/initialize", "POST /2/media/upload/{id}/append",
                "POST /2/media/upload/{id}/finalize",
            ] + last,
            // Only that they say yes is asked of these.
            readByStatus: ["POST /2/media/upload/{id}/append", "POST /2/media/metadata"],
            // X refuses content so.
            meanings: [.forbidden: .rejected],
            fake: { clock in
                var options = FakeTwitter.Options()
                change(&options)
                return FakeTwitter(options, now: clock.read)
            },
            // A test's photo is three segments.
            submitter: { TwitterSubmitter(servers: .any, segmentBytes: 12_000, now: $0.clock.read) },
            entries: { url in
                [
                    "base_url": url, "consumer_key": "consumer-key", "consumer_secret": "consumer-secret",
                    "access_token": "4711-access-token", "access_token_secret": "access-token-secret",
                ]
            })
    }
}
