internal import HTTP
internal import Submitters
internal import System

/// A journal that survives the crashes it plays.
final class MemoryJournal: Journal {
    /// When a worker dies: with its n-th write, counted from 0.
    struct Crash: Sendable {
        let write: Int
        /// Whether that write still becomes durable.
        let isKept: Bool
    }

    private struct State {
        var values: [String: JSONValue] = [:]
        var isArmed = false
        var crash: Crash?
        var writes = 0
        var isDead = false
        var isCancelled = false
    }

    private let state = Lock(State())

    var isArmed: Bool { state.withLock { $0.isArmed } }

    /// Whether the crash has happened.
    var hasCrashed: Bool { state.withLock { $0.isDead } }

    /// How many writes there were since the last `plan`.
    var writes: Int { state.withLock { $0.writes } }

    /// Gives the journal to a new worker, which is to die as told.
    func plan(_ crash: Crash?) {
        state.withLock { state in
            state.crash = crash
            state.writes = 0
            state.isDead = false
        }
    }

    /// Takes back what `arm` has stated: the outcome is known.
    func disarm() {
        state.withLock { $0.isArmed = false }
    }

    /// Forgets everything, as for another submission of the photo, or one that looks otherwise now.
    func forget() { state.withLock { $0 = State() } }

    /// Cancels the submission: it cannot be armed any more.
    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    func value(_ key: String) async -> JSONValue? { state.withLock { $0.values[key] } }

    func record(_ key: String, _ value: JSONValue?) async throws(SubmissionError) {
        try write { $0.values[key] = value }
    }

    func arm(recording steps: JSONObject) async throws(SubmissionError) {
        if state.withLock({ $0.isCancelled }) { throw .cancelled }
        try write { state in
            for step in steps { state.values[step.name] = step.value }
            state.isArmed = true
        }
    }

    private func write(_ change: (inout State) -> Void) throws(SubmissionError) {
        let isAlive = state.withLock { state -> Bool in
            guard !state.isDead else { return false }
            defer { state.writes += 1 }
            guard let crash = state.crash, crash.write == state.writes else {
                change(&state)
                return true
            }
            state.isDead = true
            if crash.isKept { change(&state) }
            return false
        }
        if !isAlive { throw .leaseLost }
    }
}
