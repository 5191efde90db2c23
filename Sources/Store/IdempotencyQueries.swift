package import Domain
import FoundationEssentials
import Postgres

/// The response to a request with an `Idempotency-Key`, given again when the request is repeated.
package struct IdempotentResponse: Sendable, Equatable {
    package let user: UserID
    package let key: String
    /// The SHA-256 of what was asked; 32 bytes.
    package let fingerprint: [UInt8]
    package let status: Int
    /// Name, value, name, value and so on.
    package let fields: [String]
    package let body: [UInt8]

    package init(
        user: UserID, key: String, fingerprint: [UInt8], status: Int, fields: [String], body: [UInt8]
    ) {
        self.user = user
        self.key = key
        self.fingerprint = fingerprint
        self.status = status
        self.fields = fields
        self.body = body
    }
}

extension Query where Row == IdempotentResponse {
    static func savedResponse(to key: String, of user: UserID) -> Self {
        Query(
            "kept_answer",
            "SELECT fingerprint, status, fields, body FROM idempotency_keys WHERE user_id = $1 AND key = $2",
            [user.uuid, key]
        ) { row throws(PostgresError) in
            let status: Int32 = try row.get("status")
            return IdempotentResponse(
                user: user, key: key, fingerprint: try row.get("fingerprint"), status: Int(status),
                fields: try row.get("fields"), body: try row.get("body"))
        }
    }
}

extension Query where Row == Void {
    static func saveResponse(_ response: IdempotentResponse) -> Self {
        Query(
            "keep_answer",
            """
            INSERT INTO idempotency_keys (user_id, key, fingerprint, status, fields, body)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                response.user.uuid, response.key, response.fingerprint, Int32(clamping: response.status),
                response.fields,
                response.body,
            ])
    }

    static func deleteOldResponses(olderThan age: Duration) -> Self {
        Query("forget_answers", "DELETE FROM idempotency_keys WHERE created_at < now() - $1::interval", [age])
    }
}

extension PicsStore {
    /// The stored response for a key of the user's; nil when there is none.
    package func savedResponse(to key: String, of user: UserID) async throws(StoreError) -> IdempotentResponse? {
        try await first(.savedResponse(to: key, of: user))
    }

    /// Forgets the answers that are older than `age`.
    package func deleteOldResponses(olderThan age: Duration) async throws(StoreError) {
        try await execute(.deleteOldResponses(olderThan: age))
    }
}
