internal import Domain
internal import EventLoops
internal import System

/// Locks of uploads in this process: one request works on an upload at a time, and the newest wins.
///
/// A phone that has lost its network comes back while its old connection still looks alive. The old request is cancelled, what it
/// has received is written, and the new one goes on from there (draft-ietf-httpbis-resumable-upload, "Concurrency").
final class UploadLocks: Sendable {
    private struct Place {
        let number: UInt64
        let cancel: @Sendable () -> Void
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private struct State {
        var places: [UploadID: Place] = [:]
        var last: UInt64 = 0
    }

    private let state = Lock(State())

    /// Runs `work` once the request that worked on the upload has let go of it; one that is not cancellable is waited for, and runs to
    /// its end even if its client goes away.
    ///
    /// - Throws: What `work` throws; `ActionError.superseded` when a newer request has taken over.
    func work<Value: Sendable>(
        on upload: UploadID, isCancellable: Bool = true, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let turn = Lock<(isSuperseded: Bool, task: Task<Value, any Error>?)>((false, nil))
        let number = await take(upload) {
            guard isCancellable else { return }
            let task = turn.withLock { turn in
                turn.isSuperseded = true
                return turn.task
            }
            task?.cancel()
        }
        defer { leave(upload, number) }
        let task = Task(executorPreference: EventLoop.current) { try await work() }
        let isSuperseded = turn.withLock { turn in
            turn.task = task
            return turn.isSuperseded
        }
        if isSuperseded { task.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                if isCancellable { task.cancel() }
            }
        } catch {
            throw turn.withLock { $0.isSuperseded } ? ActionError.superseded : error
        }
    }

    private func take(_ upload: UploadID, _ cancel: @escaping @Sendable () -> Void) async -> UInt64 {
        while true {
            var taken: UInt64?
            await withCheckedContinuation { continuation in
                let holder = state.withLock { state -> (@Sendable () -> Void)? in
                    guard state.places[upload] == nil else {
                        state.places[upload]?.waiting.append(continuation)
                        return state.places[upload]?.cancel
                    }
                    state.last += 1
                    state.places[upload] = Place(number: state.last, cancel: cancel)
                    taken = state.last
                    return nil
                }
                if let holder { holder() } else { continuation.resume() }
            }
            if let taken { return taken }
        }
    }

    private func leave(_ upload: UploadID, _ number: UInt64) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard state.places[upload]?.number == number else { return [] }
            return state.places.removeValue(forKey: upload)?.waiting ?? []
        }
        for waiter in waiting { waiter.resume() }
    }
}
