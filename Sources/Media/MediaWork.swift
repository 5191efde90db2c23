internal import System

/// One request on its way, which its caller may cancel at any moment.
final class MediaWork: Sendable {
    private struct State {
        var isCancelled = false
        var child: MediaChild?
    }

    private let state = Lock(State())

    /// Notes the child that works on it; `false` when it was cancelled before.
    func begin(with child: MediaChild) -> Bool {
        state.withLock { state in
            state.child = child
            return !state.isCancelled
        }
    }

    /// Lets go of the child, which from now on is not killed any more; `false` when it already was.
    func finish() -> Bool {
        state.withLock { state in
            state.child = nil
            return !state.isCancelled
        }
    }

    /// Kills the child that works on it.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.child?.kill()
        }
    }
}
