package import Domain
import FoundationEssentials
import Postgres

/// How many submissions of a service are in a state.
struct StateCount: Sendable {
    let service: String
    let state: String
    let count: Int
}

/// Submissions are kept for ever, so counting all of them costs more each year. What has not come to its end, and what was
/// refused, is counted from an index that holds nothing else. What is done or cancelled is counted too as long as the table
/// is small, and estimated from a part of its pages later.
extension Query where Row == StateCount {
    static func openSubmissions(of owner: UserID?) -> Self {
        Query(
            "open_submission_counts",
            """
            SELECT c.service, CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
                                   ELSE s.state::text END AS state, count(*) AS count
              FROM submissions s JOIN connections c ON c.id = s.connection_id
              LEFT JOIN jobs j ON j.submission_id = s.id
             WHERE s.state NOT IN ('done', 'cancelled') AND ($1::uuid IS NULL OR c.owner_id = $1) GROUP BY 1, 2
            """, [owner?.uuid], decode: count)
    }

    /// Counted in `share` percent of the pages; at 100 the numbers are exact.
    static func endedSubmissions(share: Double) -> Self {
        Query(
            "ended_submission_counts",
            """
            SELECT c.service, s.state, round(s.count * 100 / $1::real)::bigint AS count
              FROM (SELECT connection_id, state::text AS state, count(*) AS count
                      FROM submissions TABLESAMPLE SYSTEM ($1::real)
                     WHERE state IN ('done', 'cancelled') GROUP BY 1, 2) s
              JOIN connections c ON c.id = s.connection_id
            """, [share], decode: count)
    }

    /// Those of one owner, exactly.
    static func endedSubmissions(of owner: UserID) -> Self {
        Query(
            "ended_submission_counts_of_owner",
            """
            SELECT c.service, s.state::text AS state, count(*) AS count
              FROM connections c JOIN submissions s ON s.connection_id = c.id
             WHERE c.owner_id = $1 AND s.state IN ('done', 'cancelled') GROUP BY 1, 2
            """, [owner.uuid], decode: count)
    }

    private static func count(_ row: borrowing ResultRow) throws(PostgresError) -> StateCount {
        let count: Int64 = try row.get("count")
        return StateCount(service: try row.get("service"), state: try row.get("state"), count: Int(count))
    }
}

extension Query where Row == Double {
    /// The percentage of the table's pages that 1,000 pages are; 100 for a small table.
    static func countedShare() -> Self {
        Query(
            "counted_share",
            """
            SELECT least(100, 100.0 * 1000 * current_setting('block_size')::bigint
                              / greatest(pg_relation_size('submissions'), 1))::float8 AS share
            """
        ) { row throws(PostgresError) in try row.get("share") }
    }
}

extension Query where Row == QueueHour {
    /// The tries by the hour, from the index alone, of the present hour and so many before it.
    static func history(hours: Int) -> Self {
        Query(
            "queue_history",
            """
            SELECT hour, array_agg(outcome) AS outcomes, array_agg(tries) AS tries
              FROM (SELECT date_trunc('hour', ended_at, 'UTC') AS hour, outcome, count(*) AS tries FROM attempts
                     WHERE ended_at >= date_trunc('hour', now(), 'UTC') - make_interval(hours => $1::int)
                     GROUP BY 1, 2) t
             GROUP BY hour ORDER BY hour
            """, [hours]
        ) { row throws(PostgresError) in
            let outcomes: [String] = try row.get("outcomes")
            let tries: [Int64] = try row.get("tries")
            return QueueHour(
                begins: try row.get("hour"),
                outcomes: Dictionary(zip(outcomes, tries.map { Int($0) }), uniquingKeysWith: +))
        }
    }
}

extension PicsStore {
    /// How every service with an account is doing; or with accounts of one owner, as far as those tell.
    package func serviceStatus(of owner: UserID? = nil) async throws(StoreError) -> [ServiceStatus] {
        if let owner {
            let (open, ended) = try await mappingErrors { () async throws(PostgresError) in
                try await database.run(.openSubmissions(of: owner), .endedSubmissions(of: owner))
            }
            return try await rows(.services(of: owner, open + ended, areEstimated: false))
        }
        let share = try await one(.countedShare())
        let (open, ended) = try await mappingErrors { () async throws(PostgresError) in
            try await database.run(.openSubmissions(of: nil), .endedSubmissions(share: share))
        }
        return try await rows(.services(of: nil, open + ended, areEstimated: share < 100))
    }

    /// How the tries of the present hour and of some hours before it ended, oldest first; hours without any are left out.
    package func queueHistory(hours: Int = 23) async throws(StoreError) -> [QueueHour] {
        try await rows(.history(hours: hours))
    }

    /// Submissions that may need a decision: refused, perhaps published, or waiting for their account; newest first.
    package func troubledSubmissions(limit: Int) async throws(StoreError) -> [OperatorSubmission] {
        try await rows(.troubledSubmissions(limit: limit))
    }
}
