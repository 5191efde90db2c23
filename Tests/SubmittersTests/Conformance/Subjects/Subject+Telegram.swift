internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let telegram = telegram("telegram", "sendPhoto")
    static let telegrams: [Subject] = {
        var video = telegram("telegram, a video", "sendVideo")
        video.isVideo = true
        return [telegram, video]
    }()

    /// All pictures go in one request.
    static let telegramSeveral: Subject = {
        var several = telegram("telegram, four pictures", "sendMediaGroup")
        several.companions = 3
        return several
    }()

    private static func telegram(_ name: String, _ method: String) -> Subject {
        Subject(
            name: name, lacks: [.altText, .album, .position, .counts, .refresh, .resume, .reconcile],
            reasons: [.several: "Several pictures go in one request.", .revoke: Showing.ownerMadeKey],
            steps: ["POST /{bot}/\(method)"],
            // A wrong token is a path that the API does not have.
            meanings: [.notFound: .unauthorized], hasAltText: false,
            // A bot cannot list what it has posted.
            tellsOutcome: false, fake: { FakeTelegram(now: $0.read) },
            submitter: { TelegramSubmitter(servers: .any, now: $0.clock.read) },
            entries: { ["base_url": $0, "token": FakeTelegram.token, "chat": "@lakes"] })
    }
}
