internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let immich = immich("immich", version: 3)
    static let immiches: [Subject] = {
        var video = immich("immich, a video", version: 3)
        video.isVideo = true
        return [immich, immich("immich, version 2", version: 2), video]
    }()

    static func immich(_ name: String, version: Int) -> Subject {
        Subject(
            name: name, lacks: [.several, .altText, .counts, .refresh, .resume],
            reasons: [.position: Showing.positionIsInFile, .revoke: Showing.ownerMadeKey],
            steps: ["POST /api/assets/bulk-upload-check", "POST /api/assets"], hasAltText: false,
            keepsUploads: false,
            fake: { FakeImmich(version: version, now: $0.read) },
            submitter: { ImmichSubmitter(servers: .any, threads: $0.threads, now: $0.clock.read) },
            entries: { ["base_url": $0, "api_key": FakeImmich.key] })
    }
}
