internal import Domain
internal import FoundationEssentials
internal import Store
internal import Submitters

/// The queue's decision about a job after an attempt; `JobRun` carries it out.
enum JobOutcome: Equatable {
    /// The submission has come to its end.
    case finish(Submission.State, Receipt?, AttemptReport)
    /// The job goes back.
    case release(JobRelease)
    /// The job goes back and the account waits for its owner.
    case park(isArmed: Bool, report: AttemptReport)
    /// The lease is lost: somebody else writes.
    case nothing
}

/// Why a running task was cancelled.
enum StopReason: Sendable, Equatable {
    /// A person cancelled the submission.
    case user
    /// This worker is stopping.
    case shutdown
    /// The lease was lost.
    case leaseLost
    /// The try took longer than any may.
    case overdue
}

/// The facts that `JobOutcome` is decided from, beside the error.
struct AttemptFacts: Sendable {
    /// Tries that had failed before this one.
    let failures: Int
    /// The publishing request may have left, in this attempt or an earlier one.
    let isArmed: Bool
    /// It may have left in an earlier attempt, and what became of that is still not known.
    let isOpen: Bool
    /// Tries that have failed since the outcome is open.
    let openFailures: Int
    /// The reason for an early end of the attempt; nil when it ended by itself.
    let stop: StopReason?
    /// Only one job of the lane runs at a time.
    let isSequential: Bool
    let now: Date
    /// A random number in 0..<1.
    let fraction: Double
}

extension JobOutcome {
    /// A receipt came.
    static func published(_ receipt: Receipt) -> JobOutcome {
        .finish(
            .done, receipt, receipt.problem.map { AttemptReport("done", $0) } ?? AttemptReport(outcome: "done"))
    }

    /// Only a person can find out whether it was published.
    static func unknown(_ problem: Problem) -> JobOutcome {
        .finish(.unknown, nil, AttemptReport("unknown", SubmissionProblem(problem)))
    }

    /// The credentials were sealed with a key that this process does not have. Their owner cannot mend that, and they may
    /// be as good as ever: another process may have the key, or this one after its next start.
    static func withoutKey(isArmed: Bool) -> JobOutcome {
        .release(
            JobRelease(
                delay: keyPause, counts: false, isArmed: isArmed,
                report: AttemptReport("no_key", SubmissionProblem(Problem(.keyMissing)))))
    }

    /// Between two attempts of a job to whose account the key is missing.
    static let keyPause = Duration.seconds(300)

    /// Between two attempts of a job whose photo's file is missing or damaged.
    static let filePause = Duration.seconds(900)
    /// So many looks at an open outcome hold the lane. With their pauses that is about four minutes at most; afterwards the
    /// lane goes on, and the job comes back as others do that have failed.
    static let holdingLooks = 5
    /// The longest pause between two looks that hold the lane.
    static let longestHold = Duration.seconds(60)
    /// The longest that a service may ask for which holds the lane.
    static let longestAskedHold = Duration.seconds(900)

    /// The attempt ended with an error. While an earlier outcome is open, no error closes it.
    init(_ error: SubmissionError, _ facts: AttemptFacts, backoff: Backoff) {
        func again(
            _ outcome: String, _ problem: SubmissionProblem, retryAfter: Duration? = nil, isArmed: Bool
        ) -> JobOutcome {
            let hold = isArmed ? Self.hold(facts, retryAfter: retryAfter, backoff) : nil
            let delay = backoff.delay(
                afterFailures: facts.failures + 1, retryAfter: retryAfter, fraction: facts.fraction)
            return .release(
                JobRelease(
                    delay: hold == nil ? delay : nil, counts: true, isArmed: isArmed, block: hold,
                    trouble: problem.isServiceTrouble || outcome == "overdue" ? backoff.base : nil,
                    report: AttemptReport(outcome, problem)))
        }

        switch error {
        case .temporary(let problem, let retryAfter):
            self = again("temporary", problem, retryAfter: retryAfter, isArmed: facts.isOpen)
        case .unknownOutcome where facts.stop == .shutdown:
            self = .released(isArmed: true)
        case .unknownOutcome(let problem, let retryAfter):
            self = again("unknown_outcome", problem, retryAfter: retryAfter, isArmed: true)
        case .notYet(let pause):
            let pause = Self.bounded(pause)
            // A sequential lane waits with its job, so that the next photo does not overtake it. So does any lane with an
            // open outcome.
            let holds = facts.isSequential || facts.isOpen
            self = .release(
                JobRelease(
                    delay: holds ? nil : pause, counts: false, isArmed: facts.isOpen, block: holds ? pause : nil))
        case .limited(let problem, let scope, let until):
            let pause = Backoff.pause(until: until, now: facts.now, otherwise: .seconds(60))
            self = .release(
                JobRelease(
                    delay: nil, counts: false, isArmed: facts.isOpen, block: pause,
                    gateBlock: scope == .app ? pause : nil,
                    report: AttemptReport("limited_\(scope.rawValue)", problem)))
        case .unauthorized(let problem):
            self = .park(isArmed: facts.isOpen, report: AttemptReport("unauthorized", problem))
        case .rejected(let problem):
            self =
                facts.isOpen
                ? again("temporary", problem, isArmed: true)
                : .finish(.rejected, nil, AttemptReport("rejected", problem))
        case .gone(let problem):
            self = .finish(facts.isOpen ? .unknown : .rejected, nil, AttemptReport("gone", problem))
        case .fileUnavailable(let problem):
            self = .release(
                JobRelease(
                    delay: Self.filePause, counts: false, isArmed: facts.isOpen,
                    report: AttemptReport("file_unavailable", problem)))
        case .leaseLost:
            self = .nothing
        case .cancelled:
            switch facts.stop {
            case .leaseLost: self = .nothing
            case .shutdown: self = .released(isArmed: facts.isArmed)
            case .overdue:
                self = again("overdue", SubmissionProblem(Problem(.timedOut)), isArmed: facts.isArmed)
            case nil:
                self = again("interrupted", SubmissionProblem(Problem(.interrupted)), isArmed: facts.isArmed)
            case .user where facts.isOpen:
                self = .unknown(.outcomeUnknown(.cancelled))
            case .user where facts.isArmed: self = .released(isArmed: true)
            case .user: self = .finish(.cancelled, nil, AttemptReport(outcome: "cancelled"))
            }
        }
    }

    /// For how long the lane waits with a job whose outcome is open, so that it is looked up before anything newer is posted;
    /// nil when it has waited enough, or would wait too long.
    private static func hold(_ facts: AttemptFacts, retryAfter: Duration?, _ backoff: Backoff) -> Duration? {
        guard facts.openFailures < holdingLooks, retryAfter ?? .zero <= longestAskedHold else { return nil }
        let pause = backoff.delay(
            afterFailures: facts.openFailures + 1, retryAfter: nil, fraction: facts.fraction)
        return max(min(pause, longestHold), retryAfter ?? .zero)
    }

    /// The job goes on elsewhere as if this attempt had not been.
    private static func released(isArmed: Bool) -> JobOutcome {
        .release(JobRelease(delay: nil, counts: false, isArmed: isArmed))
    }

    /// The same for a job that changes a post: whatever becomes of it, the post is there, and asking twice does no harm.
    func ofChange() -> JobOutcome {
        switch self {
        case .finish(_, _, let report): .finish(.done, nil, report)
        case .release(var release):
            {
                release.isArmed = false
                return .release(release)
            }()
        case .park(_, let report): .park(isArmed: false, report: report)
        case .nothing: .nothing
        }
    }

    // Without a lower bound, a service that says "now" would be asked in a loop.
    private static func bounded(_ pause: Duration) -> Duration { min(max(pause, .seconds(1)), Backoff.longestPause) }
}

extension AttemptReport {
    init(_ outcome: String, _ problem: SubmissionProblem) {
        var told = problem.problem
        told.parameters.words = told.parameters.words?.sanitized
        self.init(outcome: outcome, status: problem.status, problem: told, detail: problem.detail?.sanitized)
    }
}
