internal import Glibc
internal import System

/// A program that this process started, in a session of its own: a Ctrl-C in our terminal does not reach it.
struct ChildProcess {
    let id: pid_t

    /// Starts a program found on PATH.
    ///
    /// It sees `descriptors` as 0, 1, 2 and so on; the others of this process are close-on-exec. It inherits no signal
    /// dispositions and of the environment only PATH, because the rest may hold secrets.
    init(_ arguments: [String], descriptors: [Int32]) throws(PostgresClusterError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, source) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID of <spawn.h>, which Swift's Glibc does not show.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | newSession))

        let words = Self.cStrings(arguments)
        let variables = Self.cStrings(["PATH=\(Self.path)", "LC_ALL=C.UTF-8"])
        defer { for word in words + variables { free(word) } }

        var process: pid_t = 0
        let status = posix_spawnp(&process, arguments[0], &actions, &attributes, words, variables)
        guard status == 0 else {
            throw .refused("cannot start \(arguments[0]): \(String(cString: strerror(status)))")
        }
        id = process
    }

    /// Copies for C, to be freed, with the `nil` that ends them.
    private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { text in strdup(text) } + [nil]
    }

    /// Where programs are looked for; the folders of system tools stand last in case PATH lacks them.
    static var path: String {
        let own = getenv("PATH").map { String(cString: $0) + ":" } ?? ""
        return own + "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
    }

    /// The output of a program, or `nil` when it cannot be started or ends with an error.
    static func output(of arguments: [String]) -> String? {
        do throws(PostgresClusterError) {
            let null = try OwnedDescriptor(opening: "/dev/null", O_RDWR)
            let pair = try OwnedDescriptor.pair()
            let child = try ChildProcess(arguments, descriptors: [null.number, pair.theirs.number, null.number])
            let output = pair.closingTheirs()
            let bytes = output.readToEnd()
            return child.waitForExit() == 0 ? String(decoding: bytes, as: UTF8.self) : nil
        } catch {
            return nil
        }
    }

    /// How it ended, or `nil` while it runs: the exit status, or 128 and the number of the signal that ended it, as a shell says it.
    ///
    /// To be asked until it has answered once, which removes the process from the system's table.
    func exitStatus() -> Int32? { wait(WNOHANG) }

    /// Waits until it has ended.
    func waitForExit() -> Int32 {
        while true {
            if let status = wait(0) { return status }
        }
    }

    private func wait(_ options: Int32) -> Int32? {
        var status: Int32 = 0
        switch waitpid(id, &status, options) {
        case id: return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
        case -1 where errno != EINTR: return 255  // Somebody else has taken its status: it is gone.
        default: return nil
        }
    }

    /// Ends it and everything it started in its session.
    func terminate() {
        kill(-id, SIGTERM)
    }
}

/// The small process that stands between this one and the server, so that the server never outlives this process.
///
/// It starts the server and holds one end of a pair of sockets. When the other end closes, which the kernel does however this
/// process ends, it stops the server. When the server ends, it ends too. When the guardian itself is killed, the kernel sends the
/// server the same signal that the guardian would have sent (PR_SET_PDEATHSIG).
///
/// The guardian and all processes of the server inherit the cluster's lock: it is free only when none of them is left.
struct Supervisor: ~Copyable {
    let process: ChildProcess
    /// The length of the server's log before the start, in bytes.
    let logStart: off_t
    /// Whether the server has accepted connections.
    var hasBeenReady = false

    let lifeline: OwnedDescriptor

    /// Starts the server with `command`, under the cluster's `lock`, and removes `socketFolder` when the server has ended.
    ///
    /// The server finds `door`, the cluster's folder, as descriptor 4.
    init(
        _ command: [String], socketFolder: String, lock: borrowing OwnedDescriptor, door: borrowing OwnedDescriptor,
        log: ServerLog
    ) throws(PostgresClusterError) {
        logStart = log.size
        let null = try OwnedDescriptor(opening: "/dev/null", O_RDONLY)
        let output = try log.open()
        let pair = try OwnedDescriptor.pair()
        process = try ChildProcess(
            ["sh", "-c", Self.script, "guardian", socketFolder] + command,
            descriptors: [
                null.number, output.number, output.number, lock.number, door.number, pair.theirs.number,
            ])
        lifeline = pair.closingTheirs()
    }

    // 3 is the lock, 4 the door, 5 the lifeline. `cd`, because the server's user may be unable to enter our folder. SIGINT asks for a fast shutdown, and is sent again because a server that is just
    // starting does not listen yet. A service manager that signals every process of Pics must not stop the server before Pics
    // has ended its work: the guardian ignores what it sends.
    private static let script = """
        cd /
        trap '' HUP INT TERM
        folder=$1
        shift
        "$@" 5<&- &
        server=$!
        (
            exec 3<&- 4<&-
            read -r _ <&5
            while kill -INT "$server"; do sleep 1; done 2>/dev/null
        ) &
        watch=$!
        exec 4<&- 5<&-
        wait "$server"
        status=$?
        kill -KILL "$watch"
        rmdir "$folder" 2>/dev/null
        exit "$status"
        """
}
