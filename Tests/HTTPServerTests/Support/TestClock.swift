import EventLoops

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
    private let moment = Locked(Moment(nanoseconds: 1_000_000_000_000))

    var now: Moment { moment.withLock { $0 } }

    func advance(by duration: Duration) { moment.withLock { $0 = $0 + duration } }
}
