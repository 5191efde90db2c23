internal import Domain
internal import Foundation
internal import Store
internal import Submitters

/// What the queue does with a job after a try: decided here as a value, carried out by `JobRun`.
enum Verdict: Equatable {
    /// The submission has come to its end.
    case finish(Submission.State, Receipt?, AttemptReport)
    /// The job goes back. `delay` nil: it keeps its place in the lane.
    case release(delay: Duration?, counts: Bool, isArmed: Bool, block: Duration?, report: AttemptReport?)
    /// The job goes back and the account waits for its owner.
    case park(isArmed: Bool, report: AttemptReport)
    /// The lease is lost: somebody else writes.
    case nothing
}

/// Why a running task was cancelled.
enum StopReason: Sendable, Equatable {
    /// A person cancelled the submission.
    case person
    /// This worker is stopping.
    case shutdown
    /// The lease was lost.
    case leaseLost
    /// The try took longer than any may.
    case overdue
}

/// What `Verdict` is decided from, beside the error.
struct TryFacts: Sendable {
    /// Tries that had failed before this one.
    let failures: Int
    /// The publishing request may have left, in this try or an earlier one.
    let isArmed: Bool
    /// An earlier try armed and this one was still looking what became of it.
    let isReconciling: Bool
    /// Set when the task was cancelled.
    let stop: StopReason?
    /// Only one job of the lane runs at a time.
    let isSequential: Bool
    let now: Date
    /// A random number in 0..<1.
    let fraction: Double
}

extension Verdict {
    /// A receipt came.
    static func published(_ receipt: Receipt) -> Verdict {
        .finish(.done, receipt, AttemptReport(outcome: "done"))
    }

    /// The try ended with an error.
    init(_ error: SubmissionError, _ facts: TryFacts, backoff: Backoff) {
        // While the end of an earlier try is being looked up, no error says that nothing was published.
        let staysArmed = facts.isReconciling && facts.isArmed
        func again(_ outcome: String, _ problem: SubmissionProblem, retryAfter: Duration?, isArmed: Bool) -> Verdict {
            .release(
                delay: backoff.delay(
                    afterFailures: facts.failures + 1, retryAfter: retryAfter, fraction: facts.fraction),
                counts: true, isArmed: isArmed, block: nil, report: AttemptReport(outcome, problem))
        }

        switch error {
        case .temporary(let problem, let retryAfter):
            self = again("temporary", problem, retryAfter: retryAfter, isArmed: staysArmed)
        case .unknownOutcome(let problem):
            self = again("unknown_outcome", problem, retryAfter: nil, isArmed: true)
        case .notYet(let pause):
            // A sequential lane waits with its job, so that the next photo does not overtake it.
            self = .release(
                delay: facts.isSequential ? nil : pause, counts: false, isArmed: staysArmed,
                block: facts.isSequential ? pause : nil, report: nil)
        case .limited(let scope, let until):
            let pause = max(Duration.seconds(1), until.map { Duration.seconds($0.timeIntervalSince(facts.now)) } ?? .seconds(60))
            let problem = SubmissionProblem("The service's limit is used up; it goes on by itself.")
            self = .release(
                delay: nil, counts: false, isArmed: staysArmed, block: pause,
                report: AttemptReport("limited_\(scope.rawValue)", problem))
        case .unauthorized(let problem):
            self = .park(isArmed: staysArmed, report: AttemptReport("unauthorized", problem))
        case .rejected(let problem):
            self = staysArmed
                ? again("temporary", problem, retryAfter: nil, isArmed: true)
                : .finish(.rejected, nil, AttemptReport("rejected", problem))
        case .gone(let problem):
            self = .finish(staysArmed ? .unknown : .rejected, nil, AttemptReport("gone", problem))
        case .leaseLost:
            self = .nothing
        case .cancelled:
            self.init(stoppedBy: facts.stop ?? .shutdown, facts)
        }
    }

    private init(stoppedBy reason: StopReason, _ facts: TryFacts) {
        switch reason {
        case .leaseLost:
            self = .nothing
        case .person where !facts.isArmed:
            self = .finish(.cancelled, nil, AttemptReport(outcome: "cancelled"))
        case .person, .shutdown:
            self = .release(delay: nil, counts: false, isArmed: facts.isArmed, block: nil, report: nil)
        case .overdue:
            self = .release(
                delay: nil, counts: true, isArmed: facts.isArmed, block: nil,
                report: AttemptReport("overdue", SubmissionProblem("The service took too long.")))
        }
    }
}

extension AttemptReport {
    init(_ outcome: String, _ problem: SubmissionProblem) {
        self.init(outcome: outcome, status: problem.status, problem: problem.sentence, detail: problem.detail)
    }
}
