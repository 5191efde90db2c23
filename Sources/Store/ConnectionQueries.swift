package import Domain
package import Foundation
import Postgres

/// An account that was just connected, its credentials sealed.
package struct NewConnection: Sendable {
    package let id: ConnectionID
    package let owner: UserID
    package let service: String
    package let remoteID: String
    package let account: String
    package let credentials: [UInt8]
    /// A JSON object.
    package let settings: String
    package let maximumRunning: Int
    package let gap: Duration

    package init(
        id: ConnectionID, owner: UserID, service: String, remoteID: String, account: String, credentials: [UInt8],
        settings: String, maximumRunning: Int, gap: Duration
    ) {
        self.id = id
        self.owner = owner
        self.service = service
        self.remoteID = remoteID
        self.account = account
        self.credentials = credentials
        self.settings = settings
        self.maximumRunning = maximumRunning
        self.gap = gap
    }
}

/// A connection with what its submitter needs.
package struct ConnectionRecord: Sendable {
    package let connection: Connection
    /// A JSON object.
    package let settings: String
    package let problem: String?
    package let createdAt: Date
}

extension Query where Row == UUID {
    /// Connecting an account again replaces its credentials, wakes its lane and lets its submissions go on.
    static func upsertConnection(_ new: NewConnection) -> Self {
        Query(
            "upsert_connection",
            """
            INSERT INTO connections (id, owner_id, service, remote_id, account, credentials, settings)
            VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb)
            ON CONFLICT ON CONSTRAINT connections_account_key DO UPDATE
               SET account = excluded.account, credentials = excluded.credentials,
                   settings = connections.settings || excluded.settings, settings_read_at = now(), state = 'ok',
                   problem = NULL
            RETURNING id
            """,
            [
                new.id.uuid, new.owner.uuid, new.service, new.remoteID, new.account, new.credentials, new.settings,
            ]
        ) { row throws(PostgresError) in try row.get("id") }
    }
}

extension Query where Row == Void {
    /// Replaces the bounds of a lane that is there, and lets it go on; it wakes with `wakeLane`.
    static func openLane(_ connection: UUID, service: String, maximumRunning: Int, gap: Duration) -> Self {
        Query(
            "open_lane",
            """
            INSERT INTO lanes (connection_id, service, max_running, gap)
            VALUES ($1, $2, $3, make_interval(secs => $4::float8))
            ON CONFLICT ON CONSTRAINT lanes_pkey DO UPDATE
               SET max_running = excluded.max_running, gap = excluded.gap, paused = false,
                   blocked_until = '-infinity', connected_at = clock_timestamp()
            """, [connection, service, Int32(maximumRunning), gap.seconds])
    }

    static func resumeSubmissions(of connection: UUID) -> Self {
        Query(
            "resume_submissions",
            """
            UPDATE submissions SET state = 'waiting', problem = NULL, updated_at = now()
             WHERE connection_id = $1 AND state IN ('needs_login', 'paused')
            """, [connection])
    }

    static func wakeLane(_ connection: UUID) -> Self {
        Query("wake_lane", "SELECT wake_lanes(ARRAY[$1::uuid])", [connection])
    }

    static func updateSettings(of connection: ConnectionID, to settings: String) -> Self {
        Query(
            "update_connection_settings",
            "UPDATE connections SET settings = settings || $2::text::jsonb, settings_read_at = now() WHERE id = $1",
            [connection.uuid, settings])
    }
}

extension Query where Row == ConnectionRecord {
    static func connections(of owner: UserID) -> Self {
        Query(
            "connections_of_owner",
            """
            SELECT id, owner_id, service, remote_id, account, state, settings, problem, created_at
              FROM connections WHERE owner_id = $1 AND state <> 'disabled' ORDER BY service, account
            """, [owner.uuid]
        ) { row throws(PostgresError) in
            let id: ConnectionID = try row.id("id")
            let owner: UserID = try row.id("owner_id")
            let service: String = try row.get("service")
            let remoteID: String = try row.get("remote_id")
            let account: String = try row.get("account")
            let state: Connection.State = try row.value("state") { Connection.State(rawValue: $0) }
            return ConnectionRecord(
                connection: Connection(
                    id: id, owner: owner, service: service, remoteID: remoteID, account: account, state: state),
                settings: try row.get("settings"), problem: try row.get("problem"),
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
        Query("has_connections", "SELECT EXISTS (SELECT FROM connections) AS found") { row throws(PostgresError) in
            try row.get("found")
        }
    }
}
