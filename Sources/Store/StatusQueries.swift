package import Domain
package import FoundationEssentials
import Postgres

/// How one service is doing, read from the tables.
package struct ServiceStatus: Sendable, Equatable {
    package let service: String
    package let accounts: Int
    package let accountsNeedingLogin: Int
    package let waiting: Int
    package let running: Int
    /// Since when the longest-waiting job has waited, a scheduled one from its time on; nil when nothing waits but what is
    /// scheduled for later.
    package let oldestWaiting: Date?
    /// Until when the most blocked lane is held back by the service; nil when none is.
    package let blockedUntil: Date?
    package let lastSuccess: Date?
    package let lastProblemAt: Date?
    package let lastProblem: Problem?
    /// Submissions by state, of all time.
    package let submissions: [String: Int]
    /// Whether `done` and `cancelled` are estimates, as they are of many submissions. The others are exact.
    package let areEstimated: Bool
}

/// Facts about the database itself.
package struct DatabaseStatus: Sendable, Equatable {
    package let version: String
    package let bytes: Int64
    /// Those that are there; an estimate of PostgreSQL's when they are many.
    package let photos: Int64
    package let users: Int64
    package let schema: Int
}

/// An attempt that went wrong lately.
package struct RecentProblem: Sendable, Equatable {
    package let at: Date
    package let service: String
    package let account: String
    package let outcome: String
    package let status: Int?
    package let problem: Problem?
}

/// How many attempts ended in one way lately.
package struct OutcomeCount: Sendable, Equatable {
    package let service: String
    /// Such as `done`, `temporary`, `lease_lapsed`.
    package let outcome: String
    package let count: Int
}

/// How the tries of an hour ended.
package struct QueueHour: Sendable, Equatable {
    package let begins: Date
    /// Of the hour; how many attempts came to each outcome.
    package let outcomes: [String: Int]
}

extension Query where Row == ServiceStatus {
    static func services(of owner: UserID?, _ counts: [StateCount], areEstimated: Bool) -> Self {
        Query(
            "service_status",
            """
            SELECT c.service, count(*) AS accounts, count(*) FILTER (WHERE c.state = 'needs_login') AS needing_login,
                   coalesce(sum(j.waiting), 0)::bigint AS waiting, coalesce(sum(j.running), 0)::bigint AS running,
                   min(j.oldest) AS oldest,
                   max(l.opens_at) FILTER (WHERE l.opens_at > now()) AS blocked_until,
                   max(good.at) AS last_success, max(bad.at) AS last_problem_at,
                   (array_agg(bad.problem ORDER BY bad.at DESC NULLS LAST))[1] AS last_problem,
                   (array_agg(bad.coded_problem ORDER BY bad.at DESC NULLS LAST))[1] AS last_coded_problem
              FROM connections c
              JOIN lane_states l ON l.connection_id = c.id
              LEFT JOIN (SELECT connection_id, count(*) FILTER (WHERE state = 'ready') AS waiting,
                                count(*) FILTER (WHERE state = 'running') AS running,
                                min(since) FILTER (WHERE state = 'ready' AND since <= now()) AS oldest
                           FROM jobs
                          -- What is scheduled waits from its time on; each is looked up by its key.
                          CROSS JOIN LATERAL (SELECT CASE WHEN priority = 0 THEN jobs.created_at ELSE (
                                                  SELECT greatest(s.created_at, s.scheduled_at) FROM submissions s
                                                   WHERE s.id = jobs.submission_id) END AS since) d
                          GROUP BY connection_id) j ON j.connection_id = c.id
              LEFT JOIN LATERAL (SELECT updated_at AS at FROM submissions
                                  WHERE connection_id = c.id AND state = 'done'
                                  ORDER BY updated_at DESC LIMIT 1) good ON true
              LEFT JOIN LATERAL (SELECT updated_at AS at, problem, coded_problem FROM submissions
                                  WHERE connection_id = c.id AND problem IS NOT NULL
                                  ORDER BY updated_at DESC LIMIT 1) bad ON true
             WHERE c.state <> 'disabled' AND ($1::uuid IS NULL OR c.owner_id = $1)
             GROUP BY c.service ORDER BY c.service
            """, [owner?.uuid]
        ) { row throws(PostgresError) in
            let service: String = try row.get("service")
            let accounts: Int64 = try row.get("accounts")
            let needingLogin: Int64 = try row.get("needing_login")
            let waiting: Int64 = try row.get("waiting")
            let running: Int64 = try row.get("running")
            let states = counts.filter { $0.service == service }.map { ($0.state, $0.count) }
            return ServiceStatus(
                service: service, accounts: Int(accounts), accountsNeedingLogin: Int(needingLogin),
                waiting: Int(waiting), running: Int(running), oldestWaiting: try row.get("oldest"),
                blockedUntil: try row.get("blocked_until"),
                lastSuccess: try row.get("last_success"), lastProblemAt: try row.get("last_problem_at"),
                lastProblem: try row.problem("last_problem", "last_coded_problem"),
                submissions: Dictionary(states, uniquingKeysWith: +),
                areEstimated: areEstimated)
        }
    }
}

extension Query where Row == DatabaseStatus {
    fileprivate static func database() -> Self {
        Query(
            "database_status",
            """
            SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
                   CASE WHEN pg_relation_size('photos') < 16777216
                        THEN (SELECT count(*) FROM photos WHERE deleted_at IS NULL)
                        ELSE (SELECT greatest(reltuples, 0)::bigint FROM pg_class
                               WHERE oid = 'photos_of_owner'::regclass) END AS photos,
                   (SELECT count(*) FROM users WHERE deleted_at IS NULL) AS users,
                   (SELECT max(version)::int FROM schema_migrations) AS schema
            """
        ) { row throws(PostgresError) in
            let version: String = try row.get("version")
            let bytes: Int64 = try row.get("bytes")
            let photos: Int64 = try row.get("photos")
            let users: Int64 = try row.get("users")
            let schema: Int32 = try row.get("schema")
            return DatabaseStatus(version: version, bytes: bytes, photos: photos, users: users, schema: Int(schema))
        }
    }
}

extension Query where Row == Int {
    fileprivate static func databaseVersion() -> Self {
        Query("database_version", "SELECT current_setting('server_version_num')::int AS version") {
            row throws(PostgresError) in Int(try row.get("version", as: Int32.self))
        }
    }
}

extension Query where Row == Int {
    /// Those that a role which is no superuser's gets.
    fileprivate static func connectionLimit() -> Self {
        Query(
            "connection_limit",
            """
            SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most
            """
        ) { row throws(PostgresError) in Int(try row.get("most", as: Int32.self)) }
    }
}

extension Query where Row == RecentProblem {
    fileprivate static func recentProblems(of owner: UserID?, limit: Int) -> Self {
        Query(
            "recent_problems",
            """
            SELECT a.ended_at, c.service, c.account, a.outcome, a.http_status, a.problem, a.coded_problem
              FROM (SELECT * FROM attempts ORDER BY ended_at DESC LIMIT 1000) a
              JOIN submissions s ON s.id = a.submission_id JOIN connections c ON c.id = s.connection_id
             WHERE a.outcome <> 'done' AND ($2::uuid IS NULL OR c.owner_id = $2)
             ORDER BY a.ended_at DESC LIMIT $1::int
            """, [Int32(limit), owner?.uuid]
        ) { row throws(PostgresError) in
            let at: Date = try row.get("ended_at")
            let service: String = try row.get("service")
            let account: String = try row.get("account")
            let outcome: String = try row.get("outcome")
            let status: Int32? = try row.get("http_status")
            return RecentProblem(
                at: at, service: service, account: account, outcome: outcome, status: status.map(Int.init),
                problem: try row.problem())
        }
    }
}

extension Query where Row == OutcomeCount {
    fileprivate static func outcomes(of owner: UserID?) -> Self {
        Query(
            "outcomes",
            """
            SELECT c.service, a.outcome, count(*) AS count
              FROM attempts a
              JOIN submissions s ON s.id = a.submission_id JOIN connections c ON c.id = s.connection_id
             WHERE a.ended_at > now() - interval '1 hour' AND ($1::uuid IS NULL OR c.owner_id = $1)
             GROUP BY c.service, a.outcome ORDER BY c.service, a.outcome
            """, [owner?.uuid]
        ) { row throws(PostgresError) in
            let count: Int64 = try row.get("count")
            return OutcomeCount(service: try row.get("service"), outcome: try row.get("outcome"), count: Int(count))
        }
    }
}

extension Query where Row == Void {
    /// Locks nothing, and is refused by a server that takes no changes: who asks this way also gives such a connection up.
    fileprivate static func ping() -> Self { Query("ping", "SELECT 1 FROM photos WHERE false FOR UPDATE") }
}

extension PicsStore {
    /// Version, size and counts.
    func databaseStatus() async throws(StoreError) -> DatabaseStatus { try await one(.database()) }

    /// The last attempts that failed, newest first; of everybody, or at the accounts of one owner.
    func recentProblems(of owner: UserID?, limit: Int) async throws(StoreError) -> [RecentProblem] {
        try await rows(.recentProblems(of: owner, limit: limit))
    }

    /// How the attempts of the last hour ended; of everybody, or at the accounts of one owner.
    func outcomes(of owner: UserID?) async throws(StoreError) -> [OutcomeCount] {
        try await rows(.outcomes(of: owner))
    }

    /// The version as a number, such as 150018 (PostgreSQL manual, `server_version_num`).
    package func databaseVersion() async throws(StoreError) -> Int { try await one(.databaseVersion()) }

    /// How many connections the server takes from all programs.
    package func connectionLimit() async throws(StoreError) -> Int { try await one(.connectionLimit()) }

    /// Whether the database takes changes. Throws when it does not answer.
    package func takesChanges() async throws(StoreError) -> Bool {
        do throws(PostgresError) {
            try await database.execute(.ping())
            return true
        } catch {
            guard error.isReadOnly else { throw StoreError(error) }
            return false
        }
    }
}
