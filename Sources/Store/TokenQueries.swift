package import Domain
package import FoundationEssentials
import Postgres

/// The record of a token; the token itself was shown once.
package struct TokenRecord: Sendable, Equatable {
    package let id: TokenID
    package let user: String
    package let name: String
    package let scopes: [String]
    package let createdAt: Date
    package let lastUsedAt: Date?
    /// Nil for one without an end.
    package let expiresAt: Date?
    package let revokedAt: Date?
}

/// A token found by its hash, with whose it is.
struct TokenMatch: Sendable {
    let caller: Caller
    let hash: [UInt8]
    /// Its use should be noted: the last note is older than a minute.
    let isStale: Bool
}

extension Query where Row == TokenMatch {
    static func tokens(hashes: [[UInt8]]) -> Self {
        Query(
            "tokens_by_hash",
            """
            SELECT t.id, t.hash, t.scopes, t.expires_at,
                   t.last_used_at IS NULL OR t.last_used_at < now() - interval '1 minute' AS stale,
                   u.id AS user_id, u.name, u.is_admin, u.created_at, u.storage_quota IS NOT NULL AS has_quota,
                   g.id AS grant_id, g.scopes AS grant_scopes, a.id AS app_id, a.client_id, a.name AS app_name, a.website
              FROM tokens t JOIN users u ON u.id = t.user_id
              LEFT JOIN app_grants g ON g.id = t.grant_id LEFT JOIN apps a ON a.id = g.app_id
             WHERE t.hash = ANY ($1) AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
            """, [hashes]
        ) { row throws(PostgresError) in
            let token: TokenID = try row.id("id")
            let hash: [UInt8] = try row.get("hash")
            let scopes: [String] = try row.get("scopes")
            let isStale: Bool = try row.get("stale")
            let user = User(
                id: try row.id("user_id"), name: try row.get("name"), isAdmin: try row.get("is_admin"),
                createdAt: try row.get("created_at"))
            let expiresAt: Date? = try row.get("expires_at")
            let hasQuota: Bool = try row.get("has_quota")
            let grant: UUID? = try row.get("grant_id")
            var app: CallingApp?
            if let grant {
                let granted = AppScopes(knownIn: try row.get("grant_scopes")).limited(
                    to: Set(scopes.compactMap(Scope.init)))
                app = CallingApp(
                    id: try row.id("app_id"), clientID: try row.get("client_id"), name: try row.get("app_name"),
                    website: try row.get("website"), grant: AppGrantID(grant), scopes: granted)
            }
            let caller = Caller(
                user: user, token: token, scopes: Set(scopes.compactMap(Scope.init)), expiresAt: expiresAt, app: app,
                hasOwnStorageQuota: hasQuota)
            return TokenMatch(caller: caller, hash: hash, isStale: isStale)
        }
    }
}

extension Query where Row == TokenRecord {
    static func tokens(of user: UserID?) -> Self {
        Query(
            "tokens",
            """
            SELECT t.id, u.name AS user_name, t.name, t.scopes, t.created_at, t.last_used_at, t.expires_at,
                   t.revoked_at
              FROM tokens t JOIN users u ON u.id = t.user_id
             WHERE ($1::uuid IS NULL OR t.user_id = $1) AND t.grant_id IS NULL
             ORDER BY u.name, t.created_at
            """, [user?.uuid]
        ) { row throws(PostgresError) in
            TokenRecord(
                id: try row.id("id"), user: try row.get("user_name"), name: try row.get("name"),
                scopes: try row.get("scopes"), createdAt: try row.get("created_at"),
                lastUsedAt: try row.get("last_used_at"), expiresAt: try row.get("expires_at"),
                revokedAt: try row.get("revoked_at"))
        }
    }
}

extension Query where Row == Void {
    /// Lets the tokens of a user be made one after the other; until the end of the transaction.
    static func lockTokens(of user: UserID) -> Self {
        Query("lock_tokens", "SELECT pg_advisory_xact_lock(hashtextextended('tokens ' || $1::text, 0))", [user.uuid])
    }

    /// Revokes all tokens of a user.
    static func revokeTokens(of user: UserID) -> Self {
        Query(
            "revoke_tokens_of_user", "UPDATE tokens SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL",
            [user.uuid])
    }

    /// Of many requests at once one writes it down.
    static func noteTokenUse(_ id: TokenID) -> Self {
        Query(
            "note_token_use",
            """
            UPDATE tokens SET last_used_at = now()
             WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
            """, [id.uuid])
    }

}

extension Query where Row == UserID {
    /// Whose it was; no row when there is none or it has ended already.
    static func revokeToken(_ id: TokenID) -> Self {
        Query(
            "revoke_token",
            "UPDATE tokens SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING user_id", [id.uuid]
        ) { row throws(PostgresError) in try row.id("user_id") }
    }
}

extension Query where Row == TokenID {
    /// Adds a token; no row when the user has `limit` that are good or were revoked within a day, so that making and revoking does not
    /// fill the table.
    static func insertToken(
        _ id: TokenID, of user: UserID, hash: [UInt8], name: String, scopes: [Scope], life: Duration?, limit: Int
    ) -> Self {
        Query(
            "insert_token",
            """
            INSERT INTO tokens (id, user_id, hash, name, scopes, expires_at)
            SELECT $1, $2, $3, $4, $5, now() + $7::interval
             WHERE (SELECT count(*) FROM tokens
                     WHERE user_id = $2 AND grant_id IS NULL AND (revoked_at IS NULL OR revoked_at > now() - interval '1 day')
                       AND (expires_at IS NULL OR expires_at > now())) < $6::int
            RETURNING id
            """, [id.uuid, user.uuid, hash, name, scopes.map(\.rawValue), Int32(clamping: limit), life],
            decode: { row throws(PostgresError) in try row.id("id") })
    }
}
