internal import EventLoops

/// Lets a fixed number of tasks in at once; the others wait in a line of bounded length, first come, first served.
final class Turnstile: Sendable {
    private struct Waiter {
        let ticket: Int
        let continuation: CheckedContinuation<Result<Void, MediaError>, Never>
    }

    private struct State {
        var free: Int
        var nextTicket = 0
        var line: [Waiter] = []
        var isClosed = false
        var whenEmpty: [CheckedContinuation<Void, Never>] = []
    }

    private let places: Int
    private let lineLimit: Int
    private let state: Lock<State>

    /// - Parameters:
    ///   - places: How many may be inside.
    ///   - lineLimit: How many may wait.
    init(places: Int, lineLimit: Int) {
        self.places = places
        self.lineLimit = lineLimit
        state = Lock(State(free: places))
    }

    /// Waits for a place. Whoever got in calls `leave` once.
    ///
    /// - Throws: `.busy` when the line is full, `.cancelled` with the task, `.stopped` once it is closed.
    func enter() async throws(MediaError) {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let decided = state.withLock { state -> Result<Void, MediaError>? in
                    if state.isClosed { return .failure(.stopped) }
                    if Task.isCancelled { return .failure(.cancelled) }
                    if state.free > 0 {
                        state.free -= 1
                        return .success(())
                    }
                    if state.line.count >= lineLimit { return .failure(.busy) }
                    state.line.append(Waiter(ticket: ticket, continuation: continuation))
                    return nil
                }
                if let decided { continuation.resume(returning: decided) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.line.firstIndex { $0.ticket == ticket }.map { state.line.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: .failure(.cancelled))
        }
        try result.get()
    }

    /// Gives the place to the first in the line.
    func leave() {
        let (next, whenEmpty) = state.withLock { state -> (Waiter?, [CheckedContinuation<Void, Never>]) in
            if !state.line.isEmpty { return (state.line.removeFirst(), []) }
            state.free += 1
            guard state.free == places else { return (nil, []) }
            defer { state.whenEmpty = [] }
            return (nil, state.whenEmpty)
        }
        next?.continuation.resume(returning: .success(()))
        for continuation in whenEmpty { continuation.resume() }
    }

    /// Sends away all who wait or come later; returns when nobody is inside any more.
    func close() async {
        let line = state.withLock { state in
            state.isClosed = true
            defer { state.line = [] }
            return state.line
        }
        for waiter in line { waiter.continuation.resume(returning: .failure(.stopped)) }
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if state.free < places { state.whenEmpty.append(continuation) }
                return state.free == places
            }
            if isEmpty { continuation.resume() }
        }
    }
}
