internal import Glibc

/// What the kernel tells of the filters of system calls that a process is under (proc(5)).
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
