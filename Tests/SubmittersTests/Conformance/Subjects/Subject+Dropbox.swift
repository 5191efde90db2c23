internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let dropbox = dropbox("dropbox", ["POST /2/files/upload"])
    static let dropboxVideo: Subject = {
        var subject = dropbox(
            "dropbox, a video in pieces",
            [
                "POST /2/files/upload_session/start", "POST /2/files/upload_session/append_v2",
                "POST /2/files/upload_session/finish",
            ], segmentBytes: 12_000)
        subject.isVideo = true
        subject.readByStatus = ["POST /2/files/upload_session/append_v2"]
        return subject
    }()
    static let dropboxes = [dropbox, dropboxVideo, dropboxShared]

    static let dropboxShared: Subject = {
        let link = "POST /2/sharing/create_shared_link_with_settings"
        var subject = dropbox("dropbox, with a link", ["POST /2/files/upload", link])
        subject.publishes = "POST /2/files/upload"
        subject.settings = ["share": true, "album": "/Pics"]
        return subject
    }()

    private static func dropbox(_ name: String, _ steps: [String], segmentBytes: Int64 = 1 << 20) -> Subject {
        Subject(
            name: name, lacks: [.several, .altText, .counts],
            reasons: [.position: Showing.positionIsInFile, .edit: Showing.wordsAreInFile], steps: steps,
            // A lock of the account, which says that nothing was written.
            meanings: [.conflict: .temporary], hasAltText: false, publishedText: "",
            fake: { FakeDropbox(now: $0.read) },
            submitter: {
                DropboxSubmitter(
                    servers: .any, threads: $0.threads, segmentBytes: segmentBytes, now: $0.clock.read)
            },
            entries: {
                [
                    "base_url": $0, "client_id": "client-id", "client_secret": "client-secret",
                    "refresh_token": "dropbox-refresh",
                ]
            })
    }
}
