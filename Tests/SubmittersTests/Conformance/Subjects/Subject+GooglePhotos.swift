internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let googlePhotos = googlePhotos("google photos", ["POST /v1/uploads"])
    static let googlePhotosVideo: Subject = {
        var subject = googlePhotos(
            "google photos, a video in pieces", ["POST /v1/uploads", "POST /v1/uploads/{id}"], segmentBytes: 12_000)
        subject.isVideo = true
        // Status and fields say all there is to say.
        subject.readByStatus = ["POST /v1/uploads", "POST /v1/uploads/{id}"]
        return subject
    }()
    static let googlePhotoses = [
        googlePhotos, googlePhotosVideo,
        googlePhotos("google photos, lists that lag behind", ["POST /v1/uploads"]) { $0.listDelay = 20 },
    ]

    private static func googlePhotos(
        _ name: String, _ steps: [String], segmentBytes: Int64 = 1 << 20,
        _ change: @escaping @Sendable (inout FakeGooglePhotos.Options) -> Void = { _ in }
    ) -> Subject {
        Subject(
            name: name, lacks: [.several, .altText, .delete, .counts], reasons: [.position: Showing.positionIsInFile],
            steps: steps + ["POST /v1/mediaItems:batchCreate"], hasAltText: false,
            settings: ["album": "album-0"],
            fake: { clock in
                var options = FakeGooglePhotos.Options()
                change(&options)
                return FakeGooglePhotos(options, now: clock.read)
            },
            submitter: { GooglePhotosSubmitter(servers: .any, segmentBytes: segmentBytes, now: $0.clock.read) },
            entries: {
                [
                    "base_url": $0, "client_id": "client-id", "client_secret": "client-secret",
                    "refresh_token": "google-refresh", "account": "alice@example.com",
                ]
            })
    }
}
