package import FoundationEssentials

/// A program that people let into their accounts: a client of OAuth (RFC 6749, section 2).
package struct App: Sendable, Equatable {
    /// How it has become known.
    package enum Kind: String, Sendable {
        /// By Mastodon's `POST /api/v1/apps`.
        case mastodon
        /// By dynamic registration (RFC 7591).
        case registered
        /// By its own address, which is its `clientID` (IndieAuth; OAuth Client ID Metadata Document).
        case site
    }

    package let id: AppID
    /// What it calls itself in requests; 1 to 500 bytes.
    package let clientID: String
    package let kind: Kind
    /// Whether it has to prove who it is with a secret.
    package let hasSecret: Bool
    /// As it says itself; 1 to 100 characters.
    package let name: String
    package let website: String?
    /// Where people may be sent back; compared byte for byte.
    package let redirectURIs: [String]
    /// The most that it may ask for.
    package let scopes: AppScopes
    /// Whether its tokens end and are refreshed; else they are good until they are revoked.
    package let refreshes: Bool
    package let createdAt: Date

    package init(
        id: AppID, clientID: String, kind: Kind, hasSecret: Bool, name: String, website: String?,
        redirectURIs: [String], scopes: AppScopes, refreshes: Bool, createdAt: Date
    ) {
        self.id = id
        self.clientID = clientID
        self.kind = kind
        self.hasSecret = hasSecret
        self.name = name
        self.website = website
        self.redirectURIs = redirectURIs
        self.scopes = scopes
        self.refreshes = refreshes
        self.createdAt = createdAt
    }
}

package typealias AppID = Identifier<App>

/// The access of an app to a user's photos, from the user's consent until one of the two ends it.
package struct AppGrant: Sendable, Equatable {
    package let id: AppGrantID
    package let app: App
    /// In the words that the app has asked with.
    package let scopes: AppScopes
    package let createdAt: Date
    /// When one of its tokens was used last; nil: never.
    package let lastUsedAt: Date?

    package init(id: AppGrantID, app: App, scopes: AppScopes, createdAt: Date, lastUsedAt: Date?) {
        self.id = id
        self.app = app
        self.scopes = scopes
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}

package typealias AppGrantID = Identifier<AppGrant>

/// The app behind a request's token.
package struct CallingApp: Sendable, Equatable {
    package let id: AppID
    package let clientID: String
    package let name: String
    package let website: String?
    package let grant: AppGrantID
    package let scopes: AppScopes

    package init(
        id: AppID, clientID: String, name: String, website: String?, grant: AppGrantID, scopes: AppScopes
    ) {
        self.id = id
        self.clientID = clientID
        self.name = name
        self.website = website
        self.grant = grant
        self.scopes = scopes
    }
}

/// The scopes of an app in the words of OAuth: those of Mastodon (`read`, `write:media`) and of Micropub (`create`, `update`).
///
/// Many words stand for nothing that Pics has, such as `follow`: they are kept, because apps compare what they get with what they
/// asked for, and give no right.
package struct AppScopes: Sendable, Equatable, CustomStringConvertible {
    /// At most `mostWords`, each once, in the order in which they were asked for.
    package let words: [String]

    package static let mostWords = 50

    package static let none = AppScopes(words: [])

    private init(words: [String]) { self.words = words }

    /// Reads words with spaces between (RFC 6749, section 3.3). Nil for a word that nobody knows, and for those that nobody may have
    /// through an app, such as `admin:read`.
    package init?(_ text: String) {
        guard text.utf8.count <= 2000 else { return nil }
        self.init(text.split(separator: " ").map(String.init))
    }

    package init?(_ words: [String]) {
        guard words.allSatisfy({ Self.rights(of: $0) != nil }) else { return nil }
        self.init(known: words)
    }

    /// The same without the words that nobody knows.
    package init(knownIn text: String) {
        self.init(known: text.prefix(2000).split(separator: " ").map(String.init).filter { Self.rights(of: $0) != nil })
    }

    private init(known words: [String]) {
        var seen: Set<String> = []
        self.words = Array(words.filter { seen.insert($0).inserted }.prefix(Self.mostWords))
    }

    package var description: String { words.joined(separator: " ") }

    package var isEmpty: Bool { words.isEmpty }

    /// What they let an app do.
    package var rights: Set<Scope> {
        words.reduce(into: []) { $0.formUnion(Self.rights(of: $1) ?? []) }
    }

    /// The same without the words that stand for more than `rights`: those of a token that was asked for with less.
    package func limited(to rights: Set<Scope>) -> AppScopes {
        AppScopes(words: words.filter { (Self.rights(of: $0) ?? []).isSubset(of: rights) })
    }

    /// Whether all of these words are among `others`, or within one of them: `read:statuses` is within `read`.
    package func isWithin(_ others: AppScopes) -> Bool {
        words.allSatisfy { word in
            let group = word.prefix { $0 != ":" }
            return others.words.contains(word) || others.words.contains(String(group))
                || others.words.contains("follow") && Self.ofFollow.contains(word)
        }
    }

    /// The rights of a word; nil for one that is unknown.
    private static func rights(of word: String) -> Set<Scope>? {
        if let rights = known[word] { return rights }
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "read" || parts[0] == "write", powerless.contains(String(parts[1])) else {
            return nil
        }
        return []
    }

    private static let known: [String: Set<Scope>] = [
        // Mastodon, https://docs.joinmastodon.org/api/oauth-scopes/
        "profile": [.profile],
        "read": [.profile, .readPhotos],
        "read:accounts": [.profile],
        "read:statuses": [.readPhotos], "read:favourites": [.readPhotos], "read:bookmarks": [.readPhotos],
        "read:notifications": [.readPhotos], "read:search": [.readPhotos],
        "write": [.createPhotos, .editPhotos, .deletePhotos, .likePhotos, .editProfile],
        "write:accounts": [.editProfile],
        "write:statuses": [.createPhotos, .editPhotos, .deletePhotos],
        "write:media": [.uploadFiles],
        "write:favourites": [.likePhotos], "write:bookmarks": [.likePhotos],
        "follow": [], "push": [],
        // Micropub and IndieAuth, https://indieweb.org/scope
        "create": [.createPhotos], "post": [.createPhotos], "draft": [.draftPhotos], "media": [.uploadFiles],
        "update": [.editPhotos], "delete": [.deletePhotos], "undelete": [.deletePhotos], "email": [],
    ]

    /// Behind `read:` or `write:`: things of Mastodon that Pics has not.
    private static let powerless: Set<String> = [
        "blocks", "collections", "conversations", "filters", "follows", "lists", "mutes", "notifications", "reports",
    ]

    private static let ofFollow: Set<String> = [
        "read:blocks", "write:blocks", "read:follows", "write:follows", "read:mutes", "write:mutes",
    ]
}
