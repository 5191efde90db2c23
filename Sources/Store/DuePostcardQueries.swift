package import Domain
package import FoundationEssentials
import Postgres

/// An order whose service is to be asked now.
package struct DuePostcard: Sendable {
    package let id: PostcardID
    package let owner: UserID
    package let photo: PhotoID
    package let connection: AccountID
    package let state: Postcard.State
    /// The order with its recipient; nil once they are forgotten.
    package let sealed: [UInt8]?
    package let remoteID: String?
    /// A JSON object: the steps of earlier tries.
    package let journal: String
    /// Since when a request may have left whose answer is missing.
    package let armedAt: Date?
    package let isCancelWanted: Bool
    package let orderedAt: Date?
    /// Tries in a row that have failed before this one.
    package let failures: Int
    /// Fences every write.
    package let leaseNo: Int32

    package var isArmed: Bool { armedAt != nil }
}

/// The state of an order, and when it is looked at again.
package struct PostcardOutcome: Sendable {
    package let state: Postcard.State
    package var remoteID: String?
    package var problem: Problem?
    package var facts = Postcard.Facts()
    /// Until its service is asked again; nil: never.
    package var pause: Duration?
    /// Whether its service was asked to cancel it, and has answered.
    package var isCancelAnswered = false

    package init(_ state: Postcard.State, problem: Problem? = nil) { (self.state, self.problem) = (state, problem) }
}

extension Query where Row == DuePostcard {
    /// Takes orders that are due, one of each account whose lane is open; each is due again after five minutes, until it is ended.
    static func claimPostcards(limit: Int) -> Self {
        Query(
            "claim_postcards",
            """
            WITH due AS MATERIALIZED (
                SELECT DISTINCT ON (o.connection_id) o.id FROM print_orders o WHERE o.due_at <= now() AND o.lease_until <= now()
                 ORDER BY o.connection_id, o.due_at
            ), taken AS MATERIALIZED (
                SELECT o.id FROM print_orders o
                  JOIN due USING (id)
                  JOIN connections c ON c.id = o.connection_id AND c.state = 'ok'
                  JOIN lanes l ON l.connection_id = c.id
                  JOIN gate_states g ON g.name = l.gate
                  JOIN gate_states e ON e.name = '*'
                 WHERE o.due_at <= now() AND o.lease_until <= now() AND NOT l.paused AND l.blocked_until <= now()
                   AND greatest(g.opens_at, e.opens_at) <= now()
                 ORDER BY o.due_at LIMIT $1::int FOR NO KEY UPDATE OF o SKIP LOCKED
            )
            UPDATE print_orders o
               SET failures = o.failures + 1, lease_no = o.lease_no + 1, lease_until = now() + interval '5 minutes'
              FROM taken WHERE o.id = taken.id
            RETURNING o.id, o.owner_id, o.photo_id, o.connection_id, o.state, o.sealed, o.remote_id, o.journal::text AS journal, o.armed_at,
                      o.cancel_wanted, o.ordered_at, o.failures - 1 AS failures, o.lease_no
            """, [Int32(limit)]
        ) { row throws(PostgresError) in
            let failures: Int32 = try row.get("failures")
            return DuePostcard(
                id: try row.id("id"), owner: try row.id("owner_id"), photo: try row.id("photo_id"),
                connection: try row.id("connection_id"),
                state: try row.value("state") { Postcard.State(rawValue: $0) }, sealed: try row.get("sealed"),
                remoteID: try row.get("remote_id"), journal: try row.get("journal"), armedAt: try row.get("armed_at"),
                isCancelWanted: try row.get("cancel_wanted"), orderedAt: try row.get("ordered_at"),
                failures: Int(failures), leaseNo: try row.get("lease_no"))
        }
    }
}

extension Query where Row == Bool {
    /// Records steps of the journal (a member that is null forgets its key), and notes that a request is about to leave unless the end of the order is wanted.
    static func checkpoint(_ due: DuePostcard, journal: String, arm: Bool) -> Self {
        Query(
            "checkpoint_postcard",
            """
            UPDATE print_orders
               SET journal = (journal || $3::text::jsonb) - ARRAY(SELECT key FROM jsonb_each($3::text::jsonb) WHERE value = 'null'),
                   armed_at = CASE WHEN $4::boolean AND NOT cancel_wanted THEN coalesce(armed_at, now()) ELSE armed_at END,
                   lease_until = now() + interval '5 minutes'
             WHERE id = $1 AND lease_no = $2::int AND state = 'waiting'
            RETURNING cancel_wanted
            """, [due.id.uuid, due.leaseNo, journal, arm]
        ) { row throws(PostgresError) in try row.get("cancel_wanted") }
    }
}

extension Query where Row == Void {
    /// Writes what has become of an order. One whose end was asked for meanwhile is due at once.
    static func settle(_ due: DuePostcard, _ outcome: PostcardOutcome) -> Self {
        Query(
            "settle_postcard",
            """
            UPDATE print_orders
               SET state = $3::text, state_at = CASE WHEN state <> $3::text THEN now() ELSE state_at END, remote_id = coalesce($4::text, remote_id),
                   ordered_at = CASE WHEN coalesce($4::text, remote_id) IS NOT NULL THEN coalesce(ordered_at, now()) END,
                   -- That it could not be cancelled is told for as long as that is so.
                   coded_problem = coalesce($5::text::jsonb, CASE WHEN state = $3::text AND coded_problem ->> 'code' = 'too_late_to_cancel'
                                                                  THEN coded_problem END),
                   cancel_wanted = cancel_wanted AND NOT $6::boolean AND $7::interval IS NOT NULL,
                   due_at = CASE WHEN cancel_wanted AND NOT $6::boolean AND $7::interval IS NOT NULL THEN now() ELSE now() + $7::interval END,
                   is_cancellable = $8::boolean, cancellable_until = coalesce($9::timestamptz, cancellable_until),
                   expected_on = coalesce($10::text::date, expected_on), tracking_url = coalesce($11::text, tracking_url),
                   preview_url = coalesce($12::text, preview_url), action_url = $13::text,
                   armed_at = NULL, failures = 0, lease_until = '-infinity', updated_at = now()
             WHERE id = $1 AND lease_no = $2::int
            """,
            [
                due.id.uuid, due.leaseNo, outcome.state.rawValue, outcome.remoteID, outcome.problem?.stored,
                outcome.isCancelAnswered, outcome.pause, outcome.facts.isCancellable, outcome.facts.cancellableUntil,
                outcome.facts.expectedOn, outcome.facts.trackingURL, outcome.facts.previewURL, outcome.facts.actionURL,
            ])
    }

    /// It is tried again. One whose end was asked for meanwhile is due at once.
    static func postpone(
        _ due: DuePostcard, by pause: Duration, isArmed: Bool, problem: Problem?, counts: Bool
    ) -> Self {
        Query(
            "postpone_postcard",
            """
            UPDATE print_orders
               SET armed_at = CASE WHEN $4::boolean THEN coalesce(armed_at, now()) END,
                   due_at = CASE WHEN cancel_wanted AND NOT $7::boolean THEN now() ELSE now() + $3::interval END,
                   coded_problem = coalesce($5::text::jsonb, coded_problem), failures = CASE WHEN $6::boolean THEN failures ELSE failures - 1 END,
                   lease_until = '-infinity'
             WHERE id = $1 AND lease_no = $2::int
            """, [due.id.uuid, due.leaseNo, pause, isArmed, problem?.stored, counts, due.isCancelWanted])
    }
}

extension PicsStore {
    /// Orders to be worked on now, one of each account. Each comes again after five minutes, until it is ended.
    package func claimPostcards(limit: Int) async throws(StoreError) -> [DuePostcard] {
        try await rows(.claimPostcards(limit: limit))
    }

    /// Records steps of the journal, and with `arm` that a request is about to leave.
    ///
    /// - Returns: Whether the end of the order is wanted: then it was not armed. Nil when it is another's by now, or has ended.
    package func checkpoint(_ due: DuePostcard, journal: String, arm: Bool) async throws(StoreError) -> Bool? {
        try await first(.checkpoint(due, journal: journal, arm: arm))
    }

    /// Writes what has become of an order; false when it is another's by now.
    @discardableResult
    package func settle(_ due: DuePostcard, _ outcome: PostcardOutcome) async throws(StoreError) -> Bool {
        try await execute(.settle(due, outcome)) == 1
    }

    /// It is tried again after a pause. One that does not count leaves the tries that have failed as they were.
    package func postpone(
        _ due: DuePostcard, by pause: Duration, isArmed: Bool, problem: Problem? = nil, counts: Bool = true
    ) async throws(StoreError) {
        try await execute(.postpone(due, by: pause, isArmed: isArmed, problem: problem, counts: counts))
    }
}
