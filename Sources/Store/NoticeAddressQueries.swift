package import Domain
internal import FoundationEssentials
import Postgres

/// The choices of a user for mail.
package struct NoticeChoice: Sendable {
    package let address: String
    /// A tag such as `ja`.
    package let language: String
    package let kinds: Set<NoticeAddress.Kind>
    package let digest: NoticeAddress.Digest

    package init(
        address: String, language: String, kinds: Set<NoticeAddress.Kind>, digest: NoticeAddress.Digest
    ) {
        self.address = address
        self.language = language
        self.kinds = kinds
        self.digest = digest
    }
}

extension Query where Row == NoticeAddress {
    static func noticeAddress(of user: UserID) -> Self {
        Query(
            "notice_address",
            """
            SELECT address, language, kinds, digest, confirmed_at IS NOT NULL AS is_confirmed,
                   refused_at IS NOT NULL AS is_refused, problem, delivered_at
              FROM mail_addresses a
             WHERE user_id = $1 AND EXISTS (SELECT FROM users u WHERE u.id = a.user_id AND u.deleted_at IS NULL)
            """, [user.uuid]
        ) { row throws(PostgresError) in
            let kinds: [String] = try row.get("kinds")
            return NoticeAddress(
                address: try row.get("address"), language: try row.get("language"),
                kinds: Set(kinds.compactMap { NoticeAddress.Kind(rawValue: $0) }),
                digest: try row.value("digest") { NoticeAddress.Digest(rawValue: $0) },
                isConfirmed: try row.get("is_confirmed"), isRefused: try row.get("is_refused"),
                problem: try row.get("problem"), deliveredAt: try row.get("delivered_at"))
        }
    }
}

extension Query where Row == Void {
    /// Held until the transaction ends: two confirmations for one user or one address are counted one after the other.
    static func lockConfirmations(_ subject: String) -> Self {
        Query(
            "lock_confirmations", "SELECT pg_advisory_xact_lock(hashtextextended('confirmations ' || $1::text, 0))",
            [subject])
    }

    /// Keeps what a user has chosen. An address that is another than before has to be confirmed, and so has one that was refused; what waits
    /// for the former one is forgotten, links for a new password too.
    static func chooseNotices(_ choice: NoticeChoice, of user: UserID) -> Self {
        Query(
            "choose_notices",
            """
            WITH changed AS (
                SELECT FROM mail_addresses WHERE user_id = $1 AND address <> $2
            ), forgotten AS (
                DELETE FROM mails m USING changed WHERE m.user_id = $1
            ), ended AS (
                DELETE FROM password_resets r USING changed WHERE r.user_id = $1
            )
            INSERT INTO mail_addresses AS a (user_id, address, language, kinds, digest, next_digest_at)
            VALUES ($1, $2, $3, $4::text[], $5, next_digest($1, $5))
            ON CONFLICT ON CONSTRAINT mail_addresses_pkey DO UPDATE
               SET address = excluded.address, language = excluded.language, kinds = excluded.kinds,
                   digest = excluded.digest,
                   digested_at = CASE WHEN a.digest = 'none' OR a.address <> excluded.address THEN now()
                                      ELSE a.digested_at END,
                   next_digest_at = CASE WHEN a.digest = excluded.digest THEN a.next_digest_at
                                         ELSE excluded.next_digest_at END,
                   confirmed_at = CASE WHEN a.address = excluded.address AND a.refused_at IS NULL THEN a.confirmed_at END,
                   token_hash = CASE WHEN a.address = excluded.address THEN a.token_hash END,
                   token_ends_at = CASE WHEN a.address = excluded.address THEN a.token_ends_at END,
                   refused_at = NULL,
                   problem = CASE WHEN a.address = excluded.address AND a.refused_at IS NULL THEN a.problem END,
                   delivered_at = CASE WHEN a.address = excluded.address THEN a.delivered_at END
            """,
            [
                user.uuid, choice.address, choice.language, choice.kinds.map(\.rawValue).sorted(),
                choice.digest.rawValue,
            ])
    }

    /// What waits for the address is forgotten, and links for a new password end.
    static func deleteNoticeAddress(of user: UserID) -> Self {
        Query(
            "delete_notice_address",
            """
            WITH forgotten AS (DELETE FROM mails WHERE user_id = $1),
                 ended AS (DELETE FROM password_resets WHERE user_id = $1)
            DELETE FROM mail_addresses WHERE user_id = $1
            """, [user.uuid])
    }

    /// No row unless the address is still the user's: a confirmed one is told of nothing any more, another one is forgotten.
    static func unsubscribe(_ user: UserID, from address: String) -> Self {
        Query(
            "unsubscribe_from_mail",
            """
            WITH quiet AS (
                UPDATE mail_addresses SET kinds = '{}', digest = 'none', next_digest_at = NULL
                 WHERE user_id = $1 AND address = $2 AND confirmed_at IS NOT NULL RETURNING user_id
            ), gone AS (
                DELETE FROM mail_addresses
                 WHERE user_id = $1 AND address = $2 AND confirmed_at IS NULL RETURNING user_id
            ), known AS (
                SELECT user_id FROM quiet UNION ALL SELECT user_id FROM gone
            ), forgotten AS (
                DELETE FROM mails m USING known k
                 WHERE m.user_id = k.user_id AND m.kind IN ('post', 'login', 'digest', 'confirmation')
            )
            SELECT FROM known
            """, [user.uuid, address])
    }

    static func deleteOldConfirmations(of user: UserID) -> Self {
        Query(
            "delete_old_confirmations",
            "DELETE FROM mail_confirmations WHERE user_id = $1 AND asked_at < now() - interval '1 day'", [user.uuid])
    }

    /// Leaves the question whether an address is the user's; none when it is confirmed, or one is on its way.
    static func askToConfirm(_ user: UserID) -> Self {
        Query(
            "ask_to_confirm",
            """
            INSERT INTO mails (id, user_id, address, kind, language)
            SELECT gen_random_uuid(), user_id, address, 'confirmation', language FROM mail_addresses a
             WHERE user_id = $1 AND confirmed_at IS NULL
               AND NOT EXISTS (SELECT FROM mails m WHERE m.user_id = $1 AND m.kind = 'confirmation')
            """, [user.uuid])
    }
}

extension Query where Row == Bool {
    /// Counts a question to an address; no row when the address was asked lately, or the user has asked too often.
    static func countConfirmation(
        of user: UserID, addressHash: [UInt8], pause: Duration, mostADay: Int
    ) -> Self {
        Query(
            "count_confirmation",
            """
            INSERT INTO mail_confirmations (id, user_id, address_hash)
            SELECT gen_random_uuid(), $1, $2
             WHERE NOT EXISTS (SELECT FROM mail_confirmations
                                WHERE address_hash = $2 AND asked_at > now() - $3::interval)
               AND (SELECT count(*) FROM mail_confirmations
                     WHERE user_id = $1 AND asked_at > now() - interval '1 day') < $4::int
            RETURNING true AS counted
            """, [user.uuid, addressHash, pause, mostADay]
        ) { row throws(PostgresError) in try row.get("counted") }
    }
}

/// Whose address a link confirms.
package struct ConfirmedAddress: Sendable, Equatable {
    package let userName: String
    package let address: String
}

extension Query where Row == ConfirmedAddress {
    static func addressToConfirm(token hash: [UInt8]) -> Self {
        Query(
            "address_to_confirm",
            """
            SELECT u.name, a.address FROM mail_addresses a JOIN users u ON u.id = a.user_id AND u.deleted_at IS NULL
             WHERE a.token_hash = $1 AND a.token_ends_at > now() AND a.refused_at IS NULL
            """, [hash], decode: confirmed)
    }

    /// No row when the link has ended. It may be opened again while it is good.
    static func confirmAddress(token hash: [UInt8]) -> Self {
        Query(
            "confirm_address",
            """
            UPDATE mail_addresses a SET confirmed_at = coalesce(a.confirmed_at, now()), problem = NULL
              FROM users u
             WHERE u.id = a.user_id AND u.deleted_at IS NULL
               AND a.token_hash = $1 AND a.token_ends_at > now() AND a.refused_at IS NULL
            RETURNING u.name, a.address
            """, [hash], decode: confirmed)
    }

    private static func confirmed(_ row: borrowing ResultRow) throws(PostgresError) -> ConfirmedAddress {
        ConfirmedAddress(userName: try row.get("name"), address: try row.get("address"))
    }
}
