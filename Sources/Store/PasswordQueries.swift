package import Domain
import Postgres

/// A user who signs in, with the stored hash of the password.
package struct PasswordRecord: Sendable {
    package let user: User
    /// The text of a `PasswordHash`; nil when the user cannot sign in.
    package let password: String?
}

/// A user as an admin sees them in the list.
package struct UserRecord: Sendable, Equatable {
    package let user: User
    /// Whether they have a password, or another way to sign in.
    package let canSignIn: Bool
    package let storage: StorageUsage
    /// Whether a code is asked for after it.
    package let hasSecondFactor: Bool
}

extension Query where Row == PasswordRecord {
    static func password(ofUserNamed name: String) -> Self {
        Query(
            "password_of_user",
            "SELECT id, name, is_admin, created_at, password FROM users WHERE name = $1 AND deleted_at IS NULL",
            [name], decode: record)
    }

    static func password(of user: UserID) -> Self {
        Query(
            "password_of_user_by_id",
            "SELECT id, name, is_admin, created_at, password FROM users WHERE id = $1 AND deleted_at IS NULL",
            [user.uuid], decode: record)
    }

    private static func record(_ row: borrowing ResultRow) throws(PostgresError) -> PasswordRecord {
        let user = User(
            id: try row.id("id"), name: try row.get("name"), isAdmin: try row.get("is_admin"),
            createdAt: try row.get("created_at"))
        return PasswordRecord(user: user, password: try row.get("password"))
    }
}

extension Query where Row == UserRecord {
    static func userRecords(issuer: String?) -> Self {
        Query(
            "people",
            """
            SELECT u.id, u.name, u.is_admin, u.created_at,
                   u.password IS NOT NULL OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id)
                   OR EXISTS (SELECT FROM identities i WHERE i.user_id = u.id AND rtrim(i.issuer, '/') = $1) AS can_sign_in,
                   s.stored, s.removed, s.quota,
                   EXISTS (SELECT FROM second_factors f WHERE f.user_id = u.id) AS has_second_factor
              FROM users u CROSS JOIN LATERAL storage_of(u.id) s
             WHERE u.deleted_at IS NULL ORDER BY u.name
            """, [issuer]
        ) { row throws(PostgresError) in
            let user = User(
                id: try row.id("id"), name: try row.get("name"), isAdmin: try row.get("is_admin"),
                createdAt: try row.get("created_at"))
            let canSignIn: Bool = try row.get("can_sign_in")
            let hasSecondFactor: Bool = try row.get("has_second_factor")
            return UserRecord(
                user: user, canSignIn: canSignIn, storage: try StorageUsage(row), hasSecondFactor: hasSecondFactor)
        }
    }
}

extension Query where Row == Void {
    static func setPassword(of user: UserID, _ password: String) -> Self {
        Query(
            "set_password", "UPDATE users SET password = $2 WHERE id = $1 AND deleted_at IS NULL",
            [user.uuid, password])
    }

    /// The same password, hashed anew: nothing happens if it was changed meanwhile.
    static func replacePassword(of user: UserID, _ old: String, by new: String) -> Self {
        Query(
            "replace_password", "UPDATE users SET password = $3 WHERE id = $1 AND password = $2",
            [user.uuid, old, new])
    }

    static func setTimeZone(of user: UserID, _ zone: String) -> Self {
        Query("set_time_zone", "UPDATE users SET time_zone = $2 WHERE id = $1", [user.uuid, zone])
    }

    static func revokeToken(_ id: TokenID, of user: UserID) -> Self {
        Query(
            "revoke_own_token",
            "UPDATE tokens SET revoked_at = now() WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL",
            [id.uuid, user.uuid])
    }
}
