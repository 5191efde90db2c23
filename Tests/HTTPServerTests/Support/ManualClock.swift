import EventLoops
import HTTPServer
import System

/// A clock that stands still until a test moves it; what is due by then is called.
final class ManualClock: ServerClock {
    private struct State {
        var now = Moment(nanoseconds: 1_000_000_000_000)
        var timers: [ObjectIdentifier: Timer] = [:]
        /// Nothing is due before.
        var earliest = Moment(nanoseconds: .max)
        var waiters: [(until: Moment, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())

    var now: Moment { state.withLock { $0.now } }

    var secondsSince1970: Int64 { now.nanoseconds / 1_000_000_000 }

    func schedule(after delay: Duration, on loop: EventLoop, _ action: @escaping () -> Void) -> any ServerTimer {
        let timer = Timer(due: now + max(delay, .zero), loop: loop, clock: self, action: action)
        let waiters = state.withLock { state in
            guard timer.due > state.now else {
                loop.execute { timer.fire() }
                return [CheckedContinuation<Void, Never>]()
            }
            state.timers[ObjectIdentifier(timer)] = timer
            state.earliest = min(state.earliest, timer.due)
            let isDue = state.waiters.partition { timer.due <= $0.until }
            defer { state.waiters.removeSubrange(isDue...) }
            return state.waiters[isDue...].map(\.continuation)
        }
        for waiter in waiters { waiter.resume() }
        return timer
    }

    /// Moves the clock.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now + duration
            let now = state.now
            guard state.earliest <= now else { return [Timer]() }
            let due = state.timers.values.filter { $0.due <= now }.sorted { $0.due < $1.due }
            for timer in due { state.timers[ObjectIdentifier(timer)] = nil }
            state.earliest = state.timers.values.map(\.due).min() ?? Moment(nanoseconds: .max)
            return due
        }
        for timer in due { timer.loop.execute { timer.fire() } }
    }

    /// Lets time pass, a step after each look at the server, until `isSo`.
    func pass(_ step: Duration, on server: TestServer, until isSo: (ServerMetrics) async throws -> Bool) async rethrows
    {
        while try await !isSo(server.server.metrics()) { advance(by: step) }
    }

    /// Lets time pass, a step after each look at the server, while `work` goes on.
    func pass<Result: Sendable>(
        _ step: Duration, on server: TestServer, during work: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        let passing = Task { await pass(step, on: server) { _ in Task.isCancelled } }
        defer { passing.cancel() }
        return try await work()
    }

    /// Moves the clock once something waits that is due by then: a deadline that is still to be set would be set too late.
    func pass(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                let until = state.now + duration
                guard !state.timers.values.contains(where: { $0.due <= until }) else { return true }
                state.waiters.append((until, continuation))
                return false
            }
            if isDue { continuation.resume() }
        }
        advance(by: duration)
    }

    fileprivate func remove(_ timer: Timer) { state.withLock { $0.timers[ObjectIdentifier(timer)] = nil } }

    /// `@unchecked Sendable`: `action` is touched on the loop alone.
    fileprivate final class Timer: ServerTimer, @unchecked Sendable {
        let due: Moment
        let loop: EventLoop
        private let clock: ManualClock
        private var action: (() -> Void)?

        init(due: Moment, loop: EventLoop, clock: ManualClock, action: @escaping () -> Void) {
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
