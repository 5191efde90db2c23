internal import System

/// Counts open connections over all loops, and says who may come in.
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
