internal import System

/// Something that happens once, and that tasks wait for.
package final class Signal: Sendable {
    private struct State {
        var hasHappened = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var cancelled: Set<Int> = []
        var tickets = 0
    }

    private let state = Lock(State())

    package init() {}

    package func fire() {
        let waiters = state.withLock { state in
            state.hasHappened = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits, also in a task that is cancelled.
    package func wait() async {
        let ticket = ticket()
        await withCheckedContinuation { add($0, ticket) }
    }

    /// Waits. Throws `error` when its task is cancelled first, as a request does.
    package func wait<Failure: Error>(orThrow error: Failure) async throws(Failure) {
        let ticket = ticket()
        await withTaskCancellationHandler {
            await withCheckedContinuation { add($0, ticket) }
        } onCancel: {
            leave(ticket)
        }
        if state.withLock({ $0.cancelled.contains(ticket) }) { throw error }
    }

    /// Waits, and returns also when its task is cancelled.
    package func waitForCancel() async {
        do { try await wait(orThrow: CancellationError()) } catch {}
    }

    private func ticket() -> Int {
        state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
    }

    private func add(_ waiter: CheckedContinuation<Void, Never>, _ ticket: Int) {
        let isOver = state.withLock { state in
            if state.hasHappened || state.cancelled.contains(ticket) { return true }
            state.waiters[ticket] = waiter
            return false
        }
        if isOver { waiter.resume() }
    }

    private func leave(_ ticket: Int) {
        let waiter = state.withLock { state in
            if !state.hasHappened { state.cancelled.insert(ticket) }
            return state.waiters.removeValue(forKey: ticket)
        }
        waiter?.resume()
    }
}
