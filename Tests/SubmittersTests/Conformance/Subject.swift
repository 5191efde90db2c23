internal import Domain
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import Testing

/// What the conformance suite runs: every service, in each of the ways in which it may have to go.
enum Subject: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case file, mastodon
    case mastodonVideo = "mastodon, a video"
    case mastodonDelay = "mastodon, lists that lag behind"
    case goToSocial = "gotosocial"
    case pixelfed, twitter
    case twitterVideo = "twitter, a video"
    case twitterDelay = "twitter, a timeline that lags behind"

    var testDescription: String { rawValue }

    /// Those that a network lies before.
    static let remote = allCases.filter { $0 != .file }

    var isVideo: Bool { self == .mastodonVideo || self == .twitterVideo }

    var isTwitter: Bool { self == .twitter || self == .twitterVideo || self == .twitterDelay }

    /// The requests of one submission, in order; the last publishes.
    var steps: [String] {
        switch self {
        case .file: []
        case .mastodon, .mastodonDelay, .goToSocial: ["POST /api/v2/media", "POST /api/v1/statuses"]
        case .mastodonVideo, .pixelfed: ["POST /api/v2/media", "GET /api/v1/media/{id}", "POST /api/v1/statuses"]
        case .twitter, .twitterDelay: Self.upload + ["POST /2/media/metadata", "POST /2/tweets"]
        case .twitterVideo: Self.upload + ["GET /2/media/upload", "POST /2/tweets"]
        }
    }

    var publishingStep: String { steps.last ?? "" }

    var preparingSteps: [String] { Array(steps.dropLast()) }

    private static let upload = [
        "POST /2/media/upload/initialize", "POST /2/media/upload/{id}/append", "POST /2/media/upload/{id}/finalize",
    ]

    /// The service on the other side; nil for the one that has none.
    func fake(_ clock: TestClock) -> FakeHost? {
        switch self {
        case .file:
            return nil
        case .mastodon, .mastodonVideo, .mastodonDelay, .goToSocial, .pixelfed:
            var options = FakeMastodon.Options()
            options.software = self == .goToSocial ? .gotosocial : self == .pixelfed ? .pixelfed : .mastodon
            if self == .mastodonDelay { options.listDelay = 45 }
            return FakeHost(FakeMastodon(options, now: clock.read))
        case .twitter, .twitterVideo, .twitterDelay:
            var options = FakeTwitter.Options()
            if self == .twitterDelay { options.timelineDelay = 45 }
            return FakeHost(FakeTwitter(options, now: clock.read))
        }
    }

    /// The code that is to be tried.
    func submitter(archive: String, threads: BlockingThreads, _ clock: TestClock) -> any Submitter {
        switch self {
        case .file:
            FileSubmitter(folder: archive, threads: threads)
        case .twitter, .twitterVideo, .twitterDelay:
            // A test's photo is three segments.
            TwitterSubmitter(servers: .any, segmentBytes: 12_000, now: clock.read)
        case .mastodon, .mastodonVideo, .mastodonDelay, .goToSocial, .pixelfed:
            MastodonSubmitter(servers: .any)
        }
    }

    /// What a person enters to connect the account of the fake at `url`.
    func entries(_ url: String) -> [String: String] {
        switch self {
        case .file:
            [:]
        case .mastodon, .mastodonVideo, .mastodonDelay, .goToSocial, .pixelfed:
            ["base_url": url, "access_token": "mastodon-token"]
        case .twitter, .twitterVideo, .twitterDelay:
            [
                "base_url": url, "consumer_key": "consumer-key", "consumer_secret": "consumer-secret",
                "access_token": "4711-access-token", "access_token_secret": "access-token-secret",
            ]
        }
    }
}
