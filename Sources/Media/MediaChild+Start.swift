internal import Glibc
internal import System

extension MediaChild {
    /// Starts `program` with its socket as standard input, its output nowhere, an own environment, in its own process group.
    ///
    /// It is started from a thread that lives as long as the pool: the death signal that it asks for follows the thread
    /// that made it (prctl(2), PR_SET_PDEATHSIG).
    ///
    /// - Throws: `.failed`.
    static func spawn(
        _ program: String, as role: MediaRole, limits: MediaLimits
    ) throws(MediaError) -> MediaChild {
        let argument: String
        do { argument = try limits.argument } catch { throw .failed(detail: "limits cannot be written: \(error)") }
        let requests = try SocketPair(kind: Int32(SOCK_SEQPACKET.rawValue))
        let complaints = try SocketPair(kind: Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue))

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, requests.theirs.number, STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, complaints.theirs.number, STDERR_FILENO)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A key pressed in the terminal reaches the server, which then ends its children in order.
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var id: pid_t = 0
        let code = withCStrings([program, role.rawValue, argument]) { arguments in
            withCStrings(environment) { posix_spawn(&id, program, &actions, &attributes, arguments, $0) }
        }
        guard code == 0 else {
            throw .failed(detail: "\(program) cannot be started: \(String(cString: strerror(code)))")
        }
        return MediaChild(
            id: id, role: role, socket: PacketSocket(owning: requests.takeOurs()), complaints: complaints.takeOurs())
    }

    /// Nothing of the parent's. A crash is expected here and told by its signal: Swift's backtracer is not wanted.
    private static let environment = ["SWIFT_BACKTRACE=enable=no"]

    /// Calls `body` with a C array of C strings that ends in a null pointer.
    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return (copies + [nil]).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { fatalError("an array with an element has an address") }
            return body(base)
        }
    }
}

/// Two connected sockets: one for the parent, one that the child inherits under another number.
private struct SocketPair: ~Copyable {
    let ours: OwnedDescriptor
    let theirs: OwnedDescriptor

    init(kind: Int32) throws(MediaError) {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, kind | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw .failed(detail: "no socket for pics-media: \(String(cString: strerror(errno)))")
        }
        ours = OwnedDescriptor(owning: pair[0])
        theirs = OwnedDescriptor(owning: pair[1])
    }

    /// The parent's end; the child's is closed here.
    consuming func takeOurs() -> OwnedDescriptor { ours }
}

/// The state of a process's filter of system calls (proc(5)).
struct SeccompStatus: Equatable {
    /// 2 is SECCOMP_MODE_FILTER.
    var mode = 0
    /// How many filters there are; `nil` before Linux 5.10.
    var filters: Int?

    /// Of a running process; `nil` when nobody can tell.
    init?(of process: pid_t) {
        guard let file = fopen("/proc/\(process)/status", "re") else { return nil }
        defer { fclose(file) }
        var lines: [String] = []
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { line in
            while fgets(line.baseAddress, Int32(line.count), file) != nil {
                lines.append(String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
            }
        }
        self.init(lines: lines)
    }

    /// - Parameter lines: Of `/proc/PID/status`.
    init(lines: [String]) {
        for line in lines {
            let words = line.split { $0 == ":" || $0.isWhitespace }
            guard words.count == 2, let number = Int(words[1]) else { continue }
            switch words[0] {
            case "Seccomp": mode = number
            case "Seccomp_filters": filters = number
            default: break
            }
        }
    }

    /// Whether a process with this status has filters that the one that started it, `parent`, has not: all processes in a container
    /// may have some.
    func isStricter(than parent: SeccompStatus) -> Bool {
        guard let filters, let inherited = parent.filters else { return mode == 2 }
        return mode == 2 && filters > inherited
    }
}
