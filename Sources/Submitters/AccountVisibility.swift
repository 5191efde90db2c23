/// Who sees the photos of one account at its service, as its owner chose (`visibility` in the account's settings).
package enum AccountVisibility {
    /// What may be chosen; empty where a service's submitter does not ask. `FlickrPosting` and `MixiSubmitter` read it:
    /// of Flickr each photo, of mixi the albums that Pics makes.
    package static func choices(of service: String) -> [String] {
        switch service {
        case "flickr": ["public", "private"]
        case "mixi": ["self", "friends", "friends_of_friends", "everyone"]
        default: []
        }
    }
}

/// Whether an account's files get a link that everybody may open, as its owner chose (`share` in the account's settings).
package enum AccountSharing {
    /// Whether a service's submitter asks.
    package static func isKnown(to service: String) -> Bool { service == "dropbox" || service == "webdav" }
}
