package import Domain
package import FoundationEssentials
import Postgres

/// Which changes somebody follows: an owner's, since a time of the database's clock.
package struct ChangeKey: Sendable, Hashable {
    package let owner: UserID
    package let since: Date

    package init(owner: UserID, since: Date) {
        self.owner = owner
        self.since = since
    }
}

/// An owner's submissions that have changed, or run, and the photos whose pictures have come to another state.
package struct Changes: Sendable {
    package var submissions: [Submission] = []
    package var photos: [ProcessedPhoto] = []
    /// What has come back, was changed, or is gone.
    package var responses: [ChangedResponse] = []
    /// All changes until then were told, by the database's clock.
    package let settledAt: Date
}

/// One attempt of a submission, as its owner sees it.
package struct Attempt: Sendable, Equatable {
    package let startedAt: Date
    package let endedAt: Date
    /// A word that sorts it, such as `done`, `temporary`, `limited_account`.
    package let outcome: String
    package let status: Int?
    package let problem: Problem?
    /// The service's own text, for operators.
    package let detail: String?
}

/// A row of the answer to several followers: which of them it is for, and one submission of it.
struct ChangeRow: Sendable {
    let key: Int
    let submission: Submission
}

/// The start of the oldest transaction that may still write, and a second before now for those that are just beginning: a statement that begins
/// later sees every change with an earlier time.
///
/// A change has the time at which its transaction began, and a commit may take as long as a standby is cut off. An idle transaction of two
/// minutes is none of ours, and one without a number has written nothing, like a dump's.
let settledTimeSQL = """
    (SELECT least(min(xact_start), now() - interval '1 s') FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
        AND (xact_start > now() - interval '2 min' OR (state = 'active' AND backend_xid IS NOT NULL)))
    """

extension Query where Row == Date {
    /// Run before what it is about.
    static var settledTime: Self {
        Query("settled_time", "SELECT \(settledTimeSQL) AS settled_at") { row throws(PostgresError) in
            try row.get("settled_at")
        }
    }
}

extension Query where Row == ChangeRow {
    /// The changes for each of `keys`.
    static func changes(_ keys: [ChangeKey]) -> Self {
        Query(
            "changes",
            """
            SELECT k.place, s.*
              FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS k(owner_id, since, place)
             CROSS JOIN LATERAL (
                  \(select)
                   WHERE s.id IN (SELECT x.id FROM connections o
                                   CROSS JOIN LATERAL (SELECT id FROM submissions
                                                        WHERE connection_id = o.id AND updated_at > k.since
                                                        ORDER BY updated_at DESC LIMIT 500) x
                                   WHERE o.owner_id = k.owner_id
                                   UNION ALL
                                  SELECT r.submission_id FROM connections o JOIN jobs r ON r.connection_id = o.id
                                   WHERE o.owner_id = k.owner_id AND r.state = 'running')
              ) s
            """, [keys.map(\.owner.uuid), keys.map(\.since)]
        ) { row throws(PostgresError) in
            let place: Int64 = try row.get("place")
            return ChangeRow(key: Int(place) - 1, submission: try Query<Submission>.submission(row))
        }
    }

    private static var select: String { Query<Submission>.select }
}

extension Query where Row == Submission {
    /// The owner's submissions that have not ended, newest first.
    static func openSubmissions(of owner: UserID, limit: Int) -> Self {
        Query(
            "open_submissions",
            """
            \(select)
             WHERE c.owner_id = $1 AND s.state IN ('waiting', 'paused', 'needs_login')
             ORDER BY s.updated_at DESC LIMIT $2::int
            """, [owner.uuid, Int32(limit)], decode: submission)
    }
}

extension Query where Row == Attempt {
    /// The newest tries of a submission, oldest first.
    static func attempts(of submission: SubmissionID, limit: Int) -> Self {
        Query(
            "attempts",
            """
            SELECT * FROM (SELECT * FROM attempts WHERE submission_id = $1 ORDER BY id DESC LIMIT $2::int) newest
             ORDER BY id
            """, [submission.uuid, Int32(limit)]
        ) { row throws(PostgresError) in
            let status: Int32? = try row.get("http_status")
            return Attempt(
                startedAt: try row.get("started_at"), endedAt: try row.get("ended_at"),
                outcome: try row.get("outcome"), status: status.map(Int.init), problem: try row.problem(),
                detail: try row.get("detail"))
        }
    }
}

extension PicsStore {
    /// The changes for one user, read together with those of others.
    package func changes(_ key: ChangeKey) async throws(StoreError) -> Changes {
        guard let changes = try await changes.value(for: key) else { throw .unavailable }
        return changes
    }

    /// The owner's submissions that have not ended, newest first.
    package func openSubmissions(of owner: UserID, limit: Int = 500) async throws(StoreError) -> [Submission] {
        try await rows(.openSubmissions(of: owner, limit: limit))
    }

    /// The newest tries of a submission, oldest first.
    package func attempts(of submission: SubmissionID, limit: Int = 100) async throws(StoreError) -> [Attempt] {
        try await rows(.attempts(of: submission, limit: limit))
    }
}
