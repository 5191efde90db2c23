import EventLoops
import HTTPServer

/// A clock that stands still until a test moves it; what is due by then is called.
final class TestClock: ServerClock {
    private struct State {
        var now = Moment(nanoseconds: 1_000_000_000_000)
        var timers: [Timer] = []
        var waiters: [(until: Moment, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    var now: Moment { state.withLock { $0.now } }

    var secondsSince1970: Int64 { now.nanoseconds / 1_000_000_000 }

    func schedule(after delay: Duration, on loop: EventLoop, _ action: @escaping () -> Void) -> any ServerTimer {
        let (timer, waiters) = state.withLock { state in
            let timer = Timer(due: state.now + max(delay, .zero), loop: loop, clock: self, action: action)
            state.timers.append(timer)
            let isDue = state.waiters.partition { timer.due <= $0.until }
            defer { state.waiters.removeSubrange(isDue...) }
            return (timer, state.waiters[isDue...].map(\.continuation))
        }
        for waiter in waiters { waiter.resume() }
        return timer
    }

    /// Moves the clock.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now + duration
            let now = state.now
            defer { state.timers.removeAll { $0.due <= now } }
            return state.timers.filter { $0.due <= now }.sorted { $0.due < $1.due }
        }
        for timer in due { timer.loop.execute { timer.fire() } }
    }

    /// Moves the clock once something waits that is due by then: a deadline that is still to be set would be set too late.
    func pass(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                let until = state.now + duration
                guard !state.timers.contains(where: { $0.due <= until }) else { return true }
                state.waiters.append((until, continuation))
                return false
            }
            if isDue { continuation.resume() }
        }
        advance(by: duration)
    }

    fileprivate func remove(_ timer: Timer) { state.withLock { $0.timers.removeAll { $0 === timer } } }

    /// `@unchecked Sendable`: `action` is touched on the loop alone.
    fileprivate final class Timer: ServerTimer, @unchecked Sendable {
        let due: Moment
        let loop: EventLoop
        private let clock: TestClock
        private var action: (() -> Void)?

        init(due: Moment, loop: EventLoop, clock: TestClock, action: @escaping () -> Void) {
            self.due = due
            self.loop = loop
            self.clock = clock
            self.action = action
        }

        func cancel() {
            action = nil
            clock.remove(self)
        }

        func fire() {
            let action = action
            self.action = nil
            action?()
        }
    }
}
