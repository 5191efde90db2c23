package import Domain
package import FoundationEssentials
import Postgres

/// A gate as operators see it.
package struct GateStatus: Sendable, Equatable {
    /// Whether it is tried at all: `open` after several accounts came to grief, `probing` while one job tries again.
    package enum Breaker: String, Sendable {
        case closed, open, probing
    }

    /// A service, a server that users named, or `*` before all.
    package let name: String
    package let isPaused: Bool
    package let reason: String?
    package let breaker: Breaker
    /// When something gets through again; nil: now, or not before somebody resumes it.
    package let opensAt: Date?
    package let problem: Problem?
    package let lanes: Int
    /// Accounts whose own breaker is open.
    package let lanesFailing: Int
    package let cap: Int?
    package let used: Int
}

extension Query where Row == GateStatus {
    /// All with an account behind them, `*`, and those that are paused; for an owner, those with accounts of theirs, which tell neither
    /// why they are held back nor anything of the accounts of others.
    static func gates(of owner: UserID?) -> Self {
        Query(
            "gates",
            """
            SELECT g.name, g.paused, CASE WHEN $1::uuid IS NULL THEN g.reason END AS reason,
                   CASE WHEN $1::uuid IS NULL THEN g.problem END AS problem, g.coded_problem,
                   CASE WHEN $1::uuid IS NULL THEN g.cap END AS cap, s.opens_at,
                   CASE WHEN g.failures < breaker_threshold() THEN 'closed'
                        WHEN greatest(g.open_until, g.probe_until) > now() AND g.open_until >= g.probe_until THEN 'open'
                        ELSE 'probing' END AS breaker,
                   CASE WHEN g.window_start + g.cap_window > now() THEN g.window_used ELSE 0 END AS used,
                   count(c.id) AS lanes,
                   count(c.id) FILTER (WHERE l.failures >= breaker_threshold()) AS lanes_failing
              FROM gates g JOIN gate_states s ON s.name = g.name
              LEFT JOIN lanes l ON l.gate = g.name OR g.name = '*'
              LEFT JOIN connections c ON c.id = l.connection_id AND c.state <> 'disabled'
                                     AND ($1::uuid IS NULL OR c.owner_id = $1)
             GROUP BY g.name, s.opens_at
            HAVING g.name = '*' OR count(c.id) > 0 OR g.paused AND $1::uuid IS NULL
             ORDER BY g.name
            """, [owner?.uuid]
        ) { row throws(PostgresError) in
            let opensAt: Date = try row.get("opens_at")
            let lanes: Int64 = try row.get("lanes")
            let failing: Int64 = try row.get("lanes_failing")
            let cap: Int32? = try row.get("cap")
            let used: Int32 = try row.get("used")
            return GateStatus(
                name: try row.get("name"), isPaused: try row.get("paused"), reason: try row.get("reason"),
                breaker: try row.value("breaker") { GateStatus.Breaker(rawValue: $0) },
                opensAt: opensAt < Date() || opensAt == .distantFuture ? nil : opensAt,
                problem: try row.problem(), lanes: Int(lanes), lanesFailing: Int(failing),
                cap: cap.map(Int.init), used: Int(used))
        }
    }
}

/// The bounds that a service asks for, as this version of Pics knows them.
package struct ServicePolicy: Sendable, Equatable {
    package let service: String
    package let maximumRunning: Int
    package let gap: Duration
    package let cap: StartRate?
    package let applicationCap: StartRate?

    package init(service: String, maximumRunning: Int, gap: Duration, cap: StartRate?, applicationCap: StartRate?) {
        self.service = service
        self.maximumRunning = maximumRunning
        self.gap = gap
        self.cap = cap
        self.applicationCap = applicationCap
    }
}

extension Query where Row == Void {
    /// Gives lanes and gates that are there the bounds of today. What runs already is not stopped.
    static func applyPolicy(_ policy: ServicePolicy) -> [Self] {
        [
            Query(
                "apply_lane_policy",
                """
                UPDATE lanes SET max_running = $2::int, gap = $3::interval, cap = $4::int, cap_window = $5::interval
                  FROM (SELECT connection_id FROM lanes
                         WHERE service = $1 AND (max_running, gap, cap, cap_window)
                               IS DISTINCT FROM ($2::int, $3::interval, $4::int, $5::interval)
                           AND NOT EXISTS (SELECT FROM jobs j WHERE j.connection_id = lanes.connection_id
                                              AND j.state = 'running' AND j.slot >= $2::int)
                         ORDER BY connection_id FOR NO KEY UPDATE) k
                 WHERE lanes.connection_id = k.connection_id
                """,
                [
                    policy.service, Int32(policy.maximumRunning), policy.gap, policy.cap.map { Int32($0.jobs) },
                    policy.cap?.window,
                ]),
            Query(
                "apply_gate_policy",
                """
                UPDATE gates SET cap = $2::int, cap_window = $3::interval
                 WHERE name = $1 AND (cap, cap_window) IS DISTINCT FROM ($2::int, $3::interval)
                """, [policy.service, policy.applicationCap.map { Int32($0.jobs) }, policy.applicationCap?.window]),
        ]
    }
}

extension Query where Row == Int32 {
    static func pruneAttempts(olderThan age: Duration, limit: Int) -> Self {
        Query("prune_attempts", "SELECT prune_attempts($1::interval, $2::int) AS count", [age, Int32(limit)]) {
            row throws(PostgresError) in try row.get("count")
        }
    }
}

extension PicsStore {
    /// The gates with accounts behind them, `*` and paused ones, by name; or those with accounts of one owner.
    package func gates(of owner: UserID? = nil) async throws(StoreError) -> [GateStatus] {
        try await rows(.gates(of: owner))
    }

    /// Gives lanes and gates that are there the bounds of today, and lets `sweepLanes` wake what may run more now.
    package func apply(_ policies: [ServicePolicy]) async throws(StoreError) {
        for policy in policies {
            for query in Query<Void>.applyPolicy(policy) { try await execute(query) }
        }
    }

    /// Forgets tries that are older than `age`, in bounded steps; returns how many.
    package func pruneAttempts(olderThan age: Duration, limit: Int = 10_000) async throws(StoreError) -> Int {
        Int(try await one(.pruneAttempts(olderThan: age, limit: limit)))
    }
}
