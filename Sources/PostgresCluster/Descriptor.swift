internal import Glibc
internal import System

extension OwnedDescriptor {
    /// Opens a file, closed in children unless it is handed to them.
    init(opening path: String, _ flags: Int32) throws(PostgresClusterError) {
        self.init(owning: try Self.tamed(open(path, flags | O_CLOEXEC, 0o600), "cannot open \(path)"))
    }

    /// Takes over a descriptor that was inherited; children do not inherit it from here.
    init(adopting number: Int32) {
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        self.init(owning: number)
    }

    /// A descriptor just opened, moved out of the way of the low numbers that a child gives its descriptors.
    private static func tamed(_ opened: Int32, _ problem: String) throws(PostgresClusterError) -> Int32 {
        guard opened >= 0 else { throw .refused("\(problem): \(String(cString: strerror(errno)))") }
        defer { close(opened) }
        let number = fcntl(opened, F_DUPFD_CLOEXEC, 10)
        guard number >= 0 else { throw .refused("\(problem): \(String(cString: strerror(errno)))") }
        return number
    }

    /// Two connected ends. A socket pair and not a pipe, because it can be closed-on-exec from its first moment.
    static func pair() throws(PostgresClusterError) -> DescriptorPair {
        var ends: [Int32] = [-1, -1]
        let problem = "cannot open a pair of sockets"
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .refused("\(problem): \(String(cString: strerror(errno)))")
        }
        let ours = OwnedDescriptor(owning: try tamed(ends[0], problem))
        return DescriptorPair(ours: ours, theirs: OwnedDescriptor(owning: try tamed(ends[1], problem)))
    }

    /// Locks the file until every copy of the descriptor is closed, also those that children inherited. Source: flock(2).
    ///
    /// - Returns: Whether it was free.
    func lock() throws(PostgresClusterError) -> Bool {
        if flock(number, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw .refused("cannot lock a file: \(String(cString: strerror(errno)))") }
        return false
    }

    /// The text of a small file, or `nil` when it cannot be read.
    ///
    /// `FileManager.contents(atPath:)` is no choice here: in Swift 6.3 it leaks memory for files that tell no size, as in /proc.
    static func text(ofFile path: String) -> String? {
        do throws(PostgresClusterError) {
            return String(decoding: try OwnedDescriptor(opening: path, O_RDONLY).readToEnd(), as: UTF8.self)
        } catch {
            return nil
        }
    }

    /// Everything up to the end.
    func readToEnd() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(number, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer[..<count]
            } else if count == 0 || errno != EINTR {
                return bytes
            }
        }
    }
}

/// The two ends of a connection between this process and a child.
struct DescriptorPair: ~Copyable {
    let ours: OwnedDescriptor
    let theirs: OwnedDescriptor

    /// Our end, once the child has its own copy of the other: from then on each end notices when the other is gone.
    consuming func closingTheirs() -> OwnedDescriptor { ours }
}
