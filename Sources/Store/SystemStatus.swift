package import Foundation

/// Everything `/status` tells of the database and the queue, read at one moment.
package struct SystemStatus: Sendable, Equatable {
    package let readAt: Date
    package let database: DatabaseStatus
    package let services: [ServiceStatus]
    package let problems: [RecentProblem]
    package let gates: [GateStatus]
    /// How the tries of the last hour ended, by service.
    package let outcomes: [OutcomeCount]
    package let faults: BlobFaults
}

extension Store {
    /// Reads the tables; a few statements, each bounded.
    package func systemStatus() async throws(StoreError) -> SystemStatus {
        SystemStatus(
            readAt: Date(), database: try await databaseStatus(), services: try await serviceStatus(),
            problems: try await recentProblems(limit: 20), gates: try await gates(), outcomes: try await outcomes(),
            faults: try await blobFaults())
    }
}
