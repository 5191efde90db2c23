internal import FoundationEssentials
internal import Glibc
internal import System

/// Everything decided that it takes to create and to start a server.
struct ClusterServer {
    let folders: ClusterFolders
    let user: ServerUser
    let installation: Installation
    /// Whether the server's user can reach the data folder by its path.
    let canEnter: Bool

    /// Makes the cluster beside its place and moves it there when it is complete.
    func create(_ lock: borrowing OwnedDescriptor) throws(PostgresClusterError) {
        do {
            if access(folders.unfinished, F_OK) == 0 { try FileManager.default.removeItem(atPath: folders.unfinished) }
        } catch {
            throw .refused("cannot remove \(folders.unfinished): \(error.fileReason)")
        }
        try user.own(folders.unfinished)

        let logStart = folders.log.size
        let null = try OwnedDescriptor(opening: "/dev/null", O_RDONLY)
        let output = try folders.log.open()
        let door = try OwnedDescriptor(opening: folders.unfinished, O_RDONLY | O_DIRECTORY)
        let child = try ChildProcess(
            user.prefix + ClusterCreation.command(installation, target: path(of: folders.unfinished)),
            descriptors: [null.number, output.number, output.number, lock.number, door.number])
        var status = child.exitStatus()
        while status == nil {
            if Task.isCancelled {
                child.terminate()
                _ = child.waitForExit()
                throw .cancelled
            }
            Cluster.pause()
            status = child.exitStatus()
        }
        guard status == 0 else {
            throw .failed("initdb did not make a cluster", log: folders.log.lastLines(after: logStart))
        }

        let parent = try OwnedDescriptor(opening: folders.data, O_RDONLY | O_DIRECTORY)
        guard rename(folders.unfinished, folders.cluster) == 0, fsync(parent.number) == 0 else {
            throw .refused("cannot move the new cluster to \(folders.cluster): \(String(cString: strerror(errno)))")
        }
    }

    /// Starts the server with the settings that must hold whatever its configuration says.
    func start(_ lock: borrowing OwnedDescriptor) throws(PostgresClusterError) -> Supervisor {
        guard access(folders.cluster + "/PG_VERSION", F_OK) == 0 else {
            throw .refused("\(folders.cluster) is no PostgreSQL cluster: move it away")
        }
        let socket = SocketFolder(dataFolder: folders.data, canEnter: canEnter)
        try user.own(socket.path)
        let door = try OwnedDescriptor(opening: folders.cluster, O_RDONLY | O_DIRECTORY)
        let settings = [
            "listen_addresses=", "port=5432", "unix_socket_directories=\(socket.path)", "unix_socket_permissions=0700",
            "fsync=on", "full_page_writes=on", "synchronous_commit=on", "logging_collector=off",
        ]
        let command =
            user.prefix + [installation.programs + "/postgres", "-D", path(of: folders.cluster)]
            + settings.flatMap { ["-c", $0] }
        return try Supervisor(command, socketFolder: socket.path, lock: lock, door: door, log: folders.log)
    }

    /// How the server names the folder it gets as descriptor 4.
    ///
    /// Below a folder that only root may enter, such as /root or one that mktemp made, the server could not find its files by
    /// their path. The descriptor leads there without passing the parents. Source: proc(5), /proc/pid/fd.
    private func path(of folder: String) -> String { canEnter ? folder : "/proc/self/fd/4" }
}

/// Makes a new cluster: a superuser, a database, and settings that an operator may change later.
enum ClusterCreation {
    /// The role and the database.
    static let name = "pics"

    /// The command that fills the empty folder `target`.
    static func command(_ installation: Installation, target: String) -> [String] {
        ["sh", "-c", script, "create-cluster", installation.programs, target]
    }

    // Every process that reaches the socket is let in: it and its folder are open only to root and the server's user.
    // `cd`, because the server's user may be unable to enter our folder.
    // `terse` keeps out of the log what rows hold (DETAIL, CONTEXT).
    private static let script = """
        set -e
        cd /
        "$1/initdb" --pgdata="$2" --username=\(name) --auth-local=trust --auth-host=reject --encoding=UTF8 \
            --locale=C.UTF-8 --data-checksums --no-instructions
        cat >>"$2/postgresql.conf" <<'END'

        # Settings that differ from PostgreSQL's own defaults. Change them as you like; a restart reads them.
        max_connections = 64
        shared_buffers = 128MB
        jit = off
        timezone = 'UTC'
        log_timezone = 'UTC'
        log_checkpoints = off
        log_error_verbosity = terse
        END
        sync "$2/postgresql.conf"
        echo 'CREATE DATABASE \(name)' | "$1/postgres" --single -D "$2" -c exit_on_error=on postgres
        """
}

/// The file that the server writes its log to, kept from growing without end.
struct ServerLog {
    /// Of a longer file the content moves to `<path>.1`, which it replaces.
    static let limit: off_t = 8 << 20

    let path: String

    func open() throws(PostgresClusterError) -> OwnedDescriptor {
        try OwnedDescriptor(opening: path, O_WRONLY | O_CREAT | O_APPEND)
    }

    /// The length in bytes.
    var size: off_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_size : 0
    }

    /// Moves the content away if there is too much. Lines written meanwhile may be lost: the server keeps the file open.
    func trim() {
        guard size > Self.limit else { return }
        let old = path + ".1"
        unlink(old)
        // Without room for the copy, losing the old lines is better than filling the disk.
        _ = ChildProcess.output(of: ["cp", "--", path, old])
        truncate(path, 0)
    }

    /// The last lines of what was written after the first `offset` bytes.
    func lastLines(after offset: off_t) -> [String] {
        do throws(PostgresClusterError) {
            let file = try OwnedDescriptor(opening: path, O_RDONLY)
            lseek(file.number, max(offset, size - 4096), SEEK_SET)
            let text = String(decoding: file.readToEnd(), as: UTF8.self)
            return text.split(separator: "\n").suffix(10).map { String($0) }
        } catch {
            return []  // What is being reported with these lines matters more.
        }
    }
}
