internal import Postgres

/// The transactions whose changes statements of one moment see. While two reads of the snapshot are equal, everything that was read between them
/// would be read again after them: no transaction that has changed something ended meanwhile.
///
/// It is the text of `pg_current_snapshot()`, and the start of the server, which another one after a failover
/// does not share. A server that follows another does not tell them: there no two are equal.
package struct DatabaseSnapshot: Hashable, Sendable {
    private let text: String

    package init(_ text: String) { self.text = text }
}

extension Query where Row == DatabaseSnapshot {
    static var snapshot: Self {
        Query(
            "snapshot",
            """
            SELECT concat_ws(' ', pg_current_snapshot(), pg_postmaster_start_time(),
                             CASE WHEN pg_is_in_recovery() THEN clock_timestamp() END) AS snapshot
            """
        ) { row throws(PostgresError) in DatabaseSnapshot(try row.get("snapshot")) }
    }
}

extension PicsStore {
    /// The snapshot of a moment after the call, of the primary server. Those who ask at once share one statement.
    package func snapshot() async throws(StoreError) -> DatabaseSnapshot {
        guard let snapshot = try await snapshots.value(for: .shared) else { throw .unavailable }
        return snapshot
    }
}

/// The key of what is the same for all who ask.
enum SharedKey: Hashable, Sendable { case shared }
