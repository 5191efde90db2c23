import Domain
import FoundationEssentials
import Postgres

extension Query where Row == User {
    static func insertUser(_ id: UserID, name: String, isAdmin: Bool, timeZone: String) -> Self {
        Query(
            "insert_user",
            """
            INSERT INTO users (id, name, is_admin, time_zone) VALUES ($1, $2, $3, $4)
            RETURNING id, name, is_admin, created_at
            """, [id.uuid, name, isAdmin, timeZone], decode: user)
    }

    static func userNamed(_ name: String) -> Self {
        Query(
            "user_named", "SELECT id, name, is_admin, created_at FROM users WHERE name = $1 AND deleted_at IS NULL",
            [name], decode: user)
    }

    static func user(_ id: UserID) -> Self {
        Query(
            "user_by_id", "SELECT id, name, is_admin, created_at FROM users WHERE id = $1 AND deleted_at IS NULL",
            [id.uuid], decode: user)
    }

    static func users() -> Self {
        Query(
            "users",
            "SELECT id, name, is_admin, created_at FROM users WHERE deleted_at IS NULL ORDER BY name", decode: user)
    }

    private static func user(_ row: borrowing ResultRow) throws(PostgresError) -> User {
        User(
            id: try row.id("id"), name: try row.get("name"), isAdmin: try row.get("is_admin"),
            createdAt: try row.get("created_at"))
    }
}

extension Query where Row == Void {
    /// All admins, so that two who take each other's rights wait for one another.
    static func lockAdmins() -> Self {
        Query("lock_admins", "SELECT FROM users WHERE is_admin AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE")
    }

    /// Takes back the tokens that only an admin may have.
    static func revokeAdminTokens(of user: UserID) -> Self {
        Query(
            "revoke_admin_tokens",
            "UPDATE tokens SET revoked_at = now() WHERE user_id = $1 AND 'admin' = ANY (scopes) AND revoked_at IS NULL",
            [user.uuid])
    }

    /// Invitations of new admins that this user has made.
    static func deleteAdminInvitations(by user: UserID) -> Self {
        Query("delete_admin_invitations", "DELETE FROM invitations WHERE invited_by = $1 AND is_admin", [user.uuid])
    }
}

extension Query where Row == UserID {
    /// No row when there is no such user, or no admin would be left.
    static func setAdmin(_ user: UserID, _ isAdmin: Bool) -> Self {
        Query(
            "set_admin",
            """
            UPDATE users SET is_admin = $2
             WHERE id = $1 AND deleted_at IS NULL
               AND ($2 OR EXISTS (SELECT FROM users o WHERE o.is_admin AND o.deleted_at IS NULL AND o.id <> $1))
            RETURNING id
            """, [user.uuid, isAdmin]
        ) { row throws(PostgresError) in try row.id("id") }
    }
}

extension Query where Row == Bool {
    /// Whether the pages of a user's photos name the camera.
    static func showsCamera(_ user: UserID) -> Self {
        Query("shows_camera", "SELECT show_camera FROM users WHERE id = $1", [user.uuid]) {
            row throws(PostgresError) in try row.get("show_camera")
        }
    }
}

extension Query where Row == String? {
    /// The name that a user signs pictures with; nil when they do not.
    static func signature(of user: UserID) -> Self {
        Query("user_signature", "SELECT signature FROM users WHERE id = $1", [user.uuid]) {
            row throws(PostgresError) in try row.get("signature")
        }
    }
}

extension Query where Row == Void {
    static func setSignature(_ signature: String?, of user: UserID) -> Self {
        Query("set_signature", "UPDATE users SET signature = $2 WHERE id = $1", [user.uuid, signature])
    }

    static func setShowsCamera(_ shows: Bool, of user: UserID) -> Self {
        Query("set_shows_camera", "UPDATE users SET show_camera = $2 WHERE id = $1", [user.uuid, shows])
    }
}

extension Query where Row == String {
    /// The IANA name of the zone in which a user's days are counted.
    static func timeZone(of user: UserID) -> Self {
        Query("user_time_zone", "SELECT time_zone FROM users WHERE id = $1", [user.uuid]) {
            row throws(PostgresError) in try row.get("time_zone")
        }
    }
}
