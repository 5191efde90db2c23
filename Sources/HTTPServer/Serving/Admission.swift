internal import Foundation

/// Counts open connections over all loops, and says who may come in.
///
/// `@unchecked Sendable`: the counts are touched with the lock held only. It is an `NSLock`, because the thread sanitizer
/// cannot see into `Synchronization.Mutex`.
final class Admission: @unchecked Sendable {
    private let limits: Limits
    private let lock = NSLock()
    private var open = 0
    private var openByGroup: [PeerAddress.Group: Int] = [:]

    init(limits: Limits) { self.limits = limits }

    /// Whether one more may come from there; if so it is counted until `leave`.
    func enter(_ group: PeerAddress.Group?) -> Bool {
        lock.withLock {
            guard open < limits.connections else { return false }
            if let group {
                guard openByGroup[group, default: 0] < limits.connectionsPerAddress else { return false }
                openByGroup[group, default: 0] += 1
            }
            open += 1
            return true
        }
    }

    func leave(_ group: PeerAddress.Group?) {
        lock.withLock {
            open -= 1
            guard let group, let count = openByGroup[group] else { return }
            openByGroup[group] = count > 1 ? count - 1 : nil
        }
    }
}
