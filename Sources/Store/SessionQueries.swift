package import Domain
package import FoundationEssentials
import Postgres

/// A browser that signs in.
package struct NewSession: Sendable {
    package let id: SessionID
    package let user: UserID
    /// The SHA-256 of its token, 32 bytes.
    package let hash: [UInt8]
    /// As it names itself.
    package let browser: String
    /// Where it signs in from.
    package let address: String
    /// Whether the user has not signed in there before.
    package let isOfNewDevice: Bool

    package init(
        id: SessionID, user: UserID, hash: [UInt8], browser: String, address: String, isOfNewDevice: Bool = false
    ) {
        self.id = id
        self.user = user
        self.hash = hash
        self.browser = browser
        self.address = address
        self.isOfNewDevice = isOfNewDevice
    }
}

/// What a session begins with. It begins only while that still holds.
package enum SignInProof: Sendable {
    /// The text of the `PasswordHash` that was compared; without a code it is not enough for who has a second factor.
    case password(String, hasCode: Bool = false)
    /// A passkey, whose authenticator has verified the person: it is both factors.
    case passkey(PasskeyID)
    /// Who somebody is at the issuer of OpenID Connect; without a code it is not enough for who has a second factor.
    case identity(IdentityID, hasCode: Bool = false)
}

/// A session as its user sees it in the list.
package struct SessionRecord: Sendable, Equatable {
    package let id: SessionID
    package let browser: String
    package let address: String
    package let createdAt: Date
    /// To the minute.
    package let lastSeenAt: Date
}

/// A session found by its hash, with whose it is.
struct SessionMatch: Sendable {
    let id: SessionID
    let user: User
    let hash: [UInt8]
    /// It began within the last 15 minutes: the user has just proved who they are.
    let isFresh: Bool
    /// Whether the user has a password.
    let hasPassword: Bool
    /// That it was seen should be noted: the last note is older than a minute.
    let isStale: Bool
}

extension Query where Row == SessionMatch {
    static func session(hash: [UInt8], _ life: SessionLifetime) -> Self {
        Query(
            "session_by_hash",
            """
            SELECT s.id, s.hash, s.last_seen_at < now() - interval '1 minute' AS stale,
                   s.created_at > now() - interval '15 minutes' AS fresh,
                   u.id AS user_id, u.name, u.is_admin, u.created_at, u.password IS NOT NULL AS has_password
              FROM sessions s JOIN users u ON u.id = s.user_id
             WHERE s.hash = $1 AND s.created_at > now() - $2::interval AND s.last_seen_at > now() - $3::interval
            """, [hash, life.age, life.idle]
        ) { row throws(PostgresError) in
            let id: SessionID = try row.id("id")
            let hash: [UInt8] = try row.get("hash")
            let isStale: Bool = try row.get("stale")
            let user = User(
                id: try row.id("user_id"), name: try row.get("name"), isAdmin: try row.get("is_admin"),
                createdAt: try row.get("created_at"))
            return SessionMatch(
                id: id, user: user, hash: hash, isFresh: try row.get("fresh"),
                hasPassword: try row.get("has_password"), isStale: isStale)
        }
    }
}

extension Query where Row == SessionRecord {
    /// Those that are still good, last seen first.
    static func sessions(of user: UserID, _ life: SessionLifetime) -> Self {
        Query(
            "sessions",
            """
            SELECT id, browser, address, created_at, last_seen_at FROM sessions
             WHERE user_id = $1 AND created_at > now() - $2::interval AND last_seen_at > now() - $3::interval
             ORDER BY last_seen_at DESC, id DESC
            """, [user.uuid, life.age, life.idle]
        ) { row throws(PostgresError) in
            SessionRecord(
                id: try row.id("id"), browser: try row.get("browser"), address: try row.get("address"),
                createdAt: try row.get("created_at"), lastSeenAt: try row.get("last_seen_at"))
        }
    }
}

extension Query where Row == Void {
    /// Begins a session if the user's password is still the one that was compared, and a code was right where one is asked for; the user's
    /// row is held, so that a change of the password that ends all sessions comes before or after, never between.
    static func insertSession(_ new: NewSession, password: String, hasCode: Bool) -> Self {
        Query(
            "insert_session",
            """
            INSERT INTO sessions (id, user_id, hash, browser, address)
            SELECT $1, id, $3, $4, $5 FROM users u
             WHERE id = $2 AND password = $6
               AND ($7::boolean OR NOT EXISTS (SELECT FROM second_factors f WHERE f.user_id = u.id))
               FOR SHARE
            """, [new.id.uuid, new.user.uuid, new.hash, new.browser, new.address, password, hasCode])
    }

    /// Begins a session if the user still has the passkey.
    static func insertSession(_ new: NewSession, passkey: PasskeyID) -> Self {
        Query(
            "insert_session_by_passkey",
            """
            INSERT INTO sessions (id, user_id, hash, browser, address)
            SELECT $1, u.id, $3, $4, $5 FROM users u JOIN passkeys p ON p.user_id = u.id
             WHERE u.id = $2 AND u.deleted_at IS NULL AND p.id = $6
               FOR SHARE
            """, [new.id.uuid, new.user.uuid, new.hash, new.browser, new.address, passkey.uuid])
    }

    /// Begins a session if the identity is still linked, and a code was right where one is asked for.
    static func insertSession(_ new: NewSession, identity: IdentityID, hasCode: Bool) -> Self {
        Query(
            "insert_session_by_identity",
            """
            INSERT INTO sessions (id, user_id, hash, browser, address)
            SELECT $1, u.id, $3, $4, $5 FROM users u JOIN identities i ON i.user_id = u.id
             WHERE u.id = $2 AND u.deleted_at IS NULL AND i.id = $6
               AND ($7::boolean OR NOT EXISTS (SELECT FROM second_factors f WHERE f.user_id = u.id))
               FOR SHARE
            """, [new.id.uuid, new.user.uuid, new.hash, new.browser, new.address, identity.uuid, hasCode])
    }

    static func noteSessionUse(_ id: SessionID) -> Self {
        Query(
            "note_session_use",
            "UPDATE sessions SET last_seen_at = now() WHERE id = $1 AND last_seen_at < now() - interval '1 minute'",
            [id.uuid])
    }

    static func deleteSession(_ id: SessionID, of user: UserID) -> Self {
        Query("delete_session", "DELETE FROM sessions WHERE id = $1 AND user_id = $2", [id.uuid, user.uuid])
    }

    /// All but one, or all.
    static func deleteSessions(of user: UserID, except kept: SessionID?) -> Self {
        Query(
            "delete_sessions", "DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2::uuid",
            [user.uuid, kept?.uuid])
    }

    /// All but the newest.
    static func deleteSurplusSessions(of user: UserID, keeping count: Int) -> Self {
        Query(
            "delete_surplus_sessions",
            """
            DELETE FROM sessions WHERE id IN
                (SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC OFFSET $2::int)
            """, [user.uuid, Int32(count)])
    }

    static func deleteOldSessions(_ life: SessionLifetime) -> Self {
        Query(
            "delete_old_sessions",
            "DELETE FROM sessions WHERE created_at <= now() - $1::interval OR last_seen_at <= now() - $2::interval",
            [life.age, life.idle])
    }
}
