internal import Domain
internal import EventLoops
internal import HTTP
internal import Store
internal import Submitters
internal import System

/// The journal of an order, written through to its row; it speaks for one lease.
actor PostcardJournal: Journal {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let store: PicsStore
    private let due: DuePostcard
    private var entries: JSONObject
    /// The request that orders may have left, in this try or an earlier one.
    private(set) var isArmed: Bool
    /// It may have left in an earlier try, and what became of that is not known.
    private(set) var isOpen: Bool
    /// The owner wants the end of the order.
    private(set) var isCancelled = false

    /// How long after asking for it the right to send is believed: less than the lease.
    private static let longestWrite = Duration.seconds(200)

    init(_ due: DuePostcard, store: PicsStore, loop: EventLoop) throws(JSONError) {
        (self.due, self.store, self.loop) = (due, store, loop)
        (isArmed, isOpen) = (due.isArmed, due.isArmed)
        entries = try JSONValue(parsing: Array(due.journal.utf8)).object ?? JSONObject()
    }

    func value(_ key: String) -> JSONValue? { entries[key] }

    func record(_ key: String, _ value: JSONValue?) async throws(SubmissionError) {
        try await write([key: value ?? .null])
    }

    func arm(recording steps: JSONObject) async throws(SubmissionError) {
        let asked = Moment.now
        if Task.isCancelled { throw .cancelled }
        try await write(steps, arm: true)
        if isCancelled || Task.isCancelled { throw .cancelled }
        guard Moment.now - asked < Self.longestWrite else { throw .temporary(Problem(.interrupted)) }
        isArmed = true
    }

    /// An earlier request has ordered nothing after all.
    func close() { (isArmed, isOpen) = (false, false) }

    /// Also for a try that is being stopped: what was done is written down.
    private func write(_ change: JSONObject, arm: Bool = false) async throws(SubmissionError) {
        for member in change where !member.value.isStorable || member.name.utf8.contains(0) {
            throw unwritten(.internalError)
        }
        let text = String(decoding: JSONValue(change).serialized, as: UTF8.self)
        let answer = await JobJournal.uncancelled(on: loop) { [store, due] () async throws(StoreError) in
            try await store.checkpoint(due, journal: text, arm: arm)
        }
        switch answer {
        case .success(let isCancelled?): self.isCancelled = isCancelled
        case .success(nil): throw .leaseLost
        case .failure: throw unwritten(.databaseUnavailable)
        }
        for member in change { entries[member.name] = member.value.isNull ? nil : member.value }
    }

    /// The consequence of a step that is missing in the journal: a request that was sent stays sent.
    private func unwritten(_ code: ProblemCode) -> SubmissionError {
        let problem = SubmissionProblem(Problem(code))
        return isArmed ? .unknownOutcome(problem, retryAfter: nil) : .temporary(problem, retryAfter: nil)
    }
}
