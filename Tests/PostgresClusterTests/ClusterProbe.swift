import Foundation
import System
import TestTools

@testable import PostgresCluster

/// Looks at a cluster from outside, as another program would.
struct ClusterProbe {
    let folders: ClusterFolders

    init(_ folder: TemporaryFolder) throws {
        folders = try ClusterFolders(dataFolder: folder.path + "/data")
        // Ready-made and open to others, as an operator may make it.
        chmod(folders.data, 0o711)
    }

    /// The postmaster's process, 0 when there is none.
    var postmaster: pid_t { PostmasterFile(inClusterFolder: folders.cluster)?.process ?? 0 }

    /// The output of psql for a statement.
    func response(_ statement: String, at connection: ConnectionInfo) throws -> String {
        let psql = try Installation.find(for: nil, in: "").programs + "/psql"
        let output = ChildProcess.output(of: [psql, "-X", "-At", "-d", connection.conninfo, "-c", statement])
        return output?.trimmingCharacters(in: .newlines) ?? "no answer"
    }

    /// Returns when no process of the cluster lives.
    func waitForEnd() throws {
        let lock = try OwnedDescriptor(opening: folders.lock, O_RDWR | O_CREAT)
        flock(lock.number, LOCK_EX)
    }

    /// A server that runs as if another process were in charge of it; it stops when the guardian goes out of scope.
    func startUnattended() throws -> Supervisor {
        let lock = try OwnedDescriptor(opening: folders.lock, O_RDWR | O_CREAT)
        guard try lock.lock() else { throw PostgresClusterError.notReady("there is a server") }
        let user = try ServerUser.choose(forClusterFolder: folders.cluster)
        let server = ClusterServer(
            folders: folders, user: user, installation: try Installation.find(for: nil, in: ""),
            canEnter: user.canEnter(folders.data))
        try server.create(lock)
        return try server.start(lock)
    }

    /// Keeps a descriptor open in another process, which is returned.
    func holder(of descriptor: Int32) throws -> ChildProcess {
        let null = try OwnedDescriptor(opening: "/dev/null", O_RDWR)
        return try ChildProcess(
            ["sleep", "infinity"], descriptors: [null.number, null.number, null.number, descriptor])
    }
}
