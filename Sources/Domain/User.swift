package import FoundationEssentials

/// Somebody whose photos Pics keeps.
package struct User: Sendable, Equatable {
    package let id: UserID
    /// Lower-case letters, digits, `-` and `_`, 1 to 32, unique; appears in file names and URLs.
    package let name: String
    /// May see who is here, invite people, and make tokens of the scope `admin`; photos of others stay others'.
    package let isAdmin: Bool
    package let createdAt: Date

    package init(id: UserID, name: String, isAdmin: Bool, createdAt: Date) {
        self.id = id
        self.name = name
        self.isAdmin = isAdmin
        self.createdAt = createdAt
    }

    /// Whether `name` may be a user's: what `users_name_form` in `migrations/` demands too.
    package static func isValidName(_ name: String) -> Bool {
        (1...32).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}

/// The rights of a token. A route names the one scope it needs; `admin` includes all others, `write` includes `read`.
///
/// A token that its user has made has one of the first four. An app that its user lets in has any of the others: what the app has
/// asked for, and nothing that reaches accounts, tokens, webhooks, originals or places.
package enum Scope: String, Sendable, CaseIterable {
    case read, write, admin
    /// Reads `/metrics`, and nothing of anybody.
    case metrics
    /// Sees the user's name and public profile.
    case profile
    /// Sees the user's photos, private ones too, and who likes them.
    case readPhotos = "photos:read"
    /// Posts photos, and uploads their files.
    case createPhotos = "photos:create"
    /// Keeps photos as drafts, and uploads their files.
    case draftPhotos = "photos:draft"
    /// Uploads files that are no photos yet.
    case uploadFiles = "files:create"
    case editPhotos = "photos:edit"
    case deletePhotos = "photos:delete"
    /// Likes and bookmarks photos.
    case likePhotos = "photos:like"
    case editProfile = "profile:edit"

    /// Whether a token of this scope may do what needs `other`.
    package func includes(_ other: Scope) -> Bool {
        switch self {
        case .admin: true
        case .write: other != .admin && other != .metrics
        case .read: [.read, .profile, .readPhotos].contains(other)
        case .createPhotos: [.createPhotos, .draftPhotos, .uploadFiles].contains(other)
        case .draftPhotos: [.draftPhotos, .uploadFiles].contains(other)
        case .editProfile: [.editProfile, .profile].contains(other)
        case .metrics, .profile, .readPhotos, .uploadFiles, .editPhotos, .deletePhotos, .likePhotos: other == self
        }
    }

    /// Those of tokens that users make themselves.
    package static let ofTokens: [Scope] = [.read, .write, .admin, .metrics]
}

/// The user behind a request, known by a bearer token.
package struct Caller: Sendable, Equatable {
    package let user: User
    package let token: TokenID
    package let scopes: Set<Scope>
    /// When the token ends; nil for one without an end.
    package let expiresAt: Date?
    /// The app that the token was given to; nil for a token that the user has made.
    package let app: CallingApp?
    /// Whether an admin has decided how much the user may store.
    package let hasOwnStorageQuota: Bool

    package init(
        user: User, token: TokenID, scopes: Set<Scope>, expiresAt: Date? = nil, app: CallingApp? = nil,
        hasOwnStorageQuota: Bool = false
    ) {
        self.user = user
        self.token = token
        self.scopes = scopes
        self.expiresAt = expiresAt
        self.app = app
        self.hasOwnStorageQuota = hasOwnStorageQuota
    }

    /// Whether one of the token's scopes is or includes `scope`.
    package func may(_ scope: Scope) -> Bool { scopes.contains { $0.includes(scope) } }
}
