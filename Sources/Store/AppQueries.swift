package import Domain
package import FoundationEssentials
import Postgres

/// An app as it is found by what it calls itself.
package struct AppRecord: Sendable {
    package let app: App
    /// The SHA-256 of its secret; nil: it has none.
    package let secretHash: [UInt8]?
}

/// A code or a refresh token that an app brings, with what its user has allowed.
package struct RedeemedGrant: Sendable {
    package let grant: AppGrantID
    package let app: AppID
    package let user: User
    package let scopes: AppScopes
    /// Where the code was sent; empty for a refresh token.
    package let redirectURI: String
    /// The code challenge, 32 bytes; nil: there was none.
    package let challenge: [UInt8]?
}

/// Tokens for an app, as their hashes.
package struct NewAppTokens: Sendable {
    package let access: [UInt8]
    /// How long it is good; nil: until it is revoked.
    package let life: Duration?
    /// Nil for an app that does not refresh.
    package let refresh: [UInt8]?
    package let scopes: Set<Scope>

    package init(access: [UInt8], life: Duration?, refresh: [UInt8]?, scopes: Set<Scope>) {
        (self.access, self.life, self.refresh, self.scopes) = (access, life, refresh, scopes)
    }
}

let appColumns = """
    a.id AS app_id, a.client_id, a.kind, a.secret_hash, a.name AS app_name, a.website, a.redirect_uris,
    a.scopes AS app_scopes, a.refreshes, a.created_at AS app_created_at
    """

extension App {
    init(_ row: borrowing ResultRow) throws(PostgresError) {
        let id: AppID = try row.id("app_id")
        let clientID: String = try row.get("client_id")
        let kind: App.Kind = try row.value("kind") { App.Kind(rawValue: $0) }
        let secret: [UInt8]? = try row.get("secret_hash")
        self.init(
            id: id, clientID: clientID, kind: kind, hasSecret: secret != nil, name: try row.get("app_name"),
            website: try row.get("website"), redirectURIs: try row.get("redirect_uris"),
            scopes: AppScopes(knownIn: try row.get("app_scopes")), refreshes: try row.get("refreshes"),
            createdAt: try row.get("app_created_at"))
    }
}

extension Query where Row == AppRecord {
    static func app(clientID: String) -> Self {
        Query("app_by_client_id", "SELECT \(appColumns) FROM apps a WHERE a.client_id = $1", [clientID], decode: record)
    }

    static func app(_ id: AppID) -> Self {
        Query("app", "SELECT \(appColumns) FROM apps a WHERE a.id = $1", [id.uuid], decode: record)
    }

    /// No row when `most` apps wait for somebody to let them in.
    static func insertApp(_ app: App, secretHash: [UInt8]?, most: Int) -> Self {
        Query(
            "insert_app",
            """
            INSERT INTO apps AS a (id, client_id, kind, secret_hash, name, website, redirect_uris, scopes, refreshes)
            SELECT $1, $2, $3, $4, $5, $6, $7::text[], $8, $9
             WHERE (SELECT count(*) FROM (SELECT FROM apps WHERE allowed_at IS NULL LIMIT $10::int) waiting) < $10::int
            RETURNING \(appColumns)
            """, values(app, secretHash) + [most], decode: record)
    }

    /// An app that is known by its address is what its address says today.
    static func updateSite(_ app: App) -> Self {
        Query(
            "update_site_app",
            """
            INSERT INTO apps AS a (id, client_id, kind, secret_hash, name, website, redirect_uris, scopes, refreshes)
            VALUES ($1, $2, $3, $4, $5, $6, $7::text[], $8, $9)
            ON CONFLICT (client_id) DO UPDATE
               SET name = excluded.name, website = excluded.website, redirect_uris = excluded.redirect_uris,
                   scopes = excluded.scopes, refreshes = excluded.refreshes
             WHERE a.kind = 'site'
            RETURNING \(appColumns)
            """, values(app, nil), decode: record)
    }

    private static func values(_ app: App, _ secretHash: [UInt8]?) -> [any ParameterConvertible] {
        [
            app.id.uuid, app.clientID, app.kind.rawValue, secretHash, app.name, app.website, app.redirectURIs,
            app.scopes.description, app.refreshes,
        ]
    }

    private static func record(_ row: borrowing ResultRow) throws(PostgresError) -> AppRecord {
        AppRecord(app: try App(row), secretHash: try row.get("secret_hash"))
    }

    /// The app whose own token this is.
    static func app(ofToken hash: [UInt8]) -> Self {
        Query(
            "app_by_own_token",
            "SELECT \(appColumns) FROM app_tokens t JOIN apps a ON a.id = t.app_id WHERE t.hash = $1", [hash],
            decode: record)
    }
}

extension Query where Row == AppGrant {
    /// The open ones, newest first.
    static func grants(of user: UserID) -> Self {
        Query(
            "app_grants",
            """
            SELECT g.id, g.scopes, g.created_at,
                   (SELECT max(t.last_used_at) FROM tokens t WHERE t.grant_id = g.id) AS last_used_at, \(appColumns)
              FROM app_grants g JOIN apps a ON a.id = g.app_id
             WHERE g.user_id = $1 AND g.opened_at IS NOT NULL
             ORDER BY g.id DESC
            """, [user.uuid]
        ) { row throws(PostgresError) in
            let id: AppGrantID = try row.id("id")
            let scopes = AppScopes(knownIn: try row.get("scopes"))
            let createdAt: Date = try row.get("created_at")
            let lastUsedAt: Date? = try row.get("last_used_at")
            return AppGrant(id: id, app: try App(row), scopes: scopes, createdAt: createdAt, lastUsedAt: lastUsedAt)
        }
    }
}

extension Query where Row == (RedeemedGrant, isGood: Bool) {
    /// Holds the consent and the code until the end of the transaction, in the order in which they are deleted. A code that was used or is
    /// older than ten minutes is not good.
    static func lockCode(_ hash: [UInt8]) -> Self {
        Query(
            "lock_authorization_code",
            """
            SELECT g.id, g.app_id, g.scopes, c.redirect_uri, c.challenge,
                   c.used_at IS NULL AND c.created_at > now() - interval '10 minutes' AS good,
                   u.id AS user_id, u.name, u.is_admin, u.created_at
              FROM authorization_codes c JOIN app_grants g ON g.id = c.grant_id JOIN users u ON u.id = g.user_id
             WHERE c.hash = $1 AND u.deleted_at IS NULL
               FOR UPDATE OF g, c
            """, [hash], decode: redeemed)
    }

    /// The same for a refresh token, which is good for 90 days.
    static func lockRefreshToken(_ hash: [UInt8]) -> Self {
        Query(
            "lock_refresh_token",
            """
            SELECT g.id, g.app_id, g.scopes, '' AS redirect_uri, NULL::bytea AS challenge,
                   r.used_at IS NULL AND r.created_at > now() - interval '90 days' AS good,
                   u.id AS user_id, u.name, u.is_admin, u.created_at
              FROM refresh_tokens r JOIN app_grants g ON g.id = r.grant_id JOIN users u ON u.id = g.user_id
             WHERE r.hash = $1 AND u.deleted_at IS NULL
               FOR UPDATE OF g, r
            """, [hash], decode: redeemed)
    }

    private static func redeemed(
        _ row: borrowing ResultRow
    ) throws(PostgresError) -> (RedeemedGrant, isGood: Bool) {
        let grant: AppGrantID = try row.id("id")
        let app: AppID = try row.id("app_id")
        let scopes = AppScopes(knownIn: try row.get("scopes"))
        let redirectURI: String = try row.get("redirect_uri")
        let challenge: [UInt8]? = try row.get("challenge")
        let isGood: Bool = try row.get("good")
        let user = User(
            id: try row.id("user_id"), name: try row.get("name"), isAdmin: try row.get("is_admin"),
            createdAt: try row.get("created_at"))
        return (
            RedeemedGrant(
                grant: grant, app: app, user: user, scopes: scopes, redirectURI: redirectURI, challenge: challenge),
            isGood
        )
    }
}

extension Query where Row == Void {
    static func insertGrant(_ grant: AppGrantID, to app: AppID, by user: UserID, _ scopes: AppScopes) -> Self {
        Query(
            "insert_app_grant", "INSERT INTO app_grants (id, app_id, user_id, scopes) VALUES ($1, $2, $3, $4)",
            [grant.uuid, app.uuid, user.uuid, scopes.description])
    }

    static func noteAllowed(_ app: AppID) -> Self {
        Query("note_app_allowed", "UPDATE apps SET allowed_at = now() WHERE id = $1", [app.uuid])
    }

    static func insertCode(_ hash: [UInt8], for grant: AppGrantID, redirectURI: String, challenge: [UInt8]?) -> Self {
        Query(
            "insert_authorization_code",
            "INSERT INTO authorization_codes (hash, grant_id, redirect_uri, challenge) VALUES ($1, $2, $3, $4)",
            [hash, grant.uuid, redirectURI, challenge])
    }

    static func useCode(_ hash: [UInt8]) -> Self {
        Query("use_authorization_code", "UPDATE authorization_codes SET used_at = now() WHERE hash = $1", [hash])
    }

    static func useRefreshToken(_ hash: [UInt8]) -> Self {
        Query("use_refresh_token", "UPDATE refresh_tokens SET used_at = now() WHERE hash = $1", [hash])
    }

    static func openGrant(_ grant: AppGrantID) -> Self {
        Query(
            "open_app_grant", "UPDATE app_grants SET opened_at = coalesce(opened_at, now()) WHERE id = $1",
            [grant.uuid])
    }

    static func insertAccessToken(_ tokens: NewAppTokens, for grant: RedeemedGrant) -> Self {
        Query(
            "insert_access_token",
            """
            INSERT INTO tokens (id, user_id, hash, name, scopes, expires_at, grant_id)
            VALUES ($1, $2, $3, '', $4, now() + $5::interval, $6)
            """,
            [
                TokenID.make().uuid, grant.user.id.uuid, tokens.access, tokens.scopes.map(\.rawValue).sorted(),
                tokens.life, grant.grant.uuid,
            ])
    }

    static func insertRefreshToken(_ hash: [UInt8], for grant: AppGrantID) -> Self {
        Query(
            "insert_refresh_token", "INSERT INTO refresh_tokens (hash, grant_id) VALUES ($1, $2)", [hash, grant.uuid])
    }

    static func deleteGrant(_ grant: AppGrantID) -> Self {
        Query("delete_app_grant", "DELETE FROM app_grants WHERE id = $1", [grant.uuid])
    }

    /// Adds a token of an app for itself; the newest ten are kept.
    static func insertOwnToken(_ hash: [UInt8], of app: AppID) -> Self {
        Query(
            "insert_app_token",
            """
            WITH surplus AS (
                DELETE FROM app_tokens WHERE hash IN
                    (SELECT hash FROM app_tokens WHERE app_id = $2 ORDER BY created_at DESC OFFSET 9))
            INSERT INTO app_tokens (hash, app_id) VALUES ($1, $2)
            """, [hash, app.uuid])
    }

    static func deleteOwnToken(_ hash: [UInt8], of app: AppID) -> Self {
        Query("delete_app_token", "DELETE FROM app_tokens WHERE hash = $1 AND app_id = $2", [hash, app.uuid])
    }

    /// Consents whose code nobody has fetched a token with.
    static func deleteUnopenedGrants() -> Self {
        Query(
            "delete_unopened_grants",
            """
            DELETE FROM app_grants
             WHERE opened_at IS NULL AND created_at < now() - interval '15 minutes'
            """)
    }

    /// Apps that nobody has let in within a day.
    static func deleteUnusedApps() -> Self {
        Query(
            "delete_unused_apps",
            """
            DELETE FROM apps WHERE id IN (
                SELECT a.id FROM apps a
                 WHERE a.allowed_at IS NULL AND a.created_at < now() - interval '1 day'
                 ORDER BY a.created_at LIMIT 1000)
            """)
    }

    /// Access tokens of apps that ended more than a day ago.
    static func deleteEndedAccessTokens() -> Self {
        Query(
            "delete_ended_access_tokens",
            "DELETE FROM tokens WHERE grant_id IS NOT NULL AND expires_at < now() - interval '1 day'")
    }

    /// The refresh tokens that nobody can use any more; of a grant without any, nothing is left.
    static func deleteOldRefreshTokens() -> Self {
        Query(
            "delete_old_refresh_tokens",
            """
            WITH old AS (
                DELETE FROM refresh_tokens WHERE created_at < now() - interval '90 days' RETURNING grant_id, hash)
            DELETE FROM app_grants g USING old
             WHERE g.id = old.grant_id
               AND NOT EXISTS (SELECT FROM refresh_tokens r
                                WHERE r.grant_id = g.id AND r.created_at >= now() - interval '90 days')
            """)
    }
}

/// A token that an app asks about, or ends.
package struct FoundAppToken: Sendable {
    package let app: AppID
    package let clientID: String
    package let appHasSecret: Bool
    package let grant: AppGrantID
    package let user: String
    package let scopes: AppScopes
    package let issuedAt: Date
    package let expiresAt: Date?
    package let isRefreshToken: Bool
}

extension Query where Row == FoundAppToken {
    static func appToken(_ hash: [UInt8]) -> Self {
        Query(
            "app_token_by_hash",
            """
            SELECT g.id, g.app_id, a.client_id, a.secret_hash IS NOT NULL AS has_secret, u.name, g.scopes, t.scopes AS rights, t.created_at, t.expires_at, t.refreshes
              FROM (SELECT grant_id, scopes, created_at, expires_at, false AS refreshes FROM tokens
                     WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
                     UNION ALL
                    SELECT grant_id, NULL, created_at, created_at + interval '90 days', true FROM refresh_tokens
                     WHERE hash = $1 AND used_at IS NULL AND created_at > now() - interval '90 days') t
              JOIN app_grants g ON g.id = t.grant_id JOIN apps a ON a.id = g.app_id JOIN users u ON u.id = g.user_id
             WHERE u.deleted_at IS NULL
            """, [hash]
        ) { row throws(PostgresError) in
            let grant: AppGrantID = try row.id("id")
            let app: AppID = try row.id("app_id")
            let clientID: String = try row.get("client_id")
            let hasSecret: Bool = try row.get("has_secret")
            let user: String = try row.get("name")
            let granted = AppScopes(knownIn: try row.get("scopes"))
            let rights: [String]? = try row.get("rights")
            let scopes = rights.map { granted.limited(to: Set($0.compactMap(Scope.init))) } ?? granted
            return FoundAppToken(
                app: app, clientID: clientID, appHasSecret: hasSecret, grant: grant, user: user, scopes: scopes,
                issuedAt: try row.get("created_at"),
                expiresAt: try row.get("expires_at"), isRefreshToken: try row.get("refreshes"))
        }
    }
}

extension Query where Row == AppID {
    /// The app that had it; no row when there is none.
    static func deleteGrant(_ grant: AppGrantID, of user: UserID) -> Self {
        Query(
            "delete_app_grant_of_user", "DELETE FROM app_grants WHERE id = $1 AND user_id = $2 RETURNING app_id",
            [grant.uuid, user.uuid]
        ) { row throws(PostgresError) in try row.id("app_id") }
    }
}

extension Query where Row == (app: AppID, user: UserID) {
    static func endGrant(_ grant: AppGrantID) -> Self {
        Query("end_app_grant", "DELETE FROM app_grants WHERE id = $1 RETURNING app_id, user_id", [grant.uuid]) {
            row throws(PostgresError) in
            (app: try row.id("app_id"), user: try row.id("user_id"))
        }
    }
}
