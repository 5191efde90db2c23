internal import Domain
internal import HTTP

/// Who sees the photos of one account at its service, as its owner chose (`visibility` in the account's settings).
package enum AccountVisibility {
    /// What may be chosen; empty where a service's submitter does not ask. `MastodonPosting`, `FlickrPosting` and
    /// `MixiSubmitter` read it: of Mastodon each post, of Flickr each photo, of mixi the albums that Pics makes.
    package static func choices(of service: String) -> [String] {
        switch service {
        case "mastodon": statuses
        case "flickr": ["public", "private"]
        case "mixi": ["self", "friends", "friends_of_friends", "everyone"]
        default: []
        }
    }

    /// Whether everybody may see what was posted with a choice; with none, as the service has it.
    package static func isForEverybody(_ choice: String?) -> Bool {
        choice.map { ["public", "unlisted", "everyone"].contains($0) } ?? true
    }

    /// From wide to narrow: everybody; everybody, but in no public list; followers; who is mentioned.
    private static let statuses = ["public", "unlisted", "private", "direct"]

    /// The `visibility` of a Mastodon post: what is chosen for the account, but no wider than the photo is here. A photo that
    /// only its owner sees goes to followers at most.
    ///
    /// - Returns: Nil: as the account has it at its server, where nothing is chosen and the photo is not private.
    static func ofStatus(_ photo: Visibility, chosen settings: JSONValue) -> String? {
        let bound =
            switch photo {
            case .public: "public"
            case .unlisted: "unlisted"
            case .private: "private"
            }
        guard let chosen = settings["visibility"]?.string.flatMap(statuses.firstIndex) else {
            return photo == .private ? bound : nil
        }
        return statuses[max(chosen, statuses.firstIndex(of: bound) ?? 0)]
    }
}

/// Whether an account's files get a link that everybody may open, as its owner chose (`share` in the account's settings).
package enum AccountSharing {
    /// Whether a service's submitter asks.
    package static func isKnown(to service: String) -> Bool { service == "dropbox" || service == "webdav" }
}
