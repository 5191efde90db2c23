internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let mixi = Subject(
        name: "mixi", lacks: [.video, .several, .altText, .position, .edit, .counts, .resume, .revoke],
        steps: ["POST /2/photo/mediaItems/@me/@self/{album}", "GET /2/photo/mediaItems/@me/@self/{album}/{id}"],
        publishes: "POST /2/photo/mediaItems/@me/@self/{album}",
        // No right to that album.
        meanings: [.forbidden: .rejected], hasAltText: false, fake: { FakeMixi(now: $0.read) },
        submitter: { MixiSubmitter(servers: .any, now: $0.clock.read) },
        entries: {
            [
                "base_url": $0, "client_id": "client-id", "client_secret": "client-secret",
                "refresh_token": "mixi-refresh",
            ]
        })

    static let minuses: [Subject] = {
        var video = minus
        video.name += ", a video"
        video.isVideo = true
        return [minus, video]
    }()

    static let minus = Subject(
        name: "minus, at another server", lacks: [.several, .altText, .position, .edit, .counts, .resume],
        reasons: [.revoke: Showing.ownerMadeKey],
        steps: [
            "GET /api/v2/users/alice/folders", "POST /api/v2/users/alice/folders", "POST /api/v2/folders/{id}/files",
        ], hasAltText: false,
        // One request brings the file and publishes it.
        keepsUploads: false, fake: { FakeMinus(now: $0.read) },
        submitter: { MinusSubmitter(servers: .any, now: $0.clock.read) },
        entries: {
            [
                "base_url": $0, "client_id": "client-id", "client_secret": "client-secret", "username": "alice",
                "password": "secret",
            ]
        })
}
