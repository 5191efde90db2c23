internal import EventLoops
internal import HTTP
internal import Store
internal import Submitters

/// The journal of a job, written through to its row; it speaks for one lease.
actor JobJournal: Journal {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let store: Store
    private let job: ClaimedJob
    private let lease: Duration
    private var entries: JSONObject
    /// The publishing request may have left.
    private(set) var isArmed: Bool

    init(_ job: ClaimedJob, store: Store, lease: Duration, loop: EventLoop) throws(JSONError) {
        self.job = job
        self.store = store
        self.lease = lease
        self.loop = loop
        entries = try JSONValue(parsing: Array(job.journal.utf8)).object ?? JSONObject()
        isArmed = job.isArmed
    }

    func value(_ key: String) -> JSONValue? { entries[key] }

    func record(_ key: String, _ value: JSONValue?) async throws(SubmissionError) {
        _ = try await checkpoint([key: value ?? .null], arm: false)
        entries[key] = value
    }

    func arm() async throws(SubmissionError) {
        let asked = Moment.now
        if try await checkpoint([:], arm: true) { throw .cancelled }
        isArmed = true
        // A process that was frozen here may have lost its lease meanwhile without knowing it; the clock goes on while
        // the machine sleeps.
        guard Moment.now - asked < lease * 0.7 else { throw .leaseLost }
    }

    /// Returns whether cancel was asked for.
    private func checkpoint(_ change: JSONObject, arm: Bool) async throws(SubmissionError) -> Bool {
        let text = String(decoding: JSONValue(change).serialized, as: UTF8.self)
        do {
            guard let isCancelled = try await store.checkpoint(job, journal: text, arm: arm, lease: lease) else {
                throw SubmissionError.leaseLost
            }
            return isCancelled
        } catch let error as SubmissionError {
            throw error
        } catch {
            // Whether the step was written is not known. It is not, for all that follows: nothing is sent.
            throw .temporary(SubmissionProblem("The database cannot be reached."), retryAfter: nil)
        }
    }
}
