internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let pinterest = pinterest("pinterest")
    static let pinterestVideo: Subject = {
        var video = pinterest("pinterest, a video", isVideo: true)
        video.steps = [
            "POST /v5/media", "POST /pinterest-media-upload", "GET /v5/media/{media}", "POST /v5/pins",
        ]
        // The store's status says all there is to say.
        video.readByStatus = ["POST /pinterest-media-upload"]
        return video
    }()
    static let pinterests: [Subject] = {
        // The board that photos go to unless the owner has chosen one.
        var usual = pinterest("pinterest, without a choice of boards")
        usual.settings = [:]
        usual.steps = ["GET /v5/boards", "POST /v5/pins"]
        usual.keepsUploads = false
        // One that is gone is made anew.
        usual.meanings = [.notFound: .temporary]
        return [
            pinterest, pinterestVideo, usual, pinterest("pinterest, lists that lag behind") { $0.listDelay = 45 },
        ]
    }()

    /// All pictures go in one request, and have one alternative text.
    static let pinterestSeveral: Subject = {
        var several = pinterest("pinterest, four pictures")
        several.companions = 3
        return several
    }()

    static func pinterest(
        _ name: String, isVideo: Bool = false,
        _ change: @escaping @Sendable (inout FakePinterest.Options) -> Void = { _ in }
    ) -> Subject {
        Subject(
            name: name, lacks: [.position, .revoke], reasons: [.several: "Several pictures go in one request."],
            isVideo: isVideo, steps: ["POST /v5/pins"],
            // "Board not found."
            meanings: [.notFound: .rejected], settings: ["album": .string(FakePinterest.board)],
            fake: { clock in
                var options = FakePinterest.Options()
                change(&options)
                return FakePinterest(options, now: clock.read)
            },
            submitter: { PinterestSubmitter(servers: .any, threads: $0.threads, now: $0.clock.read) },
            entries: {
                [
                    "base_url": $0, "client_id": "client-id", "client_secret": "client-secret",
                    "refresh_token": "pinterest-refresh",
                ]
            })
    }
}
