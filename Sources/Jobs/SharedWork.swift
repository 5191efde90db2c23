internal import EventLoops
internal import System

/// Work whose result several want at the same time: it is done once, and its result is shared for as long as one of them holds it.
///
/// Work that fails does so for all who wait for it; the next who asks does it anew. Work is cancelled when all who wait for it are; until it
/// ends they wait on, since it may be writing to their files.
final class SharedWork<Key: Hashable & Sendable, Value: AnyObject & Sendable, Failure: Error>: Sendable {
    private struct UnderWay {
        let number: Int
        let task: Task<Result<Value, Failure>, Never>
        /// Those that wait for it and were not cancelled.
        var waiting = 1
    }

    private struct Made {
        weak var value: Value?
    }

    private struct State {
        var underWay: [Key: UnderWay] = [:]
        var made: [Key: Made] = [:]
        var begun = 0
    }

    private enum Found {
        case value(Value)
        case work(Int, Task<Result<Value, Failure>, Never>)
    }

    private let state = Lock(State())

    /// The result for `key`: one that somebody holds, the one under way, or a new one of `work`.
    func value(
        of key: Key, _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        switch find(key, work) {
        case .value(let value): return value
        case .work(let number, let task):
            return try await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                leave(key, number)
            }.get()
        }
    }

    /// The number of callers that wait for `key` while it is being made; for tests.
    func waiting(for key: Key) -> Int { state.withLock { $0.underWay[key]?.waiting ?? 0 } }

    private func find(_ key: Key, _ work: @escaping @Sendable () async throws(Failure) -> Value) -> Found {
        state.withLock { state in
            if let value = state.made[key]?.value { return .value(value) }
            if let underWay = state.underWay[key] {
                state.underWay[key]?.waiting += 1
                return .work(underWay.number, underWay.task)
            }
            state.begun += 1
            let number = state.begun
            let task = Task(executorPreference: EventLoop.current) { [self] in
                let result: Result<Value, Failure>
                do throws(Failure) { result = .success(try await work()) } catch { result = .failure(error) }
                end(key, number, with: result)
                return result
            }
            state.underWay[key] = UnderWay(number: number, task: task)
            return .work(number, task)
        }
    }

    private func end(_ key: Key, _ number: Int, with result: Result<Value, Failure>) {
        state.withLock { state in
            guard state.underWay[key]?.number == number else { return }
            state.underWay[key] = nil
            state.made = state.made.filter { $0.value.value != nil }
            if case .success(let value) = result { state.made[key] = Made(value: value) }
        }
    }

    private func leave(_ key: Key, _ number: Int) {
        let task = state.withLock { state -> Task<Result<Value, Failure>, Never>? in
            guard var underWay = state.underWay[key], underWay.number == number else { return nil }
            underWay.waiting -= 1
            // The next caller begins anew instead of joining work that is cancelled.
            state.underWay[key] = underWay.waiting > 0 ? underWay : nil
            return underWay.waiting > 0 ? nil : underWay.task
        }
        task?.cancel()
    }
}
