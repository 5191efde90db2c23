import Foundation
import Logging
import TestTools
import Testing

@testable import PostgresCluster

@Suite(.enabled(if: geteuid() == 0, "only root gives PostgreSQL to another user"))
@ClusterThread
struct RootTests {
    @Test(arguments: [0o711, 0o700] as [mode_t])
    func `for root the server runs as an unprivileged user, also below a folder of root alone`(mode: mode_t)
        async throws
    {
        let folder = try TemporaryFolder(mode: mode)
        let probe = try ClusterProbe(folder)
        let cluster = Cluster(dataFolder: probe.folders.data, logger: .silent)

        let connection = try await cluster.ensureRunning()

        let files = try FileManager.default.subpathsOfDirectory(atPath: probe.folders.cluster)
        let owners = try Set(files.map { try owner(of: probe.folders.cluster + "/" + $0) })
        #expect(owners.count == 1 && !owners.contains(0))
        #expect(try owner(of: "/proc/\(probe.postmaster)") != 0)
        #expect(try owner(of: probe.folders.data) == 0)
        #expect(try probe.response("CHECKPOINT; SELECT 1", at: connection).hasSuffix("1"))
        await cluster.stop()
    }

    @Test func `a copy that belongs to root is given to the server's user`() async throws {
        let folder = try TemporaryFolder()
        let probe = try ClusterProbe(folder)
        let original = Cluster(dataFolder: probe.folders.data, logger: .silent)
        _ = try await original.ensureRunning()
        await original.stop()
        _ = ChildProcess.output(of: ["chown", "-R", "0:0", probe.folders.cluster])

        let restored = Cluster(dataFolder: probe.folders.data, logger: .silent)
        let connection = try await restored.ensureRunning()

        #expect(try probe.response("SELECT 1", at: connection) == "1")
        await restored.stop()
    }

    private func owner(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.ownerAccountID] as? Int)
    }
}
