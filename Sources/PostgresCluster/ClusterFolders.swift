internal import FoundationEssentials
internal import Glibc
internal import System

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
            throw .refused("cannot make the data folder \(dataFolder): \(error.fileReason)")
        }
        guard let absolute = realpath(dataFolder, nil) else {
            throw .refused("cannot open the data folder \(dataFolder): \(String(cString: strerror(errno)))")
        }
        defer { free(absolute) }
        data = String(cString: absolute)
    }

    /// The space of a new cluster, in bytes, with some room to begin.
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

/// The folder of the cluster's socket.
///
/// A socket's path has at most 107 bytes (unix(7), `sun_path` with its final zero), and libpq and PostgreSQL both give a
/// meaning to some characters of it. Hence the folder is `run` in the data folder if its path is short and plain, else one with a
/// short name that follows from the data folder's.
struct SocketFolder {
    static let longestPath = 107
    private static let socketName = "/.s.PGSQL.5432"

    let path: String

    /// The folder for the cluster in `dataFolder`, an absolute path without links, which the server may be unable to enter.
    init(dataFolder: String, canEnter: Bool) {
        let inside = dataFolder + "/run"
        if canEnter, Self.isPlain(inside), inside.utf8.count + Self.socketName.utf8.count <= Self.longestPath {
            path = inside
        } else {
            // Not XDG_RUNTIME_DIR: it goes away when its user logs out, and the server may stay.
            let user = geteuid()
            path = (user == 0 ? "/run/pics-" : "/tmp/pics-\(user)-") + Self.hash(of: dataFolder)
        }
    }

    private static func isPlain(_ path: String) -> Bool {
        path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    /// FNV-1a with 64 bits, as 16 digits: the same in every process, which Swift's own hashes are not.
    private static func hash(of text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The address of the cluster, in libpq's form.
package struct ConnectionInfo: Sendable, Equatable, CustomStringConvertible {
    /// Keywords and values like `host=/var/lib/pics/run port=5432 user=pics dbname=pics`.
    ///
    /// Only a user's name needs quotes: a socket folder has a plain path. Source: PostgreSQL 15 manual, section 34.1.1.
    package let conninfo: String

    /// `user` is the system's name of the user that the server runs as, if that user has one: another process that listens there gets
    /// nothing (`requirepeer`).
    init(socketFolder: String, port: Int, user: String? = nil) {
        let place = "host=\(socketFolder) port=\(port) user=\(ClusterCreation.name) dbname=\(ClusterCreation.name)"
        conninfo = place + (user.map { " requirepeer=\(Self.quoted($0))" } ?? "")
    }

    private static func quoted(_ value: String) -> String {
        "'\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }

    package var description: String { conninfo }
}
