internal import System

/// How many bytes of a running submission have left; written down at most once a second by the worker.
final class ProgressMeter: Sendable {
    struct Reading: Sendable, Equatable {
        var sent: Int64
        var total: Int64
    }

    private struct State {
        var reading = Reading(sent: 0, total: 0)
        var isNews = false
    }

    private let state = Lock(State())

    func report(sent: Int64, total: Int64) {
        state.withLock { state in
            state.reading = Reading(sent: sent, total: total)
            state.isNews = true
        }
    }

    /// The newest reading, once.
    func takeNews() -> Reading? {
        state.withLock { state in
            guard state.isNews else { return nil }
            state.isNews = false
            return state.reading
        }
    }
}
