internal import Domain
internal import HTTP
internal import Submitters
internal import System
internal import TestTools

/// A service whose submitter journals three steps and the request that publishes, and whose worker can die anywhere.
final class JournallingService: Submitter, ServiceDouble {
    /// The answer to a second look or a second request.
    enum Memory: String, Sendable, CaseIterable {
        /// Requests with the same key have one effect.
        case idempotent
        /// The account's posts can be searched.
        case searchable
        /// The service tells nothing.
        case blind
    }

    /// Where the first worker dies.
    enum Point: String, Sendable, CaseIterable {
        case start, firstDone, firstRecorded, secondDone, secondRecorded, thirdDone, thirdRecorded, armed, accepted,
            recorded
    }

    private struct State {
        var posts: [String] = []
        var uploads: [String: Int] = [:]
        var hasDied = false
    }

    let description: ServiceDescription
    let died = Signal()
    let buried = Signal()
    private let memory: Memory
    private let deathAt: Point
    private let state = Lock(State())

    init(_ memory: Memory, deathAt: Point) {
        description = ScriptedSubmitter().description
        self.memory = memory
        self.deathAt = deathAt
    }

    /// The keys of what was published.
    var posts: [String] { state.withLock { $0.posts } }

    /// How often each step was done.
    var uploads: [String: Int] { state.withLock { $0.uploads } }

    func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await live(until: .start)
        let steps: [(String, Point, Point)] = [
            ("first", .firstDone, .firstRecorded), ("second", .secondDone, .secondRecorded),
            ("third", .thirdDone, .thirdRecorded),
        ]
        for (step, done, recorded) in steps where await task.journal.value(step) == nil {
            state.withLock { $0.uploads[step, default: 0] += 1 }
            try await live(until: done)
            try await task.journal.record(step, "done")
            try await live(until: recorded)
        }
        try await task.journal.arm()
        try await live(until: .armed)
        let receipt = accept(task.outboundKey)
        try await live(until: .accepted)
        try await task.journal.record("post", .string(receipt.remoteID))
        try await live(until: .recorded)
        return receipt
    }

    func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        switch memory {
        case .idempotent: .repeatable
        case .searchable: posts.contains(task.outboundKey) ? .found(receipt(task.outboundKey)) : .absent
        case .blind: .cannotTell
        }
    }

    private func accept(_ key: String) -> Receipt {
        state.withLock { state in
            if memory == .idempotent, state.posts.contains(key) { return }
            state.posts.append(key)
        }
        return receipt(key)
    }

    private func receipt(_ key: String) -> Receipt { Receipt(remoteID: key, url: nil) }

    /// Dies here, once, if this is the point: nothing more comes from this worker.
    private func live(until point: Point) async throws(SubmissionError) {
        let dies = state.withLock { state in
            guard point == deathAt, !state.hasDied else { return false }
            state.hasDied = true
            return true
        }
        guard dies else { return }
        died.fire()
        await buried.wait()
        throw .cancelled
    }
}
