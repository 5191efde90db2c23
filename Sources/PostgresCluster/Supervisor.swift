internal import Glibc
internal import System

/// The small process that stands between this one and the server, so that the server never outlives this process.
///
/// It starts the server and holds one end of a pair of sockets. When the other end closes, which the kernel does however this
/// process ends, it stops the server. When the server ends, it ends too. When the guardian itself is killed, the kernel sends the
/// server the same signal that the guardian would have sent (PR_SET_PDEATHSIG).
///
/// The guardian and all processes of the server inherit the cluster's lock: it is free only when none of them is left.
struct Supervisor: ~Copyable {
    let process: ChildProcess
    /// Where the server's log ended before the start.
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
