package import Domain
package import FoundationEssentials
import Postgres

/// A process of this Pics as it tells of itself.
package struct NodeReport: Sendable {
    /// Of this run of the process.
    package let id: UUID
    /// HOST/PROCESS, as in its leases.
    package let name: String
    package let serves: Bool
    package let process: ProcessStatus
    /// The address of a proxy in front of it that is none of the trusted ones.
    package let unknownProxy: String?

    package init(id: UUID, name: String, serves: Bool, process: ProcessStatus, unknownProxy: String? = nil) {
        self.id = id
        self.unknownProxy = unknownProxy
        self.name = name
        self.serves = serves
        self.process = process
    }
}

/// A process of this Pics as `/status` shows it.
package struct NodeStatus: Sendable, Equatable {
    package enum State: String, Sendable {
        case running
        /// It ends, and takes nothing new.
        case draining
        /// It has not been heard of for `NodeStatus.patience` and did not say that it ends.
        case lost
    }

    /// How long a process may be silent: four reports and some.
    package static let patience = Duration.seconds(45)

    package let name: String
    package let version: String
    package let state: State
    package let serves: Bool
    package let works: Bool
    package let startedAt: Date
    package let seenAt: Date
    /// Jobs whose leases it holds.
    package let runningJobs: Int
    package let residentBytes: Int64
    package let diskFreeBytes: Int64
    package let diskTotalBytes: Int64
    package let unknownProxy: String?
    /// The connections to PostgreSQL that it opens at most; 0 when it does not say.
    package let mostConnections: Int
}

extension Query where Row == NodeStatus {
    fileprivate static func nodes() -> Self {
        Query(
            "nodes",
            """
            SELECT n.*, coalesce(j.running, 0)::int AS running_jobs,
                   CASE WHEN n.seen_at < now() - make_interval(secs => $1) THEN 'lost'
                        WHEN n.draining THEN 'draining' ELSE 'running' END AS state
              FROM nodes n
              LEFT JOIN (SELECT worker, count(*) AS running FROM jobs WHERE state = 'running' GROUP BY worker) j
                ON j.worker = n.name
             ORDER BY n.started_at, n.id LIMIT 1000
            """, [Double(NodeStatus.patience.components.seconds)]
        ) { row throws(PostgresError) in
            let state: String = try row.get("state")
            let (jobs, connections): (Int32, Int32) = (try row.get("running_jobs"), try row.get("most_connections"))
            return NodeStatus(
                name: try row.get("name"), version: try row.get("version"), state: .init(rawValue: state) ?? .lost,
                serves: try row.get("serves"), works: try row.get("works"), startedAt: try row.get("started_at"),
                seenAt: try row.get("seen_at"), runningJobs: Int(jobs), residentBytes: try row.get("resident_bytes"),
                diskFreeBytes: try row.get("disk_free_bytes"), diskTotalBytes: try row.get("disk_total_bytes"),
                unknownProxy: try row.get("unknown_proxy"), mostConnections: Int(connections))
        }
    }
}

extension Query where Row == Void {
    fileprivate static func report(_ node: NodeReport, mostConnections: Int) -> Self {
        Query(
            "report_node",
            """
            INSERT INTO nodes (id, name, version, serves, works, draining, resident_bytes, disk_free_bytes, disk_total_bytes, started_at,
                               unknown_proxy, most_connections)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (id) DO UPDATE
               SET draining = $6, resident_bytes = $7, disk_free_bytes = $8, disk_total_bytes = $9, seen_at = now(),
                   unknown_proxy = coalesce($11, nodes.unknown_proxy)
            """,
            [
                node.id, node.name, node.process.version, node.serves, node.process.isWorking, node.process.isDraining,
                node.process.residentBytes, node.process.diskFreeBytes, node.process.diskTotalBytes,
                node.process.startedAt, node.unknownProxy, mostConnections,
            ])
    }

    fileprivate static func forgetNode(_ id: UUID) -> Self {
        Query("forget_node", "DELETE FROM nodes WHERE id = $1", [id])
    }

    fileprivate static func forgetLostNodes() -> Self {
        Query("forget_lost_nodes", "DELETE FROM nodes WHERE seen_at < now() - interval '1 day'")
    }
}

extension PicsStore {
    /// Writes that a process is there, and how it is; forgets those that were lost a day ago.
    package func report(_ node: NodeReport) async throws(StoreError) {
        try await execute(.report(node, mostConnections: database.mostConnections))
        try await execute(.forgetLostNodes())
    }

    /// Removes a process that has ended.
    package func forgetNode(_ id: UUID) async throws(StoreError) { try await execute(.forgetNode(id)) }

    /// The processes, in the order of their starts.
    package func nodes() async throws(StoreError) -> [NodeStatus] { try await rows(.nodes()) }
}
