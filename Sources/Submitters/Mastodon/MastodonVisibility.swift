internal import Domain
internal import HTTP

/// The audience of a post on a server with Mastodon's API.
enum MastodonVisibility {
    /// From wide to narrow.
    ///
    /// Source: docs.joinmastodon.org, method "statuses", parameter `visibility`.
    static let choices = [
        VisibilityChoice("public", .everybody), VisibilityChoice("unlisted", .unlisted),
        VisibilityChoice("private", .followers), VisibilityChoice("direct", .mentioned),
    ]

    /// The `visibility` of a post: what is chosen for the account, but no wider than the photo is here. A photo that only its
    /// owner sees goes to followers at most.
    ///
    /// - Returns: Nil: as the account has it at its server, where nothing is chosen and the photo is not private.
    static func ofStatus(_ photo: Visibility, chosen settings: JSONValue) -> String? {
        let values = choices.map(\.value)
        let bound =
            switch photo {
            case .public: "public"
            case .unlisted: "unlisted"
            case .private: "private"
            }
        guard let chosen = AccountChoice.visibility.text(in: settings).flatMap(values.firstIndex) else {
            return photo == .private ? bound : nil
        }
        return values[max(chosen, values.firstIndex(of: bound) ?? 0)]
    }
}
