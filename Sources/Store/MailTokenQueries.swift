package import Domain
internal import FoundationEssentials
import Postgres

/// A user who is to choose a new password, and the address that the link goes to.
package struct ResetRecipient: Sendable, Equatable {
    package let user: UserID
    package let name: String
    package let address: String
    package let language: String
}

/// An invitation that is about to be mailed.
package struct MailedInvitation: Sendable, Equatable {
    /// Nil: whoever is invited chooses.
    package let userName: String?
    /// The inviter's name; nil for the terminal.
    package let invitedBy: String?
}

extension Query where Row == ResetRecipient {
    /// Whom a name or a confirmed address is of, oldest first; an address may be several people's.
    static func resetRecipients(_ entered: String) -> Self {
        Query(
            "reset_recipients",
            """
            SELECT u.id, u.name, a.address, a.language
              FROM mail_addresses a JOIN users u ON u.id = a.user_id
             WHERE (u.name = $1 OR lower(a.address) = lower($1)) AND u.deleted_at IS NULL
               AND a.confirmed_at IS NOT NULL AND a.refused_at IS NULL
             ORDER BY u.created_at, u.id LIMIT 10
            """, [entered]
        ) { row throws(PostgresError) in
            ResetRecipient(
                user: try row.id("id"), name: try row.get("name"), address: try row.get("address"),
                language: try row.get("language"))
        }
    }
}

extension Query where Row == Bool {
    /// Keeps the token of a link for a new password; a repeat of the mail has another. No row when the user had too many within an hour.
    static func putReset(_ mail: MailID, of user: UserID, hash: [UInt8], life: Duration, mostAnHour: Int) -> Self {
        Query(
            "put_reset",
            """
            INSERT INTO password_resets (mail_id, user_id, hash, ends_at)
            SELECT $1, $2, $3, now() + $4::interval
             WHERE (SELECT count(*) FROM password_resets
                     WHERE user_id = $2 AND mail_id <> $1 AND created_at > now() - interval '1 hour') < $5::int
            ON CONFLICT ON CONSTRAINT password_resets_pkey DO UPDATE SET hash = excluded.hash, ends_at = excluded.ends_at
            RETURNING true AS kept
            """, [mail.uuid, user.uuid, hash, life, mostAnHour]
        ) { row throws(PostgresError) in try row.get("kept") }
    }
}

extension Query where Row == User {
    static func userToReset(hash: [UInt8]) -> Self {
        Query(
            "user_to_reset",
            """
            SELECT u.id, u.name, u.is_admin, u.created_at FROM password_resets r JOIN users u ON u.id = r.user_id
             WHERE r.hash = $1 AND r.ends_at > now() AND u.deleted_at IS NULL
            """, [hash]
        ) { row throws(PostgresError) in
            User(
                id: try row.id("id"), name: try row.get("name"), isAdmin: try row.get("is_admin"),
                createdAt: try row.get("created_at"))
        }
    }
}

extension Query where Row == Void {
    /// First the user's row, as everything does that ends sessions.
    static func lockUser(_ user: UserID) -> Self {
        Query(
            "lock_user_for_reset", "SELECT FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE",
            [user.uuid])
    }

    /// No row when the link has ended.
    static func useReset(hash: [UInt8], of user: UserID) -> Self {
        Query(
            "use_reset",
            "UPDATE password_resets SET ends_at = now() WHERE hash = $1 AND user_id = $2 AND ends_at > now()",
            [hash, user.uuid])
    }

    /// No link that was sent sets the user's password any more.
    static func endResets(of user: UserID) -> Self {
        Query(
            "end_resets", "UPDATE password_resets SET ends_at = least(ends_at, now()) WHERE user_id = $1", [user.uuid])
    }

    static func deleteOldResets() -> Self {
        Query(
            "delete_old_resets",
            "DELETE FROM password_resets WHERE ends_at < now() AND created_at < now() - interval '1 hour'")
    }

    /// No row unless the address is still the user's, and waits for it; nor once they have left.
    static func putConfirmationToken(_ hash: [UInt8], of user: UserID, address: String, life: Duration) -> Self {
        Query(
            "put_confirmation_token",
            """
            UPDATE mail_addresses SET token_hash = $1, token_ends_at = now() + $4::interval
             WHERE user_id = $2 AND address = $3 AND confirmed_at IS NULL AND refused_at IS NULL
               AND EXISTS (SELECT FROM users u WHERE u.id = $2 AND u.deleted_at IS NULL)
            """, [hash, user.uuid, address, life])
    }
}

extension Query where Row == MailedInvitation {
    /// Gives an invitation the token that is mailed; no row when it is not good any more.
    static func putInvitationToken(_ hash: [UInt8], of invitation: UUID) -> Self {
        Query(
            "put_invitation_token",
            """
            UPDATE invitations i SET mail_hash = $1
             WHERE i.id = $2 AND i.used_at IS NULL AND i.expires_at > now()
            RETURNING i.user_name, (SELECT name FROM users u WHERE u.id = i.invited_by) AS inviter
            """, [hash, invitation]
        ) { row throws(PostgresError) in
            MailedInvitation(userName: try row.get("user_name"), invitedBy: try row.get("inviter"))
        }
    }
}
