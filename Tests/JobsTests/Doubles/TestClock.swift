internal import EventLoops
internal import Foundation

/// The time of a test: the real one, until the test moves it.
final class TestClock: Sendable {
    private let difference = Lock(TimeInterval(0))

    var now: Date { Date() + difference.withLock { $0 } }

    func advance(by seconds: TimeInterval) { difference.withLock { $0 += seconds } }
}
