internal import Domain
internal import EventLoops
internal import HTTP
internal import Submitters
internal import System

/// Publishes at once, and tells when; or does what the account's name says, see `Trouble`.
final class InstantSubmitter: Submitter {
    private struct State {
        var count = 0
        var target = 0
        var waiter: CheckedContinuation<Void, Never>?
        var begun: [SubmissionID: Moment] = [:]
        var waiters: [SubmissionID: CheckedContinuation<Moment, Never>] = [:]
        var watches = false
    }

    let description = ServiceDescription(
        id: "instant", name: "Instant", credentialFields: [], captionRule: .unlimited,
        mediaRule: MediaRule(copy: .tagged, pictureTypes: [], maximumPictureBytes: .max),
        lane: LanePolicy(concurrency: 1), takesAltText: true)
    private let state = Lock(State())

    func untilDone(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                state.target = count
                if state.count < count { state.waiter = continuation }
                return state.count >= count
            }
            if isDone { continuation.resume() }
        }
    }

    /// From now on `begun` tells when.
    func watch() { state.withLock { $0.watches = true } }

    /// When a submission was begun.
    func begun(_ id: SubmissionID) async -> Moment {
        await withCheckedContinuation { continuation in
            let moment = state.withLock { state -> Moment? in
                guard let moment = state.begun.removeValue(forKey: id) else {
                    state.waiters[id] = continuation
                    return nil
                }
                return moment
            }
            if let moment { continuation.resume(returning: moment) }
        }
    }

    func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        throw .rejected(SubmissionProblem(.other("Nobody connects here.")))
    }

    func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        if let trouble = Trouble(rawValue: task.account.name) { return try await trouble.submit() }
        let now = Moment.now
        let (waiter, watcher) = state.withLock { state in
            state.count += 1
            var watcher: CheckedContinuation<Moment, Never>?
            if state.watches {
                watcher = state.waiters.removeValue(forKey: task.submission)
                if watcher == nil { state.begun[task.submission] = now }
            }
            guard state.count == state.target else { return (nil as CheckedContinuation<Void, Never>?, watcher) }
            defer { state.waiter = nil }
            return (state.waiter, watcher)
        }
        waiter?.resume()
        watcher?.resume(returning: now)
        return Receipt(remoteID: "done", url: nil)
    }

    func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation { .repeatable }
}

/// Nothing is sent.
struct NoTransport: Transport {
    func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
        throw .notSent("there is no network here")
    }
}
