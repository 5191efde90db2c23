internal import Glibc
internal import Logging

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
