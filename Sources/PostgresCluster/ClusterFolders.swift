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

    /// What a new cluster takes, with some room to begin.
    static let roomForCluster: UInt64 = 96 << 20
    /// Without it not even a log could be written.
    static let roomForStart: UInt64 = 1 << 20

    /// Refuses a disk with less room than `bytes`: PostgreSQL could not even write down why it does not start.
    func demandRoom(_ bytes: UInt64) throws(PostgresClusterError) {
        var disk = statvfs()
        // Where that fails, what is tried next says why.
        guard statvfs(data, &disk) == 0 else { return }
        guard disk.f_flag & UInt(ST_RDONLY) == 0 else { throw .refused("the disk of \(data) is read-only") }
        let free = UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
        guard free >= bytes else {
            throw .refused(
                "the disk of \(data) is full: \(free >> 20) MiB are free, PostgreSQL needs \(bytes >> 20) MiB to start")
        }
        // Some file systems, such as btrfs, count none.
        guard disk.f_files == 0 || disk.f_favail > 0 else {
            throw .refused("the disk of \(data) is full: it has no room for another file")
        }
    }
}
