/// Bounds how many tasks do something at once; the others wait without keeping a thread, first come, first served.
///
/// It stands below `EventLoops` because it needs no loop. The queue has no bound of its own: each connection, or each task of a
/// bounded kind, may wait once. A cancelled task keeps its place in the queue, so the work within must end by itself.
package final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>?] = []
        var next = 0
    }

    private let state: Lock<State>

    /// Has `count` permits, at least one.
    package init(count: Int) { state = Lock(State(free: max(1, count))) }

    /// Takes a permit; the caller gives it back by `signal`.
    package func wait() async {
        if take() { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                // One may have come free meanwhile.
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives a permit back, at once to the task that has waited longest.
    package func signal() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.next < state.waiting.count else {
                state.free += 1
                return nil
            }
            let waiter = state.waiting[state.next]
            state.waiting[state.next] = nil
            state.next += 1
            // The queue may never be empty: what is behind is let go when it is most of the array.
            if state.next == state.waiting.count || state.next > 64 && state.next > state.waiting.count / 2 {
                state.waiting.removeSubrange(..<state.next)
                state.next = 0
            }
            return waiter
        }
        waiter?.resume()
    }

    /// The number of waiting tasks.
    package var waitingCount: Int { state.withLock { $0.waiting.count - $0.next } }

    /// Takes a permit if one is free now, and waits for none; false: there is none. The caller gives it back by `signal`.
    package func take() -> Bool {
        state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
    }
}
