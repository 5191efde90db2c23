/// Why a cell of the table is empty: sentences for people.
enum Exceptions {
    static func reason(_ service: String, _ showing: Showing) -> String? {
        switch showing {
        case .connect, .photo, .cancel, .crashedStep: nil
        case .video: ["fotolife", "mixi"].contains(service) ? "It takes no videos." : nil
        case .several:
            takesSeveral.contains(service)
                ? nil
                : service == "telegram"
                    ? "Several pictures go in one request." : "A post is one picture, or Pics sends one: the first."
        case .altText: hasNoAltText.contains(service) ? "It has no alternative texts." : nil
        case .album: hasNoAlbums.contains(service) ? "It has no albums, or Pics does not use them." : nil
        case .position: position(service)
        case .edit: edit(service)
        case .delete: delete(service)
        case .counts: isCounting.contains(service) ? nil : "It does not tell, or nobody else sees the photos."
        case .refresh, .renewed401:
            isRefreshing.contains(service) ? nil : "Its credentials do not end, or only their owner can renew them."
        case .resume: isInOne.contains(service) ? "One step brings the file and publishes it." : nil
        case .reconcile:
            ["discord", "mixi2", "telegram"].contains(service)
                ? "It does not tell what it has posted: after an answer that was lost a person decides." : nil
        case .revoke: revoke(service)
        case .status401, .status403, .status404, .status409, .status413, .status422, .limitWithPause,
            .limitWithoutPause,
            .serverTrouble, .resetBefore, .resetAfter, .slow, .malformed, .cancelledStep:
            service == "file" ? "No network lies between." : nil
        }
    }

    private static let takesSeveral: Set = ["twitter", "mastodon", "bluesky", "wordpress"]
    private static let hasNoAltText: Set = [
        "dropbox", "flickr", "google-photos", "fotolife", "mixi", "minus", "webdav", "s3", "telegram", "immich",
    ]
    private static let hasNoAlbums: Set = [
        "file", "twitter", "mastodon", "bluesky", "facebook", "tumblr", "discord", "mixi2", "telegram",
    ]
    private static let isCounting: Set = [
        "twitter", "mastodon", "bluesky", "flickr", "facebook", "tumblr", "discord", "mixi2", "wordpress",
    ]
    private static let isRefreshing: Set = [
        "twitter", "mastodon", "bluesky", "dropbox", "tumblr", "google-photos", "mixi", "mixi2", "minus",
    ]
    private static let isInOne: Set = [
        "file", "flickr", "evernote", "fotolife", "mixi", "minus", "tumblr", "discord", "s3", "telegram", "immich",
    ]

    private static func position(_ service: String) -> String? {
        switch service {
        case "flickr", "evernote", "fotolife": nil
        case "file", "dropbox", "google-photos", "webdav", "s3", "immich": "The position is in the file."
        case "twitter": "It takes the id of a place only, which Pics does not look up."
        default: "It has no place for a position."
        }
    }

    private static func edit(_ service: String) -> String? {
        switch service {
        case "mastodon", "evernote", "fotolife", "google-photos", "discord", "wordpress", "telegram", "immich": nil
        case "file", "dropbox", "webdav", "s3": "The words are in the file, or beside it."
        case "bluesky": "It does not show edits."
        default: "Not done."
        }
    }

    private static func revoke(_ service: String) -> String? {
        switch service {
        case "file": "There is nothing to take back."
        case "twitter", "mastodon", "bluesky", "dropbox", "google-photos", "evernote": nil
        case "fotolife", "webdav", "minus", "mixi2", "wordpress", "s3", "telegram", "immich":
            "What lets Pics in was made by its owner there, and only they can take it back."
        case "facebook": "Its call wants the token of a person, which Pics does not keep; they take it back there."
        case "discord": "A webhook is its owner's, who deletes it there."
        default: "It has no call for that; its owner takes the permission back in the settings there."
        }
    }

    private static func delete(_ service: String) -> String? {
        switch service {
        case "file": "What is archived stays."
        case "google-photos": "It lets no program delete."
        default: nil
        }
    }
}
