internal import Crypto
package import Domain
internal import FoundationEssentials
internal import Postgres

/// An account whose profile picture is to be looked for now.
package struct DueAccountPicture: Sendable {
    package let account: SealedAccount
    package let owner: UserID
    /// The address that connecting has told; nil: the service has to be asked.
    package let url: String?
    /// Looks in a row that have failed before this one.
    package let failures: Int32
}

/// A profile picture of an account or of somebody who has responded, as pages show it.
package struct KeptPicture: Sendable, Equatable {
    /// A square WebP, of `longest` bytes at most.
    package let bytes: [UInt8]
    /// Names the content, in URL-safe characters.
    package let version: String

    package static let longest = 32_768

    init(_ row: borrowing ResultRow) throws(PostgresError) {
        (bytes, version) = (try row.get("picture"), try row.get("picture_version"))
    }

    static func version(of bytes: [UInt8]) -> String { String(SHA256Digest(of: bytes).hex.prefix(16)) }
}

extension Query where Row == DueAccountPicture {
    /// Takes accounts whose picture is due; each is due again after a pause that grows fourfold, up to a week. Accounts whose gate
    /// is held back wait.
    static func claimAccountPictures(limit: Int) -> Self {
        Query(
            "take_account_pictures",
            """
            WITH due AS MATERIALIZED (
                SELECT c.id FROM connections c
                  JOIN lanes l ON l.connection_id = c.id
                  JOIN gate_states g ON g.name = l.gate
                  JOIN gate_states e ON e.name = '*'
                 WHERE c.state = 'ok' AND c.picture_due_at <= now() AND l.blocked_until <= now()
                   AND greatest(g.opens_at, e.opens_at) <= now()
                 ORDER BY c.picture_due_at LIMIT $1::int FOR NO KEY UPDATE OF c SKIP LOCKED
            )
            UPDATE connections c
               SET picture_failures = c.picture_failures + 1,
                   picture_due_at = now() + least(interval '5 min' * 4 ^ least(c.picture_failures, 10),
                                                  interval '7 days')
             WHERE c.id = ANY (ARRAY(SELECT id FROM due))
            RETURNING \(SealedAccount.columns), c.owner_id, c.picture_url, c.picture_failures - 1 AS failures
            """, [limit]
        ) { row throws(PostgresError) in
            DueAccountPicture(
                account: try SealedAccount(row), owner: try row.id("owner_id"), url: try row.get("picture_url"),
                failures: try row.get("failures"))
        }
    }
}

extension Query where Row == Void {
    /// Changes nothing for an account that was disconnected, or connected anew with another picture, since it was taken.
    static func keepAccountPicture(
        _ picture: [UInt8]?, version: String?, of due: DueAccountPicture, dueAfter pause: Duration?
    ) -> Self {
        Query(
            "keep_account_picture",
            """
            UPDATE connections
               SET picture = $2, picture_version = $3, picture_url = NULL, picture_failures = 0,
                   picture_due_at = now() + $4::interval
             WHERE id = $1 AND state <> 'disabled' AND picture_url IS NOT DISTINCT FROM $5::text
            """, [due.account.connection.uuid, picture, version, pause, due.url])
    }
}

extension Query where Row == KeptPicture {
    /// No row for another owner's account, and where there is no picture.
    static func picture(of connection: AccountID, owner: UserID) -> Self {
        Query(
            "account_picture",
            """
            SELECT picture, picture_version FROM connections
             WHERE id = $1 AND owner_id = $2 AND state <> 'disabled' AND picture IS NOT NULL
            """, [connection.uuid, owner.uuid]
        ) { row throws(PostgresError) in try KeptPicture(row) }
    }
}

extension PicsStore {
    /// Accounts whose profile pictures are to be looked for now. Each comes again, ever later, until `keepPicture`.
    package func claimAccountPictures(limit: Int) async throws(StoreError) -> [DueAccountPicture] {
        try await rows(.claimAccountPictures(limit: limit))
    }

    /// Keeps what was found for an account that `claimAccountPictures` gave: a picture, or with nil that there is none. It is looked
    /// for again after `pause`; nil: not before the account is connected anew.
    package func keepPicture(
        _ picture: [UInt8]?, of due: DueAccountPicture, dueAfter pause: Duration?
    ) async throws(StoreError) {
        let version = picture.map(KeptPicture.version)
        try await execute(.keepAccountPicture(picture, version: version, of: due, dueAfter: pause))
    }

    /// The profile picture of one of the owner's accounts.
    ///
    /// - Throws: `.notFound` also when there is none.
    package func picture(of connection: AccountID, owner: UserID) async throws(StoreError) -> KeptPicture {
        guard let picture = try await first(.picture(of: connection, owner: owner)) else { throw .notFound }
        return picture
    }
}
