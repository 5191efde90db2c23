import EventLoops
import FoundationEssentials
import Glibc

/// Starts the program anew, as it lies on the disk now, with the same arguments, and gives it the listening sockets and the
/// private PostgreSQL: no connection finds a closed door while one version of Pics takes over from another.
struct Successor {
    /// The descriptors that are handed over, by the names that `Inheritance` knows.
    let sockets: [(setting: String, descriptors: [Int32])]
    let cluster: [Int32]
    let threads: BlockingThreads

    /// Returns the successor's process id as soon as it serves.
    ///
    /// - Throws: `CommandFailure` when it ended before; this process then goes on as if nothing had been.
    func start() async throws -> pid_t {
        var ends: [Int32] = [0, 0]
        // A pair of sockets, because it can be closed-on-exec from its first moment.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw failure(errno)
        }
        let (ours, theirs) = (ends[0], ends[1])
        defer { close(ours) }
        let process: pid_t
        do {
            defer { close(theirs) }
            process = try spawn(readiness: theirs)
        }
        let isServing = await threads.run {
            var byte: UInt8 = 0
            var count: Int
            repeat { count = read(ours, &byte, 1) } while count < 0 && errno == EINTR
            return count == 1
        }
        guard isServing else {
            await threads.run {
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
            }
            throw CommandFailure("The new Pics ended before it served.")
        }
        return process
    }

    private func spawn(readiness: Int32) throws -> pid_t {
        let parts = sockets + [("cluster", cluster), ("readiness", [readiness])]
        // Above all that is handed over, so that no copy overwrites what is still to be copied.
        var next = (parts.flatMap(\.descriptors).max() ?? 2) + 1
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var words: [String] = []
        for part in parts where !part.descriptors.isEmpty {
            let numbers = part.descriptors.map { descriptor in
                posix_spawn_file_actions_adddup2(&actions, descriptor, next)
                defer { next += 1 }
                return String(next)
            }
            words.append("\(part.setting)=\(numbers.joined(separator: ","))")
        }
        var environment = ProcessInfo.processInfo.environment
        environment[Inheritance.variable] = words.joined(separator: " ")
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        let arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        defer { for text in variables + arguments { free(text) } }
        var process = pid_t()
        let code = posix_spawn(&process, Program.path, &actions, nil, arguments, variables)
        guard code == 0 else { throw failure(code) }
        return process
    }

    private func failure(_ code: Int32) -> CommandFailure {
        CommandFailure("The new Pics does not start: \(String(cString: strerror(code))).")
    }
}
