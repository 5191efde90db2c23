package import Domain
internal import Postgres

extension Query where Row == Void {
    /// Keeps an account's credentials, for a week, until its service has heard that they are to end; it comes before
    /// `disconnect`, or before others take their place, in one transaction. Nobody else takes them for as long as the first attempt
    /// may last.
    static func keepForRevocation(_ connection: AccountID, owner: UserID) -> Self {
        Query(
            "keep_for_revocation",
            """
            INSERT INTO revocations (connection_id, credentials, due_at, ends_at)
            SELECT id, credentials, now() + interval '1 min', now() + interval '7 days' FROM connections
             WHERE id = $1 AND owner_id = $2 AND state <> 'disabled' FOR UPDATE
            ON CONFLICT ON CONSTRAINT revocations_pkey
            DO UPDATE SET credentials = excluded.credentials, attempts = 0, due_at = excluded.due_at,
                          ends_at = excluded.ends_at
            """, [connection.uuid, owner.uuid])
    }

    static func endRevocation(of connection: AccountID) -> Self {
        Query("end_revocation", "DELETE FROM revocations WHERE connection_id = $1", [connection.uuid])
    }

    /// Those that nobody will try any more.
    static func pruneRevocations() -> Self {
        Query("prune_revocations", "DELETE FROM revocations WHERE ends_at <= now()")
    }
}

/// Credentials that are to be taken back at their service now.
package struct DueRevocation: Sendable {
    /// The account, with those credentials.
    package let account: SealedAccount
    /// Those that it has now, sealed; nil for a disconnected one.
    package let present: [UInt8]?
}

extension Query where Row == DueRevocation {
    /// Takes revocations that are due; each is due again after a pause that doubles, up to six hours.
    static func claimRevocations(limit: Int) -> Self {
        Query(
            "take_revocations",
            """
            UPDATE revocations r
               SET attempts = r.attempts + 1,
                   due_at = now() + least(interval '1 min' * 2 ^ least(r.attempts, 20), interval '6 hours')
              FROM connections c
             WHERE c.id = r.connection_id
               AND r.connection_id IN (SELECT connection_id FROM revocations WHERE due_at <= now()
                                        ORDER BY due_at LIMIT $1::int FOR UPDATE SKIP LOCKED)
            RETURNING c.id AS connection_id, c.service, c.remote_id, c.account, r.credentials, c.credentials_no,
                      c.settings, c.settings_read_at,
                      CASE WHEN c.state <> 'disabled' THEN c.credentials END AS present
            """, [limit]
        ) { row throws(PostgresError) in
            DueRevocation(account: try SealedAccount(row), present: try row.get("present"))
        }
    }
}

extension PicsStore {
    /// Credentials of accounts that were disconnected, or connected anew, that are to be taken back at their services now. Each
    /// comes again, ever later, until `endRevocation` or for a week.
    package func claimRevocations(limit: Int) async throws(StoreError) -> [DueRevocation] {
        try await mappingErrors { () async throws(PostgresError) in
            try await database.run(.pruneRevocations(), .claimRevocations(limit: limit)).1
        }
    }

    /// Forgets the credentials of which the service has heard that they are to end, or cannot.
    package func endRevocation(of connection: AccountID) async throws(StoreError) {
        try await execute(.endRevocation(of: connection))
    }
}
