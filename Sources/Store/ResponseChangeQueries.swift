package import Domain
package import FoundationEssentials
import Postgres

/// A response that is new, was changed, or is gone.
package struct ChangedResponse: Sendable, Equatable {
    package let id: ResponseID
    /// By the database's clock.
    package let at: Date
    /// Nil: it is gone.
    package let response: Response?
}

/// A row of the answer to several followers: which of them it is for.
struct ChangedResponseRow: Sendable {
    let key: Int
    let response: ChangedResponse
}

private func decodeChange(_ row: borrowing ResultRow) throws(PostgresError) -> ChangedResponse {
    ChangedResponse(
        id: try row.id("id"), at: try row.get("changed_at"),
        response: try row.get("is_gone") ? nil : try decodeResponse(row))
}

extension Query where Row == ChangedResponse {
    /// The first changes of an owner's responses after `cursor` and before `horizon`, in their order.
    static func responseChanges(of owner: UserID, after cursor: ResponseCursor, before horizon: Date) -> Self {
        Query(
            "webhook_response_changes",
            """
            SELECT \(responseColumns), r.changed_at, r.gone_at IS NOT NULL AS is_gone
              FROM responses r JOIN response_authors a ON a.id = r.author_id
             WHERE r.owner_id = $1 AND r.changed_at >= $2 AND r.changed_at < $4 AND (r.changed_at, r.id) > ($2, $3)
             ORDER BY r.changed_at, r.id LIMIT 20
            """, [owner.uuid, cursor.changedAt, cursor.response.uuid, horizon], decode: decodeChange)
    }
}

extension Query where Row == ChangedResponseRow {
    /// The changes for each of `keys`, 200 at most of each.
    static func changedResponses(_ keys: [ChangeKey]) -> Self {
        Query(
            "changed_responses",
            """
            SELECT k.place, x.*
              FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS k(owner_id, since, place)
             CROSS JOIN LATERAL (
                 SELECT \(responseColumns), r.changed_at, r.gone_at IS NOT NULL AS is_gone
                   FROM responses r JOIN response_authors a ON a.id = r.author_id
                  WHERE r.owner_id = k.owner_id AND r.changed_at > k.since
                  ORDER BY r.changed_at DESC LIMIT 200) x
            """, [keys.map(\.owner.uuid), keys.map(\.since)]
        ) { row throws(PostgresError) in
            let place: Int64 = try row.get("place")
            return ChangedResponseRow(key: Int(place) - 1, response: try decodeChange(row))
        }
    }
}

/// Which change of a response a receiver has acknowledged last.
package struct ResponseCursor: Sendable, Equatable {
    package let changedAt: Date
    package let response: ResponseID

    package init(changedAt: Date, response: ResponseID) { (self.changedAt, self.response) = (changedAt, response) }
}

extension PicsStore {
    /// The first changes of responses that a receiver has not acknowledged.
    package func responseChanges(
        for turn: WebhookTurn, after cursor: ResponseCursor
    ) async throws(StoreError) -> [ChangedResponse] {
        try await rows(.responseChanges(of: turn.owner, after: cursor, before: turn.horizon))
    }
}
