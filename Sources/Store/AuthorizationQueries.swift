package import Domain
package import FoundationEssentials
import Postgres

/// A connection that was begun in a browser.
package struct NewAuthorization: Sendable {
    package let id: AuthorizationID
    /// SHA-256 of what the browser brings back.
    package let stateHash: [UInt8]
    package let user: UserID
    package let service: String
    /// SHA-256 of the browser's cookie; nil when no browser of a session began it.
    package let browserHash: [UInt8]?
    /// The state that the end of the authorization needs.
    package let sealed: [UInt8]
    package let createdAt: Date
    package let expiresAt: Date

    package init(
        id: AuthorizationID, stateHash: [UInt8], user: UserID, service: String, browserHash: [UInt8]?,
        sealed: [UInt8], createdAt: Date, expiresAt: Date
    ) {
        self.id = id
        self.stateHash = stateHash
        self.user = user
        self.service = service
        self.browserHash = browserHash
        self.sealed = sealed
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// One that was taken: nobody can take it again.
package struct ClaimedAuthorization: Sendable {
    package let id: AuthorizationID
    package let user: UserID
    package let service: String
    package let browserHash: [UInt8]?
    package let sealed: [UInt8]
    package let expiresAt: Date
}

/// How far one is.
package struct AuthorizationProgress: Sendable, Equatable {
    package let isTaken: Bool
    /// The account that came of it.
    package let connection: AccountID?
    /// Why it came to nothing.
    package let problem: Problem?
}

extension Query where Row == Bool {
    /// No row when the user has begun too many.
    static func addAuthorization(_ new: NewAuthorization, limit: Int) -> Self {
        Query(
            "add_authorization",
            """
            INSERT INTO authorizations (id, state_hash, user_id, service, browser_hash, sealed, created_at, expires_at)
            SELECT $1, $2, $3, $4, $5, $6, $7, $8
             WHERE (SELECT count(*) FROM authorizations
                     WHERE user_id = $3 AND taken_at IS NULL AND expires_at > $7) < $9
            RETURNING true AS added
            """,
            [
                new.id.uuid, new.stateHash, new.user.uuid, new.service, new.browserHash, new.sealed, new.createdAt,
                new.expiresAt, Int64(limit),
            ]
        ) { row throws(PostgresError) in try row.get("added") }
    }

    static func hasAuthorization(stateHash: [UInt8]) -> Self {
        Query(
            "has_authorization", "SELECT EXISTS (SELECT FROM authorizations WHERE state_hash = $1) AS found",
            [stateHash]
        ) { row throws(PostgresError) in try row.get("found") }
    }
}

extension Query where Row == ClaimedAuthorization {
    /// No row when there is none, when it was taken before, or when it is another user's than `user`.
    static func claimAuthorization(stateHash: [UInt8], user: UserID?) -> Self {
        Query(
            "take_authorization",
            """
            UPDATE authorizations a SET taken_at = now(), sealed = NULL
              FROM (SELECT id, sealed FROM authorizations
                     WHERE state_hash = $1 AND taken_at IS NULL AND claim_hash IS NULL AND user_id = coalesce($2::uuid, user_id)
                       FOR UPDATE) was
             WHERE a.id = was.id
            RETURNING a.id, a.user_id, a.service, a.browser_hash, was.sealed, a.expires_at
            """, [stateHash, user?.uuid], decode: taken)
    }

    /// No row when there is none of this user that waits for this code.
    static func claimAuthorization(_ id: AuthorizationID, claimHash: [UInt8], user: UserID) -> Self {
        Query(
            "claim_authorization",
            """
            UPDATE authorizations a SET taken_at = now(), sealed = NULL
              FROM (SELECT id, sealed FROM authorizations
                     WHERE id = $1 AND user_id = $2 AND claim_hash = $3 AND taken_at IS NULL FOR UPDATE) was
             WHERE a.id = was.id
            RETURNING a.id, a.user_id, a.service, a.browser_hash, was.sealed, a.expires_at
            """, [id.uuid, user.uuid, claimHash], decode: taken)
    }

    private static func taken(_ row: borrowing ResultRow) throws(PostgresError) -> ClaimedAuthorization {
        let id: AuthorizationID = try row.id("id")
        let user: UserID = try row.id("user_id")
        return ClaimedAuthorization(
            id: id, user: user, service: try row.get("service"), browserHash: try row.get("browser_hash"),
            sealed: try row.get("sealed"), expiresAt: try row.get("expires_at"))
    }
}

extension Query where Row == AuthorizationProgress {
    static func authorization(_ id: AuthorizationID, user: UserID) -> Self {
        Query(
            "authorization",
            """
            SELECT taken_at IS NOT NULL AS is_taken, connection_id, problem, coded_problem
              FROM authorizations WHERE id = $1 AND user_id = $2
            """, [id.uuid, user.uuid]
        ) { row throws(PostgresError) in
            let isTaken: Bool = try row.get("is_taken")
            let connection: UUID? = try row.get("connection_id")
            return AuthorizationProgress(
                isTaken: isTaken, connection: connection.map(AccountID.init), problem: try row.problem())
        }
    }
}

extension Query where Row == Void {
    static func endAuthorization(_ id: AuthorizationID, connection: AccountID?, problem: Problem?) -> Self {
        Query(
            "end_authorization",
            "UPDATE authorizations SET connection_id = $2, problem = $3, coded_problem = $4::text::jsonb WHERE id = $1",
            [id.uuid, connection?.uuid, problem?.text, problem?.stored])
    }

    /// One that was taken waits for its app.
    static func holdAuthorization(_ id: AuthorizationID, claimHash: [UInt8], sealed: [UInt8]) -> Self {
        Query(
            "hold_authorization",
            "UPDATE authorizations SET taken_at = NULL, claim_hash = $2, sealed = $3 WHERE id = $1",
            [id.uuid, claimHash, sealed])
    }

    static func pruneAuthorizations(before time: Date) -> Self {
        Query("prune_authorizations", "DELETE FROM authorizations WHERE expires_at < $1", [time])
    }
}
