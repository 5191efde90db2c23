package import Domain
import FoundationEssentials
import Postgres

/// A photo of somebody's own that stands for them.
package struct PersonPicture: Sendable, Equatable {
    package let code: ShortCode
    package let recipe: Recipe?

    package init(code: ShortCode, recipe: Recipe?) { (self.code, self.recipe) = (code, recipe) }
}

/// Somebody as everybody may see them.
package struct Person: Sendable, Equatable {
    package let id: UserID
    package let name: String
    package let profile: Profile
    /// Nil also while the photo that was chosen is not one that everybody may see.
    package let picture: PersonPicture?

    package init(id: UserID, name: String, profile: Profile = Profile(), picture: PersonPicture? = nil) {
        (self.id, self.name, self.profile, self.picture) = (id, name, profile, picture)
    }

    /// The name that pages say.
    package var displayName: String { profile.displayName ?? name }

    /// The columns of `personColumns`.
    init(_ row: borrowing ResultRow) throws(PostgresError) {
        let links: [String] = try row.get("links")
        self.init(
            id: try row.id("person_id"), name: try row.get("person_name"),
            profile: Profile(displayName: try row.get("display_name"), about: try row.get("about"), links: links),
            picture: try PersonPicture(row))
    }
}

extension PersonPicture {
    init?(_ row: borrowing ResultRow) throws(PostgresError) {
        let code: String? = try row.get("picture")
        guard let code = code.flatMap({ ShortCode($0) }) else { return nil }
        self.init(code: code, recipe: try row.recipe("picture_recipe"))
    }
}

/// Whether the photo `c` can stand for its owner: an uncovered picture that everybody may see.
private let isPicture = """
    c.kind = 'photo' AND c.has_picture AND c.visibility = 'public' AND c.deleted_at IS NULL AND NOT c.sensitive
    AND c.processing <> 'failed'
    """

/// The picture of the user `u`, as `picture` and `picture_recipe`.
let pictureColumns = "face.code AS picture, face.recipe AS picture_recipe"

/// Adds `face`, which `pictureColumns` names.
let pictureOfUser = """
    LEFT JOIN LATERAL (SELECT k.code, c.recipe::text AS recipe FROM photos c JOIN short_links k ON k.photo_id = c.id
                        WHERE c.id = u.picture_id AND c.owner_id = u.id AND \(isPicture) LIMIT 1) face ON true
    """

/// The columns of a `Person`, of the user `u`.
let personColumns = "u.id AS person_id, u.name AS person_name, u.display_name, u.about, u.links, \(pictureColumns)"

extension Query where Row == Person {
    static func person(_ user: UserID) -> Self {
        Query(
            "person", "SELECT \(personColumns) FROM users u \(pictureOfUser) WHERE u.id = $1 AND u.deleted_at IS NULL",
            [user.uuid], decode: { row throws(PostgresError) in try Person(row) })
    }
}

extension Query where Row == Void {
    static func setProfile(_ profile: Profile, of user: UserID) -> Self {
        Query(
            "set_profile",
            """
            UPDATE users SET display_name = $2, about = $3, links = $4::text[], profile_at = now()
             WHERE id = $1 AND deleted_at IS NULL
            """, [user.uuid, profile.displayName, profile.about, profile.links])
    }

    static func removePicture(of user: UserID) -> Self {
        Query(
            "remove_picture",
            "UPDATE users SET picture_id = NULL, profile_at = now() WHERE id = $1 AND deleted_at IS NULL", [user.uuid])
    }
}

extension Query where Row == UserID {
    /// No row when the photo is not the user's, or not one that everybody may see.
    static func setPicture(_ code: ShortCode, of user: UserID) -> Self {
        Query(
            "set_picture",
            """
            UPDATE users u SET picture_id = c.id, profile_at = now()
              FROM short_links l JOIN photos c ON c.id = l.photo_id
             WHERE u.id = $1 AND u.deleted_at IS NULL AND l.code = $2 AND c.owner_id = u.id AND \(isPicture)
            RETURNING u.id
            """, [user.uuid, code.description]
        ) { row throws(PostgresError) in try row.id("id") }
    }
}

extension PicsStore {
    /// A user as everybody may see them.
    package func person(_ user: UserID) async throws(StoreError) -> Person {
        guard let person = try await first(.person(user)) else { throw .notFound }
        return person
    }

    /// Changes what somebody says of themselves.
    package func setProfile(_ profile: Profile, of user: UserID) async throws(StoreError) {
        guard try await execute(.setProfile(profile, of: user)) == 1 else { throw .notFound }
    }

    /// Chooses the photo that stands for somebody, or none.
    ///
    /// - Throws: `.notFound` for a photo that is not theirs, or that cannot be shown to everybody.
    package func setPicture(_ code: ShortCode?, of user: UserID) async throws(StoreError) {
        guard let code else {
            try await execute(.removePicture(of: user))
            return
        }
        guard try await first(.setPicture(code, of: user)) != nil else { throw .notFound }
    }
}
