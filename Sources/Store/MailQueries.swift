package import Domain
package import FoundationEssentials
import Postgres

/// Mails that leave as one, which this process alone sends until its lease ends.
package struct MailTurn: Sendable {
    /// A row of them.
    package struct Mail: Sendable, Equatable {
        package let id: MailID
        package let kind: MailKind
        /// A submission, an account or an invitation.
        package let subject: UUID?
    }

    /// Tells another process that the lease was lost.
    package let lease: UUID
    /// Nil for an invitation and a reset.
    package let user: UserID?
    /// The recipient; of a reset, the name or address that somebody has entered.
    package let address: String
    package let language: String
    /// At least one; several are posts and logins.
    package let mails: [Mail]
    /// Attempts that have failed in a row.
    package let failures: Int
    package let createdAt: Date
    /// Whether somebody may have it already.
    package let wasArmed: Bool

    /// The kind of its first part.
    package var kind: MailKind { mails.first?.kind ?? .post }
}

/// A row that was claimed.
struct ClaimedMail: Sendable {
    let mail: MailTurn.Mail
    let user: UserID?
    let address: String
    let language: String
    let failures: Int32
    let createdAt: Date
    let wasArmed: Bool
}

/// Those that this release can send; a later one may leave others.
private let kinds = MailKind.allCases.map(\.rawValue)

extension Query where Row == Void {
    static func inviteByMail(_ invitation: InvitationID, to address: String, language: String) -> Self {
        Query(
            "invite_by_mail",
            """
            INSERT INTO mails (id, address, kind, subject_id, language)
            VALUES (gen_random_uuid(), $2, 'invitation', $1, $3)
            """, [invitation.uuid, address, language])
    }

    /// Leaves what somebody has entered, whoever it is: whether it is a user is found out when it is sent.
    static func askForReset(_ entered: String, language: String) -> Self {
        Query(
            "ask_for_reset",
            "INSERT INTO mails (id, address, kind, language) VALUES (gen_random_uuid(), $1, 'reset', $2)",
            [entered, language])
    }

    /// Leaves the digests that are due.
    static func makeDigests() -> Self {
        Query(
            "make_digests",
            """
            WITH due AS (
                UPDATE mail_addresses SET next_digest_at = next_digest(user_id, digest)
                 WHERE next_digest_at <= now() RETURNING user_id, address, language, confirmed_at, refused_at
            )
            INSERT INTO mails (id, user_id, address, kind, language)
            SELECT gen_random_uuid(), user_id, address, 'digest', language FROM due
             WHERE confirmed_at IS NOT NULL AND refused_at IS NULL
               AND NOT EXISTS (SELECT FROM mails m WHERE m.user_id = due.user_id AND m.kind = 'digest')
            """)
    }

    /// What nobody could send for so long is old news.
    static func deleteOldMails(_ kind: MailKind) -> Self {
        Query(
            "delete_old_mails",
            """
            DELETE FROM mails WHERE kind = $1 AND created_at < now() - $2::interval
               AND (lease_until IS NULL OR lease_until < now())
            """, [kind.rawValue, kind.life])
    }

    /// The line that ends the message is about to leave, and the lease begins anew; no row when the lease was lost.
    static func armMails(_ turn: MailTurn, lease: Duration) -> Self {
        Query(
            "arm_mails",
            """
            UPDATE mails SET armed = true, lease_until = now() + $2::interval
             WHERE lease_id = $1 AND lease_until > now()
            """, [turn.lease, lease])
    }

    static func deleteMails(_ turn: MailTurn) -> Self {
        Query("delete_mails", "DELETE FROM mails WHERE lease_id = $1", [turn.lease])
    }

    /// The server has taken it. A digest has told what was there until `end`.
    static func mailsWereSent(_ turn: MailTurn, digestUntil end: Date?) -> Self {
        Query(
            "mails_were_sent",
            """
            WITH sent AS (DELETE FROM mails WHERE lease_id = $1)
            UPDATE mail_addresses
               SET delivered_at = now(), problem = NULL, digested_at = coalesce($4::timestamptz, digested_at)
             WHERE user_id = $2 AND address = $3
            """, [turn.lease, turn.user?.uuid, turn.address, end])
    }

    /// The mails wait for `delay`; a failure is counted and told on the user's page.
    static func delayMails(_ turn: MailTurn, by delay: Duration, problem: String?) -> Self {
        Query(
            "delay_mails",
            """
            WITH delayed AS (
                UPDATE mails SET lease_id = NULL, lease_until = NULL, armed = false, due_at = now() + $2::interval,
                       failures = failures + ($5::text IS NOT NULL)::int
                 WHERE lease_id = $1)
            UPDATE mail_addresses SET problem = $5
             WHERE user_id = $3 AND address = $4 AND $5::text IS NOT NULL
            """, [turn.lease, delay, turn.user?.uuid, turn.address, problem])
    }

    /// No mail goes to the address any more, and what waits for it is forgotten.
    static func refuseAddress(_ address: String, of user: UserID, problem: String) -> Self {
        Query(
            "refuse_address",
            """
            WITH forgotten AS (DELETE FROM mails WHERE user_id = $1)
            UPDATE mail_addresses
               SET refused_at = now(), confirmed_at = NULL, token_hash = NULL, token_ends_at = NULL, problem = $3
             WHERE user_id = $1 AND address = $2
            """, [user.uuid, address, problem])
    }
}

extension Query where Row == ClaimedMail {
    /// Takes the mail that has waited longest, with what goes along: a user's posts and logins leave together. Processes wait for each other
    /// here, so that none takes what belongs to another's.
    static func claimMails(as lease: UUID, for time: Duration) -> Self {
        Query(
            "claim_mails",
            """
            WITH first AS (
                SELECT id, user_id, kind, armed FROM mails
                 WHERE due_at <= now() AND (lease_until IS NULL OR lease_until <= now()) AND kind = ANY ($3::text[])
                 ORDER BY due_at, id LIMIT 1 FOR NO KEY UPDATE
            ), before AS (
                SELECT m.id, m.armed FROM mails m, first f
                 WHERE m.id = f.id
                    OR m.user_id = f.user_id AND m.kind IN ('post', 'login', 'report') AND f.kind IN ('post', 'login', 'report')
                   AND m.armed = f.armed AND (m.lease_until IS NULL OR m.lease_until <= now())
            )
            UPDATE mails m SET lease_id = $1, lease_until = now() + $2::interval, armed = false
              FROM before b WHERE m.id = b.id
            RETURNING m.id, m.user_id, m.address, m.kind, m.subject_id, m.language, m.failures, m.created_at, b.armed
            """, [lease, time, kinds]
        ) { row throws(PostgresError) in
            let user: UUID? = try row.get("user_id")
            return ClaimedMail(
                mail: MailTurn.Mail(
                    id: try row.id("id"), kind: try row.value("kind") { MailKind(rawValue: $0) },
                    subject: try row.get("subject_id")),
                user: user.map { UserID($0) }, address: try row.get("address"), language: try row.get("language"),
                failures: try row.get("failures"), createdAt: try row.get("created_at"),
                wasArmed: try row.get("armed"))
        }
    }
}

/// The responses to a photo since the last digest.
package struct DigestPhoto: Sendable, Equatable {
    package let photo: LikedPhoto
    package let count: Int
}

extension Query where Row == DigestPhoto {
    /// Photos of the user with responses since their last digest until `end`, those with the newest first.
    static func digest(of user: UserID, until end: Date, limit: Int) -> Self {
        Query(
            "mail_digest",
            """
            SELECT p.id, l.code, p.caption, p.like_count, n.count
              FROM (SELECT r.photo_id, count(*)::int AS count, max(r.seen_at) AS newest
                      FROM responses r, mail_addresses a
                     WHERE a.user_id = $1 AND r.owner_id = $1 AND r.changed_at > a.digested_at
                       AND r.seen_at > a.digested_at AND r.seen_at <= $2 AND r.gone_at IS NULL
                       AND NOT r.is_own AND r.state <> 'hidden' AND r.kind NOT IN ('like', 'repost')
                     GROUP BY r.photo_id) n
              JOIN photos p ON p.id = n.photo_id AND p.owner_id = $1 AND p.deleted_at IS NULL
              JOIN short_links l ON l.photo_id = p.id
             ORDER BY n.newest DESC LIMIT $3::int
            """, [user.uuid, end, limit]
        ) { row throws(PostgresError) in
            let (count, likes): (Int32, Int32) = (try row.get("count"), try row.get("like_count"))
            return DigestPhoto(
                photo: LikedPhoto(
                    id: try row.id("id"), code: try row.value("code") { ShortCode($0) },
                    caption: try row.get("caption"), likes: likes, people: likes),
                count: Int(count))
        }
    }
}

extension Query where Row == Date {
    static func mailClock() -> Self {
        Query("mail_clock", "SELECT now() AS now") { row throws(PostgresError) in try row.get("now") }
    }
}
