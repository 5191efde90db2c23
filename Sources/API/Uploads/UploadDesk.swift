internal import Domain
internal import EventLoops

/// Who works on which upload in this process: one at a time, and the newest wins.
///
/// A phone that has lost its network comes back while its old connection still looks alive. The old request is cancelled, what it
/// has received is written, and the new one goes on from there (draft-ietf-httpbis-resumable-upload, "Concurrency").
final class UploadDesk: Sendable {
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

    /// Runs `work` once whoever worked on the upload has let go of it; one that is not
    /// cancellable is waited for.
    ///
    /// - Throws: What `work` throws; `RequestProblem.superseded` when a newer request has taken over.
    func work<Value: Sendable>(
        on upload: UploadID, isCancellable: Bool = true, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let isSuperseded = Lock(false)
        let turn = Turn()
        let task = Task(executorPreference: EventLoop.current) {
            await turn.begins()
            return try await work()
        }
        let number = await take(upload) {
            guard isCancellable else { return }
            isSuperseded.withLock { $0 = true }
            task.cancel()
        }
        turn.begin()
        defer { leave(upload, number) }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            throw isSuperseded.withLock { $0 } ? RequestProblem.superseded : error
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

    /// Lets a task wait for its turn.
    private final class Turn: Sendable {
        private let state = Lock<(hasBegun: Bool, waiter: CheckedContinuation<Void, Never>?)>((false, nil))

        func begins() async {
            await withCheckedContinuation { continuation in
                let hasBegun = state.withLock { state in
                    if !state.hasBegun { state.waiter = continuation }
                    return state.hasBegun
                }
                if hasBegun { continuation.resume() }
            }
        }

        func begin() {
            let waiter = state.withLock { state in
                state.hasBegun = true
                return state.waiter
            }
            waiter?.resume()
        }
    }
}
