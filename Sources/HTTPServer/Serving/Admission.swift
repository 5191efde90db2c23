internal import Synchronization

/// Counts open connections over all loops, and says who may come in.
final class Admission: Sendable {
    private struct State {
        var open = 0
        var byAddress: [PeerAddress.Group: Int] = [:]
    }

    private let limits: Limits
    private let state = Mutex(State())

    init(limits: Limits) { self.limits = limits }

    /// Whether one more may come from there; if so it is counted until `leave`.
    func enter(_ group: PeerAddress.Group?) -> Bool {
        state.withLock { state in
            guard state.open < limits.connections else { return false }
            if let group {
                guard state.byAddress[group, default: 0] < limits.connectionsPerAddress else { return false }
                state.byAddress[group, default: 0] += 1
            }
            state.open += 1
            return true
        }
    }

    func leave(_ group: PeerAddress.Group?) {
        state.withLock { state in
            state.open -= 1
            guard let group, let count = state.byAddress[group] else { return }
            state.byAddress[group] = count > 1 ? count - 1 : nil
        }
    }
}
