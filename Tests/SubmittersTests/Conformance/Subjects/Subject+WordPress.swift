internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let wordpress = wordpress("wordpress")
    static let wordpresses: [Subject] = {
        var video = wordpress("wordpress, a video")
        video.isVideo = true
        video.hasAltText = false
        var several = wordpress("wordpress, four pictures")
        several.companions = 3
        return [wordpress, video, several]
    }()

    private static func wordpress(_ name: String) -> Subject {
        Subject(
            name: name, lacks: [.position, .refresh], reasons: [.revoke: Showing.ownerMadeKey],
            steps: [
                "POST /wp-json/wp/v2/media", "POST /wp-json/wp/v2/posts", "POST /wp-json/wp/v2/posts/{id}",
            ],
            // Its owner has deleted the draft: another is made.
            meanings: [.notFound: .temporary], fake: { FakeWordPress(now: $0.read) },
            submitter: { WordPressSubmitter(servers: .any, now: $0.clock.read) },
            entries: { ["base_url": $0, "username": "alice", "password": "abcd EFGH ijkl MNOP qrst UVWX"] })
    }
}
