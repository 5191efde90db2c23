internal import Foundation

/// The files and folders of a cluster, all in one data folder.
struct ClusterFolders: Equatable {
    /// The data folder: absolute and without links, so that every process names it alike.
    let data: String
    /// PostgreSQL's own folder, which appears only when it is complete.
    var cluster: String { data + "/postgres" }
    /// Where a cluster grows until it is complete.
    var unfinished: String { data + "/postgres.new" }
    /// Locked by the process that is in charge of the cluster.
    var charge: String { data + "/postgres.owner" }
    /// Locked while any process of the cluster lives.
    var lock: String { data + "/postgres.lock" }
    var log: ServerLog { ServerLog(path: data + "/postgres.log") }

    /// Finds the data folder, and makes it if it is missing.
    init(dataFolder: String) throws(PostgresClusterError) {
        do {
            try FileManager.default.createDirectory(
                atPath: dataFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .refused("cannot make the data folder \(dataFolder): \(error.localizedDescription)")
        }
        guard let absolute = realpath(dataFolder, nil) else {
            throw .refused("cannot open the data folder \(dataFolder): \(String(cString: strerror(errno)))")
        }
        defer { free(absolute) }
        data = String(cString: absolute)
    }
}
