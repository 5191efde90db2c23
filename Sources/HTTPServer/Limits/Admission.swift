internal import Glibc
internal import Logging
internal import System

/// Counts open connections over all loops, in all and by address, and admits further ones. It refuses and lets nobody wait.
final class Admission: Sendable {
    private struct Counts {
        var open = 0
        var openByGroup: [PeerAddress.Group: Int] = [:]
    }

    private let limits: Limits
    private let connections: Int
    private let counts = Lock(Counts())

    /// `connections` are those in all that there are descriptors for.
    init(limits: Limits, connections: Int) {
        self.limits = limits
        self.connections = connections
    }

    /// Whether one more may come from there; if so it is counted until `leave`.
    func enter(_ group: PeerAddress.Group?) -> Bool {
        counts.withLock { counts in
            guard counts.open < connections else { return false }
            if let group {
                guard counts.openByGroup[group, default: 0] < limits.connectionsPerAddress else { return false }
                counts.openByGroup[group, default: 0] += 1
            }
            counts.open += 1
            return true
        }
    }

    func leave(_ group: PeerAddress.Group?) {
        counts.withLock { counts in
            counts.open -= 1
            guard let group, let count = counts.openByGroup[group] else { return }
            counts.openByGroup[group] = count > 1 ? count - 1 : nil
        }
    }
}

/// How many connections the process has descriptors for (getrlimit(2), RLIMIT_NOFILE).
///
/// A server that accepts to the last descriptor cannot open a file or reach its database any more; it is better to refuse
/// connections while responses are still possible.
struct DescriptorBudget: Equatable {
    /// The connections that were asked for.
    let wanted: Int
    /// The connections that are allowed: at least one.
    let connections: Int
    /// The descriptors the process may have; nil if there is no bound.
    let descriptors: Int?
    /// Those among them that are not for connections.
    let reserve: Int

    init(wanted: Int, descriptors: Int?, reserve: Int) {
        self.wanted = wanted
        self.descriptors = descriptors
        self.reserve = reserve
        connections = min(wanted, max(1, (descriptors ?? .max) - max(0, reserve)))
    }

    /// The soft limit of this process; nil if there is none.
    static var softLimit: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < UInt64(Int.max)
        else {
            return nil
        }
        return Int(limit.rlim_cur)
    }

    /// Tells the operator when there are fewer than were asked for.
    func report(to logger: Logger) {
        guard connections < wanted else { return }
        logger.notice(
            "fewer connections than configured: raise the limit of open files",
            ["connections": connections, "configured": wanted, "open_files": descriptors, "reserved": reserve])
    }
}
