internal import Domain
internal import EventLoops
internal import HTTP
internal import Logging
internal import Store
internal import Submitters

/// The journal of a job, written through to its row; it speaks for one lease.
actor JobJournal: Journal {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let store: PicsStore
    private let job: ClaimedJob
    private let lease: Duration
    private var entries = JSONObject()
    private var version = 1
    /// The publishing request may have left, in this attempt or an earlier one.
    private(set) var isArmed: Bool
    /// It may have left in an earlier attempt, and what became of that is not known.
    private(set) var isOpen: Bool
    /// A person asked for the end of the submission, or made the photo private.
    private(set) var isCancelled = false
    /// How the pictures look that the journal's steps have brought to the service; nil for a change of a post.
    private var appearance: String?

    // The members that are the queue's own begin with `Self.prefix`; all others are the service's.

    /// How many attempts had failed before the one that left the outcome open.
    private static let failuresBefore = "\(JournalKey.prefix)failures_before_open"
    private static let appearanceKey = "\(JournalKey.prefix)appearance"
    /// The number of the credentials that were renewed for this job.
    static let renewedKey = "\(JournalKey.prefix)renewed"
    /// The queue's members that release 0.1.0 knows, by their names there, without the prefix. They are written under both names, and read
    /// under either, until no worker of 0.1.0 can take a job over; no service may have members of these names till then.
    private static let earlierNames = ["failures_before_open", "appearance", "renewed", "open_outcome"]

    init(_ job: ClaimedJob, store: PicsStore, lease: Duration, loop: EventLoop) {
        self.job = job
        self.store = store
        self.lease = lease
        self.loop = loop
        isArmed = job.isArmed
        isOpen = job.isArmed
    }

    /// Reads what earlier attempts have left, in the form that `submitter` knows. `appearance` is the subject's.
    ///
    /// - Throws: `JSONError`; `.temporary` for a journal of a newer Pics than this one.
    func load(for submitter: any Submitter, appearance: String? = nil) throws {
        entries = Self.separated(try JSONValue(parsing: Array(job.journal.utf8)).object ?? JSONObject())
        let upgrading = submitter as? any JournalUpgrading
        version = upgrading?.journalVersion ?? 1
        self.appearance = entries[Self.appearanceKey]?.string ?? appearance
        guard !entries.isEmpty, job.journalVersion != version else { return }
        guard job.journalVersion < version, let upgrading else {
            throw SubmissionError.temporary(Problem(.newerReleaseRequired))
        }
        entries = upgrading.upgradeJournal(entries, from: job.journalVersion)
        entries[Self.appearanceKey] = self.appearance.map { .string($0) }
    }

    func value(_ key: String) -> JSONValue? { entries[key] }

    func record(_ key: String, _ value: JSONValue?) async throws(SubmissionError) {
        try requireStorable(key, value)
        var change: JSONObject = [key: value ?? .null]
        if let appearance, entries[Self.appearanceKey] == nil { change[Self.appearanceKey] = .string(appearance) }
        try await write(change)
        for member in change { entries[member.name] = member.value.isNull ? nil : member.value }
    }

    func arm(recording steps: JSONObject) async throws(SubmissionError) {
        let asked = Moment.now
        if Task.isCancelled { throw .cancelled }
        for step in steps { try requireStorable(step.name, step.value) }
        var change = steps
        if !isOpen { change[Self.failuresBefore] = .int(Int64(job.failures)) }
        try await askToArm(change)
        if isCancelled || Task.isCancelled { throw .cancelled }
        // A process that was frozen here may have lost its lease meanwhile without knowing it; the clock goes on while
        // the machine sleeps.
        guard Moment.now - asked < lease * 0.7 else {
            throw .temporary(Problem(.interrupted))
        }
        isArmed = true
    }

    /// Writes `change` and arms the row, unless the photo was made private or looks otherwise by now.
    private func askToArm(_ change: JSONObject) async throws(SubmissionError) {
        guard let appearance else {
            try await write(change, arm: true)
            for member in change { entries[member.name] = member.value }
            return
        }
        var change = change
        change[Self.appearanceKey] = .string(appearance)
        for member in change { entries[member.name] = member.value }
        let journal = Self.serialized(change)
        let answer = await Self.uncancelled(on: loop) { [store, job, version, lease] () async throws(StoreError) in
            try await store.arm(job, appearance: appearance, journal: journal, version: version, lease: lease)
        }
        switch answer {
        case .success(.armed): return
        case .success(.cancelled): isCancelled = true
        // The picture is there already, and no part of a thread shows it.
        case .success(.outdated) where entries[JournalKey.thread] != nil: try await write(change, arm: true)
        case .success(.outdated):
            // An earlier request may have brought the old picture; then only a person can tell what is there.
            if isOpen {
                throw .gone(SubmissionProblem(.outcomeUnknown(.photoChanged)))
            }
            // The service is given the picture anew.
            var forgotten = JSONObject()
            for member in entries { forgotten[member.name] = .null }
            try await write(forgotten)
            entries = JSONObject()
            throw .notYet(checkAfter: .seconds(1))
        case .success(nil): throw .leaseLost
        case .failure(let error): throw unwritten(error)
        }
    }

    private func requireStorable(_ key: String, _ value: JSONValue?) throws(SubmissionError) {
        guard value?.isStorable ?? true else { throw unwritten(.unusableAnswer(of: nil, "a NUL in \(key)")) }
    }

    // MARK: For the worker

    /// Tries that have failed since the outcome is open.
    var openFailures: Int {
        guard isOpen, let before = entries[Self.failuresBefore]?.int else { return 0 }
        return max(0, job.failures - Int(clamping: before))
    }

    /// Ends the attempt: the photo was made private.
    func withhold() throws(SubmissionError) {
        isCancelled = true
        throw .cancelled
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

    /// A person asked for the end. Returns whether the attempt may be stopped for it: the answer to a request that has left,
    /// or to a look at what became of it, is worth more.
    func cancel() -> Bool {
        isCancelled = true
        return !isArmed
    }

    /// Without the names of 0.1.0: a member that has no other is taken over.
    private static func separated(_ stored: JSONObject) -> JSONObject {
        var entries = stored
        for name in earlierNames {
            let key = JournalKey.prefix + name
            if entries[key] == nil { entries[key] = stored[name] }
            entries[name] = nil
        }
        return entries
    }

    /// A change as it is stored, which 0.1.0 reads too.
    private static func serialized(_ change: JSONObject) -> String {
        var stored = change
        for name in earlierNames where change[JournalKey.prefix + name] != nil {
            stored[name] = change[JournalKey.prefix + name]
        }
        return String(decoding: JSONValue(stored).serialized, as: UTF8.self)
    }

    private func write(_ change: JSONObject, arm: Bool = false) async throws(SubmissionError) {
        let text = Self.serialized(change)
        let answer = await Self.uncancelled(on: loop) { [store, job, lease, version] () async throws(StoreError) in
            try await store.checkpoint(job, journal: text, version: version, arm: arm, lease: lease)
        }
        switch answer {
        case .success(let isCancelled?):
            self.isCancelled = self.isCancelled || isCancelled
        case .success(nil):
            throw .leaseLost
        case .failure(let error):
            throw unwritten(error)
        }
    }

    /// Does a write apart from the cancellable task: what was done is written down also by an attempt that is being stopped.
    static func uncancelled<Value: Sendable>(
        on loop: EventLoop, _ work: @escaping @Sendable () async throws(StoreError) -> Value
    ) async -> Result<Value, StoreError> {
        await Task(executorPreference: loop) { () async -> Result<Value, StoreError> in
            do throws(StoreError) { return .success(try await work()) } catch { return .failure(error) }
        }.value
    }

    /// Whether it was written is not known. It is not, for all that follows: nothing is sent.
    private func unwritten(_ error: StoreError) -> SubmissionError {
        let code: ProblemCode =
            switch error {
            case .unavailable, .cancelled: .databaseUnavailable
            default: .internalError
            }
        return unwritten(SubmissionProblem(Problem(code), detail: logText(of: error)))
    }

    /// The consequence of a step that is missing in the journal: a request that was sent stays sent.
    private func unwritten(_ problem: SubmissionProblem) -> SubmissionError {
        isArmed ? .unknownOutcome(problem, retryAfter: nil) : .temporary(problem, retryAfter: nil)
    }
}
