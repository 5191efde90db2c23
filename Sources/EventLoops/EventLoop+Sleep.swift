internal import System

extension EventLoop {
    /// Waits; from anywhere. Returns early, by throwing, when the task is cancelled.
    package func sleep(for duration: Duration) async throws(CancellationError) {
        let sleeper = Sleeper(loop: self)
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper.begin($0, duration) }
        } onCancel: {
            sleeper.wake()
        }
        if Task.isCancelled { throw CancellationError() }
    }
}

/// One `sleep`: its continuation is resumed exactly once, by the timer or by cancellation, whichever comes first.
///
/// `@unchecked Sendable`: `timer` is touched on the loop only, the rest is behind the lock.
private final class Sleeper: @unchecked Sendable {
    private enum State {
        case new
        case asleep(CheckedContinuation<Void, Never>)
        case awake
    }

    private let loop: EventLoop
    private let state = Lock(State.new)
    private var timer: LoopTimer?

    init(loop: EventLoop) { self.loop = loop }

    func begin(_ continuation: CheckedContinuation<Void, Never>, _ duration: Duration) {
        let isAwake = state.withLock { state in
            if case .awake = state { return true }
            state = .asleep(continuation)
            return false
        }
        if isAwake { return continuation.resume() }
        loop.execute { [self] in
            guard case .asleep = state.withLock({ $0 }) else { return }
            timer = loop.schedule(after: duration) { [self] in wake() }
        }
    }

    func wake() {
        let previous = state.withLock { state in
            defer { state = .awake }
            return state
        }
        guard case .asleep(let continuation) = previous else { return }
        continuation.resume()
        loop.execute { [self] in
            timer?.cancel()
            timer = nil
        }
    }
}

extension EventLoop {
    /// Runs `work` and cancels it after `limit`; from anywhere.
    ///
    /// - Returns: The result of `work`, `nil` when the time was over first. `work` has ended in either case, so it must
    ///   heed cancellation.
    /// - Throws: The error of `work`.
    package func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                do { try await self.sleep(for: limit) } catch {}
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
