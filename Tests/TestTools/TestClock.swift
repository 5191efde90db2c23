package import Foundation
internal import System

/// The time of a test: stands still until the test moves it.
package final class TestClock: Sendable {
    private let time: Lock<Date>

    package init(at start: Date = Date(timeIntervalSince1970: 1_795_290_120)) { time = Lock(start) }

    package var now: Date { time.withLock { $0 } }

    package var read: @Sendable () -> Date { { self.now } }

    package func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }

    package func advance(by duration: Duration) { advance(by: duration / .seconds(1)) }

    /// Never moves it back.
    package func advance(to date: Date) { time.withLock { $0 = max($0, date) } }
}
