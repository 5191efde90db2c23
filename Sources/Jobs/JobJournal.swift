internal import EventLoops
internal import HTTP
internal import Logging
internal import Store
internal import Submitters

/// The journal of a job, written through to its row; it speaks for one lease.
actor JobJournal: Journal {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let store: Store
    private let job: ClaimedJob
    private let lease: Duration
    private var entries = JSONObject()
    private var version = 1
    /// The publishing request may have left, in this try or an earlier one.
    private(set) var isArmed: Bool
    /// It may have left in an earlier try, and what became of that is not known.
    private(set) var isOpen: Bool
    /// A person asked for the end of the submission.
    private(set) var isCancelled = false
    /// The journal's member that holds how many tries had failed before the one that left the outcome open.
    private static let failuresBefore = "failures_before_open"

    init(_ job: ClaimedJob, store: Store, lease: Duration, loop: EventLoop) {
        self.job = job
        self.store = store
        self.lease = lease
        self.loop = loop
        isArmed = job.isArmed
        isOpen = job.isArmed
    }

    /// Reads what earlier tries have left, in the form that `submitter` knows.
    ///
    /// - Throws: `JSONError`; `.temporary` for a journal of a newer Pics than this one.
    func load(for submitter: any Submitter) throws {
        entries = try JSONValue(parsing: Array(job.journal.utf8)).object ?? JSONObject()
        let upgrading = submitter as? any JournalUpgrading
        version = upgrading?.journalVersion ?? 1
        guard !entries.isEmpty, job.journalVersion != version else { return }
        guard job.journalVersion < version, let upgrading else {
            throw SubmissionError.temporary("A newer Pics has begun this; it goes on with that one.")
        }
        entries = upgrading.upgradeJournal(entries, from: job.journalVersion)
    }

    func value(_ key: String) -> JSONValue? { entries[key] }

    func record(_ key: String, _ value: JSONValue?) async throws(SubmissionError) {
        guard value?.isStorable ?? true else { throw unwritten(.unusableAnswer(of: "The service", "a NUL in \(key)")) }
        try await write([key: value ?? .null])
        entries[key] = value
    }

    func arm() async throws(SubmissionError) {
        let asked = Moment.now
        if Task.isCancelled { throw .cancelled }
        let change: JSONObject = isOpen ? [:] : [Self.failuresBefore: .int(Int64(job.attempt))]
        try await write(change, arm: true)
        for member in change { entries[member.name] = member.value }
        if isCancelled || Task.isCancelled { throw .cancelled }
        // A process that was frozen here may have lost its lease meanwhile without knowing it; the clock goes on while
        // the machine sleeps.
        guard Moment.now - asked < lease * 0.7 else {
            throw .temporary("This Pics was held up.")
        }
        isArmed = true
    }

    // MARK: For the worker

    /// Tries that have failed since the outcome is open.
    var openFailures: Int {
        guard isOpen, let before = entries[Self.failuresBefore]?.int else { return 0 }
        return max(0, job.attempt - Int(clamping: before))
    }

    /// An earlier request has published nothing after all.
    func close() {
        isArmed = false
        isOpen = false
    }

    /// Makes sure that the job is still wanted, and this worker's.
    func check() async throws(SubmissionError) {
        try await write([:])
        if isCancelled { throw .cancelled }
    }

    /// A person asked for the end. Returns whether the try may be stopped for it: the answer to a request that has left,
    /// or to a look at what became of it, is worth more.
    func cancel() -> Bool {
        isCancelled = true
        return !isArmed
    }

    private func write(_ change: JSONObject, arm: Bool = false) async throws(SubmissionError) {
        let text = String(decoding: JSONValue(change).serialized, as: UTF8.self)
        // Not a part of the cancellable task: what was done is written down also by a try that is being stopped.
        let answer = await Task(executorPreference: loop) {
            [store, job, lease, version] () async -> Result<Bool?, StoreError> in
            do throws(StoreError) {
                return .success(
                    try await store.checkpoint(job, journal: text, version: version, arm: arm, lease: lease))
            } catch {
                return .failure(error)
            }
        }.value
        switch answer {
        case .success(let isCancelled?):
            self.isCancelled = self.isCancelled || isCancelled
        case .success(nil):
            throw .leaseLost
        case .failure(let error):
            // Whether it was written is not known. It is not, for all that follows: nothing is sent.
            throw unwritten(SubmissionProblem("Pics could not write down what it did.", detail: logText(of: error)))
        }
    }

    /// What follows from a step that is not in the journal: what has left has.
    private func unwritten(_ problem: SubmissionProblem) -> SubmissionError {
        isArmed ? .unknownOutcome(problem, retryAfter: nil) : .temporary(problem, retryAfter: nil)
    }
}
