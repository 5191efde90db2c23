internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let webDAV = webDAV("webdav", ["PUT /dav/{a}", "MOVE /dav/{a}"], base: "/dav")
    static let nextcloud: Subject = {
        let uploads = "/remote.php/dav/uploads/alice"
        var subject = webDAV(
            "nextcloud, a video in pieces",
            ["MKCOL \(uploads)/{a}/", "PUT \(uploads)/{a}/{b}", "MOVE \(uploads)/{a}/{b}"],
            base: "/remote.php/dav/files/alice", segmentBytes: 12_000, isNextcloud: true)
        subject.isVideo = true
        return subject
    }()
    static let nextcloudShared: Subject = {
        let files = "/remote.php/dav/files/alice"
        var subject = webDAV(
            "nextcloud, with a link",
            [
                "MKCOL \(files)/{a}/", "PUT \(files)/{a}/{b}", "MOVE \(files)/{a}/{b}",
                "POST /ocs/v2.php/apps/files_sharing/api/v1/shares",
            ], base: files, isNextcloud: true)
        subject.publishes = "MOVE \(files)/{a}/{b}"
        subject.settings = ["share": true, "album": "Föhn"]
        return subject
    }()
    static let webDAVs = [webDAV, nextcloud, nextcloudShared]

    private static func webDAV(
        _ name: String, _ steps: [String], base: String, segmentBytes: Int64 = 1 << 20, isNextcloud: Bool = false
    ) -> Subject {
        Subject(
            name: name, lacks: [.several, .altText, .counts, .refresh],
            reasons: [
                .position: Showing.positionIsInFile, .edit: Showing.wordsAreInFile, .revoke: Showing.ownerMadeKey,
            ], steps: steps,
            // All that is asked of these is that they say yes.
            readByStatus: Set(steps.filter { !$0.hasPrefix("POST") }),
            // A missing part is sent again, and a folder that is missing is made.
            meanings: [.forbidden: .rejected, .notFound: .temporary, .conflict: .temporary], hasAltText: false,
            publishedText: "",
            fake: { clock in
                var options = FakeWebDAV.Options()
                options.isNextcloud = isNextcloud
                return FakeWebDAV(options, now: clock.read)
            },
            submitter: { WebDAVSubmitter(servers: .any, segmentBytes: segmentBytes, now: $0.clock.read) },
            entries: { ["base_url": "\($0)\(base)/", "username": "alice", "password": "app-password"] })
    }
}
