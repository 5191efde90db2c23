internal import Foundation
internal import Synchronization

/// The time of a test: the real one, until the test moves it.
final class TestClock: Sendable {
    private let difference = Mutex(TimeInterval(0))

    var now: Date { Date() + difference.withLock { $0 } }

    func advance(by seconds: TimeInterval) { difference.withLock { $0 += seconds } }
}
