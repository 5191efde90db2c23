package import Domain
package import FoundationEssentials
import Postgres

/// An account that was just connected, its credentials sealed.
package struct NewAccount: Sendable {
    package let id: AccountID
    package let owner: UserID
    package let service: String
    package let remoteID: String
    package let account: String
    package let credentials: [UInt8]
    /// A JSON object.
    package let settings: String
    package let lane: NewLane
    /// The address of its profile picture at the service.
    package let pictureURL: String?
    /// When that picture is looked for; nil: never.
    package let pictureDueAfter: Duration?

    package init(
        id: AccountID, owner: UserID, service: String, remoteID: String, account: String, credentials: [UInt8],
        settings: String, lane: NewLane, pictureURL: String? = nil, pictureDueAfter: Duration? = nil
    ) {
        self.id = id
        self.owner = owner
        self.service = service
        self.remoteID = remoteID
        self.account = account
        self.credentials = credentials
        self.settings = settings
        self.lane = lane
        self.pictureURL = pictureURL
        self.pictureDueAfter = pictureDueAfter
    }
}

/// The bounds of an account's lane.
package struct NewLane: Sendable, Equatable {
    /// Shared with other accounts: the service's name, or that of a server.
    package let gate: String
    package let maximumRunning: Int
    package let gap: Duration
    package let cap: StartRate?

    package init(gate: String, maximumRunning: Int, gap: Duration = .zero, cap: StartRate? = nil) {
        self.gate = gate
        self.maximumRunning = maximumRunning
        self.gap = gap
        self.cap = cap
    }
}

/// How many jobs may begin in a window of time.
package struct StartRate: Sendable, Equatable {
    package let jobs: Int
    package let window: Duration

    package init(jobs: Int, window: Duration) {
        self.jobs = jobs
        self.window = window
    }
}

/// A connection with what its submitter needs.
package struct AccountRecord: Sendable {
    package let connection: Account
    /// A JSON object.
    package let settings: String
    package let problem: Problem?
    package let createdAt: Date
}

extension Query where Row == Void {
    /// Lets the accounts of a user be connected one after the other; until the end of the transaction.
    static func lockConnections(of owner: UserID) -> Self {
        Query(
            "lock_connections", "SELECT pg_advisory_xact_lock(hashtextextended('connections ' || $1::text, 0))",
            [owner.uuid])
    }
}

extension Query where Row == Bool {
    /// Whether a user may connect one more account, or has this one already. Those that are disconnected keep their row, and count less.
    static func hasRoom(for new: NewAccount, limit: Int64) -> Self {
        Query(
            "room_for_connection",
            """
            SELECT count(*) FILTER (WHERE state <> 'disabled') < $4::bigint AND count(*) < 10 * $4::bigint AS has_room
              FROM connections WHERE owner_id = $1 AND NOT (service = $2 AND remote_id = $3)
            """, [new.owner.uuid, new.service, new.remoteID, limit]
        ) { row throws(PostgresError) in try row.get("has_room") }
    }
}

extension Query where Row == UUID {
    /// Connecting an account again replaces its credentials, wakes its lane and lets its submissions go on; responses that it lacked a right
    /// to read are read the next time.
    static func upsertConnection(_ new: NewAccount) -> Self {
        Query(
            "upsert_connection",
            """
            WITH unread AS (
                UPDATE submissions s SET responses_read_at = NULL
                  FROM connections c
                 WHERE c.owner_id = $2 AND c.service = $3 AND c.remote_id = $4 AND c.reading_problem IS NOT NULL
                   AND s.connection_id = c.id
            )
            INSERT INTO connections
                (id, owner_id, service, remote_id, account, credentials, settings, picture_url, picture_due_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, now() + $9::interval)
            ON CONFLICT ON CONSTRAINT connections_account_key DO UPDATE
               SET account = excluded.account, credentials = excluded.credentials,
                   settings = connections.settings || excluded.settings, settings_read_at = now(), state = 'ok',
                   problem = NULL, coded_problem = NULL, reading_problem = NULL, credentials_no = connections.credentials_no + 1,
                   refreshing_until = '-infinity', picture_url = excluded.picture_url,
                   picture_due_at = excluded.picture_due_at, picture_failures = 0
            RETURNING id
            """,
            [
                new.id.uuid, new.owner.uuid, new.service, new.remoteID, new.account, new.credentials, new.settings,
                new.pictureURL, new.pictureDueAfter,
            ]
        ) { row throws(PostgresError) in try row.get("id") }
    }
}

extension Query where Row == Void {
    /// Replaces the bounds of a lane that is there, and lets it go on; it wakes with `wakeLane`.
    static func openLane(_ connection: UUID, service: String, _ lane: NewLane) -> Self {
        Query(
            "open_lane",
            """
            INSERT INTO lanes (connection_id, service, gate, max_running, gap, cap, cap_window)
            VALUES ($1, $2, $3, $4, make_interval(secs => $5::float8), $6::int, $7::interval)
            ON CONFLICT ON CONSTRAINT lanes_pkey DO UPDATE
               SET gate = excluded.gate, max_running = excluded.max_running, gap = excluded.gap, cap = excluded.cap,
                   cap_window = excluded.cap_window, paused = false, failures = 0, blocked_until = '-infinity',
                   connected_at = clock_timestamp(), subscribe_at = '-infinity', subscribed_until = '-infinity'
            """,
            [
                connection, service, lane.gate, Int32(lane.maximumRunning), lane.gap.seconds,
                lane.cap.map { Int32($0.jobs) }, lane.cap?.window,
            ])
    }

    static func addGate(_ name: String) -> Self { Query("add_gate", "SELECT add_gate($1)", [name]) }

    static func resumeSubmissions(of connection: UUID) -> Self {
        Query(
            "resume_submissions",
            """
            UPDATE submissions SET state = 'waiting', problem = NULL, coded_problem = NULL, updated_at = now()
             WHERE connection_id = $1 AND state IN ('needs_login', 'paused')
            """, [connection])
    }

    static func wakeLane(_ connection: UUID) -> Self {
        Query("wake_lane", "SELECT wake_lanes(ARRAY[$1::uuid])", [connection])
    }

    static func updateSettings(of connection: AccountID, to settings: String) -> Self {
        Query(
            "update_connection_settings",
            "UPDATE connections SET settings = settings || $2::text::jsonb, settings_read_at = now() WHERE id = $1",
            [connection.uuid, settings])
    }
}

extension Query where Row == AccountRecord {
    static func connections(of owner: UserID) -> Self {
        Query(
            "connections_of_owner",
            """
            SELECT id, owner_id, service, remote_id, account, state, settings, problem, coded_problem, created_at,
                   picture_version
              FROM connections WHERE owner_id = $1 AND state <> 'disabled' ORDER BY service, account
            """, [owner.uuid]
        ) { row throws(PostgresError) in
            let id: AccountID = try row.id("id")
            let owner: UserID = try row.id("owner_id")
            let service: String = try row.get("service")
            let remoteID: String = try row.get("remote_id")
            let account: String = try row.get("account")
            let state: Account.State = try row.value("state") { Account.State(rawValue: $0) }
            return AccountRecord(
                connection: Account(
                    id: id, owner: owner, service: service, remoteID: remoteID, account: account, state: state,
                    pictureVersion: try row.get("picture_version")),
                settings: try row.get("settings"), problem: try row.problem(),
                createdAt: try row.get("created_at"))
        }
    }
}

extension Duration {
    /// With fractions, as PostgreSQL's `make_interval(secs)` takes them.
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

extension Query where Row == Bool {
    static func hasConnections() -> Self {
        Query(
            "has_connections",
            """
            SELECT EXISTS (SELECT FROM connections WHERE state <> 'disabled') OR EXISTS (SELECT FROM service_keys)
                   OR EXISTS (SELECT FROM webhooks) AS found
            """
        ) { row throws(PostgresError) in try row.get("found") }
    }
}

extension Query where Row == Bool {
    static func beginRefresh(of connection: AccountID, credentialsNo: Int32, lease: Duration) -> Self {
        Query(
            "begin_refresh", "SELECT begin_refresh($1, $2, $3::interval) AS begun",
            [connection.uuid, credentialsNo, lease]
        ) { row throws(PostgresError) in try row.get("begun") }
    }

    static func endRefresh(of connection: AccountID, credentialsNo: Int32, with sealed: [UInt8]?) -> Self {
        Query("end_refresh", "SELECT end_refresh($1, $2, $3) AS ended", [connection.uuid, credentialsNo, sealed]) {
            row throws(PostgresError) in try row.get("ended")
        }
    }

    static func pauseGate(_ gate: String, _ isPaused: Bool, reason: String?) -> Self {
        Query("pause_gate", "SELECT pause_gate($1, $2, $3) AS found", [gate, isPaused, reason]) {
            row throws(PostgresError) in try row.get("found")
        }
    }
}

extension Query where Row == String? {
    static func pauseAccount(_ connection: AccountID, owner: UserID, _ isPaused: Bool) -> Self {
        Query(
            "pause_account", "SELECT pause_account($1, $2, $3)::text AS state", [connection.uuid, owner.uuid, isPaused]
        ) { row throws(PostgresError) in try row.get("state") }
    }
}
