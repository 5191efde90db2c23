internal import System

/// Where answers wait until a test lets them go on, and where a test waits until one of them does.
final class Gate: Sendable {
    private struct State {
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
        var isOpen = false
    }

    private let state = Lock(State())

    /// Waits until `open`, once it has told everybody who waits in `untilHeld`.
    func hold() async {
        await withCheckedContinuation { continuation in
            let (resumed, watchers) = state.withLock { state in
                if state.isOpen { return (true, [CheckedContinuation<Void, Never>]()) }
                state.held.append(continuation)
                defer { state.watchers = [] }
                return (false, state.watchers)
            }
            if resumed { continuation.resume() }
            for watcher in watchers { watcher.resume() }
        }
    }

    /// Waits until somebody is held.
    func untilHeld() async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.held.isEmpty { state.watchers.append(continuation) }
                return !state.held.isEmpty
            }
            if isHeld { continuation.resume() }
        }
    }

    /// Lets everybody go on who is held now.
    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Holds nobody any more.
    func open() {
        state.withLock { $0.isOpen = true }
        release()
    }
}
