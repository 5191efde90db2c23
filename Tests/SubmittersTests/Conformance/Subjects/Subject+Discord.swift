internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let discord = Subject(
        name: "discord", lacks: [.several, .album, .position, .refresh, .resume, .reconcile],
        reasons: [.revoke: "A webhook is its owner's, who deletes it there."],
        steps: ["POST /api/v10/webhooks/{id}/{token}"],
        // A webhook cannot list what it has posted.
        tellsOutcome: false, fake: { FakeDiscord(now: $0.read) },
        submitter: { DiscordSubmitter(servers: .any, now: $0.clock.read) },
        entries: { ["webhook": "\($0)/api/webhooks/\(FakeDiscord.webhook)/\(FakeDiscord.token)"] })
    static let discords: [Subject] = {
        var video = discord
        video.name += ", a video"
        video.isVideo = true
        return [discord, video]
    }()
}
