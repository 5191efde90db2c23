internal import FoundationEssentials
internal import Glibc
internal import System

/// The facts of a running server in `postmaster.pid`.
///
/// Source: PostgreSQL 15, src/include/utils/pidfile.h. Line 1 is the process, 4 the port, 5 the socket folder, 8 the status.
struct PostmasterFile: Equatable {
    /// The postmaster, or what it was: the file stays behind when the postmaster is killed.
    let process: pid_t
    /// Where it listens, once it does.
    let connection: ConnectionInfo?
    /// Whether it has said that it accepts connections.
    let isReady: Bool

    /// Reads `text`, which may be only half written, or returns `nil` when not even its first line can be used. The server
    /// runs as `user`.
    init?(parsing text: String, user: String? = nil) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, let process = pid_t(first), process > 0 else { return nil }
        self.process = process
        if lines.count > 5, let port = Int(lines[3]), !lines[4].isEmpty {
            connection = ConnectionInfo(socketFolder: String(lines[4]), port: port, user: user)
        } else {
            connection = nil
        }
        isReady = lines.count > 7 && lines[7].trimmedOfSpaces == "ready"
    }

    /// The file of the cluster in `folder`, or `nil` when there is none to read.
    init?(inClusterFolder folder: String) {
        guard let text = OwnedDescriptor.text(ofFile: Self.path(inClusterFolder: folder)) else { return nil }
        // PostgreSQL serves no folder that belongs to anybody else.
        self.init(parsing: text, user: ServerUser.nameOfOwner(of: folder))
    }

    static func path(inClusterFolder folder: String) -> String { folder + "/postmaster.pid" }

    /// Whether the process exists, is a PostgreSQL server, and has not ended.
    var isAlive: Bool {
        // `12 (postgres) S …`, where Z and X are processes that have ended. Source: proc(5).
        guard let stat = OwnedDescriptor.text(ofFile: "/proc/\(process)/stat") else { return false }
        return stat.contains(" (postgres) ") && !stat.contains(") Z ") && !stat.contains(") X ")
    }

    /// Whether the process provably works in `folder`, as the server of that cluster does.
    func isAlive(inClusterFolder folder: String) -> Bool {
        guard isAlive, let works = FileIdentity(path: "/proc/\(process)/cwd") else { return false }
        return works == FileIdentity(path: folder)
    }
}

/// The identity of a file or folder, independent of its names.
struct FileIdentity: Equatable {
    let device: dev_t
    let number: ino_t

    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}
