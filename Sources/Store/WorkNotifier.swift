internal import EventLoops
internal import Logging
internal import System

/// Tells the workers of other processes that there is work, at most two hundred times a second: a NOTIFY in every commit makes
/// all commits of the server wait for each other. What falls between is told a moment later; workers look every second anyway.
final class WorkNotifier: Sendable {
    private struct State {
        var last: Moment?
        var isOwed = false
    }

    private static let pause = Duration.milliseconds(5)

    private let state = Lock(State())
    private let loop: EventLoop

    private let logger: Logger

    init(on loop: EventLoop, logger: Logger) {
        self.loop = loop
        self.logger = logger
    }

    /// Whether the transaction under way may ring. When not, `later` is called once after the pause, for all who asked.
    func mayNotify(_ later: @escaping @Sendable () async -> Void) -> Bool {
        let (mayNotify, owes) = state.withLock { state -> (Bool, Bool) in
            let now = Moment.now
            if let last = state.last, now - last < Self.pause {
                defer { state.isOwed = true }
                return (false, !state.isOwed)
            }
            state.last = now
            return (true, false)
        }
        if owes {
            Task(executorPreference: loop) { [state, loop, logger] in
                do {
                    try await loop.sleep(for: Self.pause)
                } catch {
                    logger.debug("the workers are told early", ["error": logText(of: error)])
                }
                state.withLock { state in
                    state.isOwed = false
                    state.last = .now
                }
                await later()
            }
        }
        return mayNotify
    }
}
