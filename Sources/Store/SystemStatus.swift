package import Domain
package import FoundationEssentials

/// Everything `/status` tells of the database and the queue, read at one moment: of everybody, or of the accounts of one owner.
package struct SystemStatus: Sendable, Equatable {
    package let readAt: Date
    /// Nil where it is about one owner.
    package let database: DatabaseStatus?
    package let services: [ServiceStatus]
    package let problems: [RecentProblem]
    package let gates: [GateStatus]
    /// How the attempts of the last hour ended, by service.
    package let outcomes: [OutcomeCount]
    /// Nil in the status of one user.
    package let faults: BlobFaults?
    /// The processes; none in the status of one user.
    package let nodes: [NodeStatus]
    /// Of the replica; nil without one, and in the status of one user.
    package var replica: Replica.Status?
}

extension PicsStore {
    /// Reads the tables; a few statements, each bounded.
    package func systemStatus(of owner: UserID? = nil) async throws(StoreError) -> SystemStatus {
        SystemStatus(
            readAt: Date(), database: owner == nil ? try await databaseStatus() : nil,
            services: try await serviceStatus(of: owner), problems: try await recentProblems(of: owner, limit: 20),
            gates: try await gates(of: owner), outcomes: try await outcomes(of: owner),
            faults: owner == nil ? try await blobFaults() : nil, nodes: owner == nil ? try await nodes() : [],
            replica: owner == nil ? replica?.status : nil)
    }
}
