@testable import PostgresCluster

/// Where these tests wait for other processes, so that they keep no other test waiting.
@globalActor
actor ClusterThread {
    static let shared = ClusterThread()

    private let executor = ConfinedExecutor(name: "cluster-tests")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
