internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let micropub = micropub("micropub")
    static let micropubs: [Subject] = {
        var video = micropub("micropub, a video")
        video.isVideo = true
        video.hasAltText = false
        var several = micropub("micropub, four pictures")
        several.companions = 3
        var together = micropub("micropub, without a media endpoint", steps: ["POST /micropub"]) {
            $0.hasMediaEndpoint = false
        }
        together.keepsUploads = false
        var ending = micropub("micropub, a token that ends") { $0.tokenLife = 7200 }
        ending.consent = { Consent(app: ClientCredentials([:]), entered: ["base_url": $0]) }
        return [
            micropub, video, several, together, ending,
            micropub("micropub, lists that lag behind") { $0.listDelay = 45 },
            micropub("micropub, posts that are there later") { $0.accepts = true },
        ]
    }()

    static func micropub(
        _ name: String, steps: [String] = ["POST /media", "POST /micropub"],
        _ change: @escaping @Sendable (inout FakeMicropub.Options) -> Void = { _ in }
    ) -> Subject {
        Subject(
            name: name, lacks: [.counts], steps: steps,
            // Both are read by status and header.
            readByStatus: ["POST /media", "POST /micropub"],
            fake: { clock in
                var options = FakeMicropub.Options()
                change(&options)
                return FakeMicropub(options, now: clock.read)
            },
            submitter: { MicropubSubmitter(servers: .any, now: $0.clock.read) },
            entries: { ["base_url": $0, "access_token": FakeMicropub.token] })
    }
}
