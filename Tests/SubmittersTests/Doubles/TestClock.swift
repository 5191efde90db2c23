internal import EventLoops
internal import Foundation
internal import Submitters

/// The time of a test: stands still until the test moves it.
final class TestClock: Sendable {
    private let time = Lock(Date(timeIntervalSince1970: 1_795_290_120))

    var now: Date { time.withLock { $0 } }

    var read: @Sendable () -> Date { { self.now } }

    func advance(by seconds: TimeInterval) {
        time.withLock { $0 = $0.addingTimeInterval(seconds) }
    }

    func advance(by duration: Duration) {
        advance(by: duration.timeInterval)
    }

    func advance(to date: Date) {
        time.withLock { $0 = max($0, date) }
    }
}
