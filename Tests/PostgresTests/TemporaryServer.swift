import EventLoops
import Foundation

/// A PostgreSQL server of one test's own, which it may crash and start again.
actor TemporaryServer {
    nonisolated let folder: String
    private var server: Child?

    /// libpq's address of the server.
    nonisolated var connection: String { "host=\(folder) user=postgres dbname=postgres" }

    /// Makes a cluster; `start()` it.
    init() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "pg-\(UUID().uuidString.prefix(8))")
        folder = url.path(percentEncoded: false)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        if getuid() == 0 { try await Child(["/usr/bin/chown", "postgres", folder]).succeed() }
        let options = ["-D", "\(folder)/data", "-U", "postgres", "--auth=trust", "-E", "UTF8", "--no-sync"]
        try await Child(unprivileged: ["initdb"] + options).succeed()
    }

    /// Returns before the server takes connections.
    func start(_ settings: [String] = []) throws {
        let settings = ["listen_addresses=", "unix_socket_directories=\(folder)"] + settings
        server = try Child(unprivileged: ["postgres", "-D", "\(folder)/data"] + settings.flatMap { ["-c", $0] })
    }

    /// Stops the server as if it had crashed: at once, with the recovery left to the next start.
    func crash() async throws {
        guard let server else { return }
        self.server = nil
        kill(server.process, SIGQUIT)
        _ = await server.status()
    }

    func remove() async throws {
        try await crash()
        try FileManager.default.removeItem(atPath: folder)
    }
}

/// A child process that says nothing.
///
/// Foundation's `Process` would wait for all that inherit from a child, and leaks.
private struct Child {
    struct Failure: Error {
        let command: [String]
        let status: Int32
    }

    let command: [String]
    let process: pid_t

    /// Starts one of PostgreSQL's programs as a user that it accepts: not root.
    init(unprivileged command: [String]) throws {
        let root = "/usr/lib/postgresql"
        let versions = try FileManager.default.contentsOfDirectory(atPath: root).compactMap { Int($0) }
        let program = ["\(root)/\(versions.max() ?? 0)/bin/\(command[0])"] + command.dropFirst()
        let switches = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
        try self.init(getuid() == 0 ? switches + program : program)
    }

    init(_ command: [String]) throws {
        self.command = command
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        let arguments = command.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let code = posix_spawn(&process, command[0], &actions, nil, arguments + [nil], environ)
        guard code == 0 else { throw Failure(command: command, status: code) }
        self.process = process
    }

    func succeed() async throws {
        let status = await status()
        if status != 0 { throw Failure(command: command, status: status) }
    }

    func status() async -> Int32 {
        let threads = BlockingThreads(name: "wait", count: 1)
        defer { threads.stop() }
        return await threads.run { [process] in
            var status: Int32 = 0
            waitpid(process, &status, 0)
            return status
        }
    }
}
