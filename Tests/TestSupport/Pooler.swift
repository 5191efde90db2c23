internal import EventLoops
internal import Foundation
package import Postgres

/// A pgbouncer before one database. In transaction mode it gives each transaction whichever session of the server is free.
package final class Pooler: Sendable {
    /// libpq's address of the database through it.
    package let connection: String
    private let folder: URL
    private let process: pid_t

    private static let program = "/usr/sbin/pgbouncer"

    /// Whether it is installed; `script/bootstrap tests` sees to that on Debian.
    package static var isInstalled: Bool { access(program, X_OK) == 0 }

    /// What a client keeps a session of the server for.
    package enum Mode: String, Sendable { case session, transaction }

    /// Starts one before the database that `connection`, a list of libpq's keywords, leads to, with so many sessions.
    package init(before connection: String, _ mode: Mode, sessions: Int) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "pgbouncer-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.path(percentEncoded: false)
        let words = connectionKeywords(connection)
        let target = ["host", "port", "user", "dbname"].compactMap { name in words[name].map { "\(name)=\($0)" } }
        let configuration = """
            [databases]
            pooled = \(target.joined(separator: " "))
            [pgbouncer]
            pool_mode = \(mode.rawValue)
            default_pool_size = \(sessions)
            max_client_conn = 200
            listen_addr =
            unix_socket_dir = \(path)
            listen_port = 6432
            auth_type = any
            """
        try Data(configuration.utf8).write(to: folder.appending(path: "pgbouncer.ini"))
        self.connection = "host=\(path) port=6432 user=pics dbname=pooled"
        process = try await Self.start(path)
    }

    /// Returns when it takes connections, which the last line of its start says.
    private static func start(_ folder: String) async throws -> pid_t {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        // Other children must not hold the pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (reading, writing) = (ends[0], ends[1])
        // It refuses to run as root.
        let command =
            getuid() == 0
            ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--", program] : [program]
        if getuid() == 0, let user = getpwnam("postgres") {
            chown(folder, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, writing, STDERR_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        let arguments = (command + ["\(folder)/pgbouncer.ini"]).map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let code = posix_spawn(&process, command[0], &actions, nil, arguments + [nil], environ)
        close(writing)
        guard code == 0 else { throw POSIXError(.ENOEXEC) }
        let threads = BlockingThreads(name: "pgbouncer", count: 2)
        let said = await threads.run {
            var text: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while !String(decoding: text, as: UTF8.self).contains("process up") {
                let count = read(reading, &buffer, buffer.count)
                if count <= 0 { return false }
                text += buffer[..<count]
            }
            return true
        }
        // It must be able to go on logging.
        Task {
            await threads.run {
                var buffer = [UInt8](repeating: 0, count: 4096)
                while read(reading, &buffer, buffer.count) > 0 {}
                close(reading)
            }
            threads.stop()
        }
        guard said else { throw POSIXError(.ENOEXEC) }
        return process
    }

    /// Ends it at once, and every session with it.
    package func stop() async throws {
        kill(process, SIGKILL)
        let threads = BlockingThreads(name: "pgbouncer", count: 1)
        await threads.run { [process] in
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
        threads.stop()
        try FileManager.default.removeItem(at: folder)
    }
}

/// Runs `body` with an empty database of its own, and a pooler before it.
package func withPooledDatabase(
    _ mode: Pooler.Mode = .transaction, sessions: Int = 3,
    _ body: (_ direct: Database, _ pooler: Pooler) async throws -> Void
) async throws {
    try await withTestDatabase { direct in
        let pooler = try await Pooler(before: direct.settings.connection, mode, sessions: sessions)
        do {
            try await body(direct, pooler)
        } catch {
            try await pooler.stop()
            throw error
        }
        try await pooler.stop()
    }
}
