package import Domain
package import FoundationEssentials
import Postgres

/// A link that will let somebody become a user, once.
package struct NewInvitation: Sendable {
    package let id: InvitationID
    /// The SHA-256 of its token, 32 bytes.
    package let hash: [UInt8]
    /// Nil: whoever is invited chooses.
    package let userName: String?
    package let isAdmin: Bool
    /// Nil: somebody at the terminal.
    package let invitedBy: UserID?
    /// How long it is good.
    package let age: Duration

    package init(
        id: InvitationID, hash: [UInt8], userName: String?, isAdmin: Bool, invitedBy: UserID?, age: Duration
    ) {
        self.id = id
        self.hash = hash
        self.userName = userName
        self.isAdmin = isAdmin
        self.invitedBy = invitedBy
        self.age = age
    }
}

/// An invitation that is still good.
package struct InvitationRecord: Sendable, Equatable {
    package let id: InvitationID
    package let userName: String?
    package let isAdmin: Bool
    /// The inviter's name; nil for the terminal.
    package let invitedBy: String?
    package let expiresAt: Date
}

/// The person who accepts an invitation.
package struct InvitedUser: Sendable {
    /// Used only if the invitation names nobody.
    package let name: String
    package let timeZone: String
    /// The text of a `PasswordHash`.
    package let password: String

    package init(name: String, timeZone: String, password: String) {
        self.name = name
        self.timeZone = timeZone
        self.password = password
    }
}

extension Query where Row == InvitationRecord {
    static func invitation(hash: [UInt8]) -> Self {
        Query("invitation_by_hash", select + " AND (i.hash = $1 OR i.mail_hash = $1)", [hash], decode: invitation)
    }

    /// Those of people who are not there yet and that are still good, newest first.
    static func invitations() -> Self {
        Query(
            "invitations",
            """
            \(select) AND NOT EXISTS (SELECT FROM users n WHERE n.name = i.user_name) ORDER BY i.created_at DESC
            """, decode: invitation)
    }

    private static let select = """
        SELECT i.id, i.user_name, i.is_admin, u.name AS inviter, i.expires_at
          FROM invitations i LEFT JOIN users u ON u.id = i.invited_by
         WHERE i.used_at IS NULL AND i.expires_at > now()
        """

    private static func invitation(_ row: borrowing ResultRow) throws(PostgresError) -> InvitationRecord {
        InvitationRecord(
            id: try row.id("id"), userName: try row.get("user_name"), isAdmin: try row.get("is_admin"),
            invitedBy: try row.get("inviter"), expiresAt: try row.get("expires_at"))
    }
}

extension Query where Row == User {
    /// Uses an invitation up and adds the user: both or neither. No row when it is not good any more, or whoever made it is no
    /// admin now; of two who come at once, the second waits for the first and finds it used.
    static func acceptInvitation(hash: [UInt8], as id: UserID, _ invited: InvitedUser) -> Self {
        Query(
            "accept_invitation",
            """
            WITH accepted AS (
                UPDATE invitations SET used_at = now()
                 WHERE (hash = $1 OR mail_hash = $1) AND used_at IS NULL AND expires_at > now()
                   AND (invited_by IS NULL
                        OR EXISTS (SELECT FROM users a WHERE a.id = invited_by AND a.is_admin AND a.deleted_at IS NULL))
             RETURNING user_name, is_admin, invited_by
            ), known AS (
                UPDATE users u SET password = $5, time_zone = $4
                  FROM accepted a
                 WHERE u.name = a.user_name AND a.invited_by IS NULL AND u.password IS NULL AND u.deleted_at IS NULL
             RETURNING u.id, u.name, u.is_admin, u.created_at
            ), added AS (
                INSERT INTO users (id, name, is_admin, time_zone, password)
                SELECT $2, coalesce(user_name, $3), is_admin, $4, $5 FROM accepted WHERE NOT EXISTS (SELECT FROM known)
             RETURNING id, name, is_admin, created_at)
            SELECT * FROM known UNION ALL SELECT * FROM added
            """, [hash, id.uuid, invited.name, invited.timeZone, invited.password]
        ) { row throws(PostgresError) in
            User(
                id: try row.id("id"), name: try row.get("name"), isAdmin: try row.get("is_admin"),
                createdAt: try row.get("created_at"))
        }
    }
}

extension Query where Row == Void {
    static func insertInvitation(_ new: NewInvitation) -> Self {
        Query(
            "insert_invitation",
            """
            INSERT INTO invitations (id, hash, user_name, is_admin, invited_by, expires_at)
            VALUES ($1, $2, $3, $4, $5, now() + $6::interval)
            """, [new.id.uuid, new.hash, new.userName, new.isAdmin, new.invitedBy?.uuid, new.age])
    }

    static func deleteOldInvitations() -> Self {
        Query("delete_old_invitations", "DELETE FROM invitations WHERE expires_at <= now()")
    }
}

extension Query where Row == String? {
    /// The name that it was for; no row when there is none or it is used.
    static func deleteInvitation(_ id: InvitationID) -> Self {
        Query(
            "delete_invitation", "DELETE FROM invitations WHERE id = $1 AND used_at IS NULL RETURNING user_name",
            [id.uuid]
        ) { row throws(PostgresError) in try row.get("user_name") }
    }
}
