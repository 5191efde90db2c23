internal import EventLoops
internal import Submitters

/// Something that happens once, and that tasks wait for.
final class Signal: Sendable {
    private struct State {
        var hasHappened = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var cancelled: Set<Int> = []
        var tickets = 0
    }

    private let state = Lock(State())

    func fire() {
        let waiters = state.withLock { state in
            state.hasHappened = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits, also in a task that was cancelled: a step that does not hear.
    func wait() async {
        let ticket = ticket()
        await withCheckedContinuation { add($0, ticket) }
    }

    /// Waits as a request does, which ends with `error` when its task is cancelled.
    func wait(orThrow error: SubmissionError) async throws(SubmissionError) {
        let ticket = ticket()
        await withTaskCancellationHandler {
            await withCheckedContinuation { add($0, ticket) }
        } onCancel: {
            leave(ticket)
        }
        if state.withLock({ $0.cancelled.contains(ticket) }) { throw error }
    }

    /// Waits until the task is cancelled, and goes on.
    func waitForCancel() async {
        do throws(SubmissionError) { try await wait(orThrow: .cancelled) } catch {}
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
