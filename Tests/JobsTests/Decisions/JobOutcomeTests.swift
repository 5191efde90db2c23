internal import Domain
internal import Foundation
internal import Store
internal import Submitters
internal import Testing

@testable import Jobs

private let problem = SubmissionProblem(.other("It did not work."), status: 503, detail: "upstream")

/// Failures 0 and fraction 1 make the backoff 15 s.
private let firstWait = Duration.seconds(15)

private func report(_ outcome: String) -> AttemptReport {
    AttemptReport(outcome: outcome, status: 503, problem: .other("It did not work."), detail: "upstream")
}

private func facts(
    isArmed: Bool = false, isOpen: Bool = false, openFailures: Int = 0, stop: StopReason? = nil,
    isSequential: Bool = true
) -> AttemptFacts {
    AttemptFacts(
        failures: openFailures, isArmed: isArmed, isOpen: isOpen, openFailures: openFailures, stop: stop,
        isSequential: isSequential,
        now: Date(timeIntervalSince1970: 1000), fraction: 1)
}

private func again(_ outcome: String, _ delay: Duration = firstWait) -> JobOutcome {
    .release(delay: delay, counts: true, isArmed: false, block: nil, report: report(outcome))
}

/// The job keeps its place, and its lane waits.
private func held(_ outcome: String, _ pause: Duration = firstWait) -> JobOutcome {
    .release(delay: nil, counts: true, isArmed: true, block: pause, report: report(outcome))
}

private func givenBack(isArmed: Bool = false) -> JobOutcome {
    .release(delay: nil, counts: false, isArmed: isArmed, block: nil, report: nil)
}

struct VerdictTests {
    private static let limit = report("limited_account")

    @Test(arguments: [
        (SubmissionError.temporary(problem, retryAfter: nil), again("temporary")),
        (.temporary(problem, retryAfter: .seconds(90)), again("temporary", .seconds(90))),
        (.unknownOutcome(problem, retryAfter: nil), held("unknown_outcome")),
        (
            .unknownOutcome(problem, retryAfter: .seconds(90)),
            held("unknown_outcome", .seconds(90))
        ),
        (.unauthorized(problem), .park(isArmed: false, report: report("unauthorized"))),
        (.rejected(problem), .finish(.rejected, nil, report("rejected"))),
        (.gone(problem), .finish(.rejected, nil, report("gone"))),
        (.leaseLost, .nothing),
        (
            .limited(problem, .account, until: Date(timeIntervalSince1970: 1300)),
            .release(delay: nil, counts: false, isArmed: false, block: .seconds(300), report: limit)
        ),
        (
            .limited(problem, .account, until: nil),
            .release(delay: nil, counts: false, isArmed: false, block: .seconds(60), report: limit)
        ),
        (
            .notYet(checkAfter: .seconds(7)),
            .release(delay: nil, counts: false, isArmed: false, block: .seconds(7), report: nil)
        ),
    ])
    func `an error of a fresh try decides`(error: SubmissionError, expected: JobOutcome) {
        #expect(JobOutcome(error, facts(), backoff: Backoff()) == expected)
    }

    @Test(arguments: [
        (SubmissionError.temporary(problem, retryAfter: nil), held("temporary")),
        (.unknownOutcome(problem, retryAfter: nil), held("unknown_outcome")),
        (.unauthorized(problem), .park(isArmed: true, report: report("unauthorized"))),
        (.rejected(problem), held("temporary")),
        (.gone(problem), .finish(.unknown, nil, report("gone"))),
        (.leaseLost, .nothing),
        (
            .limited(problem, .account, until: nil),
            .release(delay: nil, counts: false, isArmed: true, block: .seconds(60), report: limit)
        ),
        (
            .notYet(checkAfter: .seconds(7)),
            .release(delay: nil, counts: false, isArmed: true, block: .seconds(7), report: nil)
        ),
    ])
    func `no error closes the open outcome of an earlier try`(error: SubmissionError, expected: JobOutcome) {
        #expect(JobOutcome(error, facts(isArmed: true, isOpen: true), backoff: Backoff()) == expected)
    }

    @Test(arguments: [
        (SubmissionError.temporary(problem, retryAfter: nil), again("temporary")),
        (.unknownOutcome(problem, retryAfter: nil), held("unknown_outcome")),
        (.unauthorized(problem), .park(isArmed: false, report: report("unauthorized"))),
        (.rejected(problem), .finish(.rejected, nil, report("rejected"))),
        (.gone(problem), .finish(.rejected, nil, report("gone"))),
    ])
    func `an answer to this try's own publishing request is believed`(error: SubmissionError, expected: JobOutcome) {
        #expect(JobOutcome(error, facts(isArmed: true), backoff: Backoff()) == expected)
    }

    @Test func `in a lane of several jobs, work in progress delays its own job alone`() {
        let outcome = JobOutcome(
            .notYet(checkAfter: .seconds(7)), facts(isSequential: false), backoff: Backoff())

        #expect(
            outcome == .release(delay: .seconds(7), counts: false, isArmed: false, block: nil, report: nil))
    }

    @Test(arguments: [
        (Duration.zero, Duration.seconds(1)), (.seconds(-5), .seconds(1)), (.seconds(Int64.max), .seconds(86_400)),
    ])
    func `a pause is at least a second and at most a day`(asked: Duration, granted: Duration) {
        let outcome = JobOutcome(.notYet(checkAfter: asked), facts(), backoff: Backoff())

        #expect(outcome == .release(delay: nil, counts: false, isArmed: false, block: granted, report: nil))
    }

    @Test(arguments: [(0.0, 1), (999.0, 1), (1_000_000_000.0, 86_400), (.infinity, 86_400), (.nan, 1)])
    func `a limit holds for at least a second and at most a day`(end: TimeInterval, seconds: Int) {
        let until = Date(timeIntervalSince1970: end)

        let outcome = JobOutcome(.limited(problem, .account, until: until), facts(), backoff: Backoff())

        #expect(
            outcome
                == .release(delay: nil, counts: false, isArmed: false, block: .seconds(seconds), report: Self.limit))
    }

    @Test func `a used up limit of the whole application says so`() throws {
        let outcome = JobOutcome(.limited(problem, .app, until: nil), facts(), backoff: Backoff())

        guard case .release(let release) = outcome else { throw WrongVerdict(outcome: outcome) }
        #expect(release.gateBlock == .seconds(60))
        #expect(release.report?.outcome == "limited_app")
    }

    @Test(arguments: [false, true])
    func `a missing key delays the job alone, does not count, and leaves the account as it is`(
        isArmed: Bool
    ) throws {
        let outcome = JobOutcome.withoutKey(isArmed: isArmed)

        guard case .release(let release) = outcome else { throw WrongVerdict(outcome: outcome) }
        #expect(release.delay == .seconds(300))
        #expect(!release.counts)
        #expect(release.isArmed == isArmed)
        #expect(release.block == nil)
        #expect(release.report?.problem == Problem(.keyMissing))
    }

    @Test(arguments: [(0, 15), (1, 30), (2, 60), (3, 60), (4, 60)])
    func `a lane waits for five looks at an open outcome, with growing pauses`(looks: Int, seconds: Int) {
        let outcome = JobOutcome(
            .temporary(problem, retryAfter: nil), facts(isArmed: true, isOpen: true, openFailures: looks),
            backoff: Backoff())

        #expect(outcome == held("temporary", .seconds(seconds)))
    }

    @Test func `after five looks the lane goes on, and the outcome stays open`() throws {
        let outcome = JobOutcome(
            .temporary(problem, retryAfter: nil), facts(isArmed: true, isOpen: true, openFailures: 5),
            backoff: Backoff())

        guard case .release(let release) = outcome else { throw WrongVerdict(outcome: outcome) }
        #expect(release.block == nil)
        #expect(release.delay == .seconds(480))
        #expect(release.isArmed)
    }

    @Test(arguments: [(900, true), (901, false)])
    func `a service may ask for a quarter of an hour while the lane waits`(seconds: Int, holds: Bool) throws {
        let outcome = JobOutcome(
            .unknownOutcome(problem, retryAfter: .seconds(seconds)), facts(isArmed: true), backoff: Backoff())

        guard case .release(let release) = outcome else { throw WrongVerdict(outcome: outcome) }
        #expect((release.block == .seconds(seconds)) == holds)
        #expect((release.delay == .seconds(seconds)) == !holds)
    }

    @Test func `a lane of several jobs waits too while an outcome is open`() {
        let outcome = JobOutcome(
            .notYet(checkAfter: .seconds(7)), facts(isArmed: true, isOpen: true, isSequential: false),
            backoff: Backoff())

        #expect(outcome == .release(delay: nil, counts: false, isArmed: true, block: .seconds(7), report: nil))
    }

    // MARK: Cancelled tasks

    @Test(arguments: [
        (StopReason.user, facts(stop: .user), JobOutcome.finish(.cancelled, nil, AttemptReport(outcome: "cancelled"))),
        (.user, facts(isArmed: true, stop: .user), givenBack(isArmed: true)),
        (.shutdown, facts(stop: .shutdown), givenBack()),
        (.shutdown, facts(isArmed: true, stop: .shutdown), givenBack(isArmed: true)),
        (.shutdown, facts(isArmed: true, isOpen: true, stop: .shutdown), givenBack(isArmed: true)),
        (.leaseLost, facts(stop: .leaseLost), .nothing),
        (.leaseLost, facts(isArmed: true, stop: .leaseLost), .nothing),
    ])
    func `who stopped a try decides what becomes of it`(reason: StopReason, facts: AttemptFacts, expected: JobOutcome) {
        #expect(JobOutcome(.cancelled, facts, backoff: Backoff()) == expected)
    }

    @Test func `a cancelled submission whose earlier outcome stays open is for a person to look at`() throws {
        let outcome = JobOutcome(.cancelled, facts(isArmed: true, isOpen: true, stop: .user), backoff: Backoff())

        guard case .finish(let state, let receipt, let report) = outcome else { throw WrongVerdict(outcome: outcome) }
        #expect(state == .unknown)
        #expect(receipt == nil)
        #expect(report.problem == .outcomeUnknown(.cancelled))
    }

    @Test(arguments: [false, true])
    func `a try that took too long counts and waits`(isArmed: Bool) throws {
        let outcome = JobOutcome(.cancelled, facts(isArmed: isArmed, stop: .overdue), backoff: Backoff())

        guard case .release(let release) = outcome else { throw WrongVerdict(outcome: outcome) }
        #expect(release.counts && release.isArmed == isArmed)
        #expect(release.delay == (isArmed ? nil : firstWait))
        #expect(release.block == (isArmed ? firstWait : nil))
        #expect(release.report?.outcome == "overdue")
    }

    @Test(arguments: [false, true])
    func `a try that ended by itself as if it were cancelled counts and waits`(isArmed: Bool) throws {
        let outcome = JobOutcome(.cancelled, facts(isArmed: isArmed), backoff: Backoff())

        guard case .release(let release) = outcome else { throw WrongVerdict(outcome: outcome) }
        #expect(release.counts && release.isArmed == isArmed)
        #expect(release.delay == (isArmed ? nil : firstWait))
        #expect(release.block == (isArmed ? firstWait : nil))
        #expect(release.report?.outcome == "interrupted")
    }

    @Test func `a publishing request that a stop has interrupted does not count`() {
        let outcome = JobOutcome(
            .unknownOutcome(problem, retryAfter: nil), facts(isArmed: true, stop: .shutdown), backoff: Backoff())

        #expect(outcome == givenBack(isArmed: true))
    }

    @Test func `what a service wrote is made fit for the database`() {
        let problem = SubmissionProblem(.other("A\u{0}B"), status: 400, detail: "C\u{0}D")

        let outcome = JobOutcome(.rejected(problem), facts(), backoff: Backoff())

        let report = AttemptReport(
            outcome: "rejected", status: 400, problem: .other("A\u{FFFD}B"), detail: "C\u{FFFD}D")
        #expect(outcome == .finish(.rejected, nil, report))
    }
}

/// Rules for every error in every situation.
struct VerdictPropertyTests {
    private static let errors: [SubmissionError] = [
        .temporary(problem, retryAfter: nil), .notYet(checkAfter: .zero), .limited(problem, .account, until: nil),
        .limited(problem, .app, until: .distantPast), .unauthorized(problem), .rejected(problem), .gone(problem),
        .unknownOutcome(problem, retryAfter: .zero), .cancelled, .leaseLost,
    ]
    private static let reasons: [StopReason?] = [nil, .user, .shutdown, .leaseLost, .overdue]

    private static func situations(isOpen: Bool) -> [AttemptFacts] {
        reasons.flatMap { stop in
            [false, true].flatMap { isSequential in
                (isOpen ? [true] : [false, true]).map { isArmed in
                    facts(isArmed: isArmed, isOpen: isOpen, stop: stop, isSequential: isSequential)
                }
            }
        }
    }

    @Test(arguments: errors)
    func `an open outcome ends by a look or by a person only`(error: SubmissionError) {
        let verdicts = Self.situations(isOpen: true).map { JobOutcome(error, $0, backoff: Backoff()) }

        #expect(verdicts.allSatisfy { $0.keepsOutcomeOpen })
    }

    @Test(arguments: errors)
    func `what is tried again at once was given back by a stop, a cancel, or counts`(error: SubmissionError) {
        let situations = Self.situations(isOpen: false) + Self.situations(isOpen: true)

        let hasty = situations.filter { JobOutcome(error, $0, backoff: Backoff()).isDueAtOnce }

        #expect(hasty.allSatisfy { $0.stop == .shutdown || ($0.stop == .user && $0.isArmed && !$0.isOpen) })
    }

    @Test func `a lost lease is written by nobody`() {
        let situations = Self.situations(isOpen: false) + Self.situations(isOpen: true)

        let verdicts = situations.map { JobOutcome(.leaseLost, $0, backoff: Backoff()) }

        #expect(verdicts.allSatisfy { $0 == .nothing })
    }
}

extension JobOutcome {
    fileprivate static func release(
        delay: Duration?, counts: Bool, isArmed: Bool, block: Duration?, report: AttemptReport?
    ) -> JobOutcome {
        .release(
            JobRelease(
                delay: delay, counts: counts, isArmed: isArmed, block: block,
                trouble: counts && report?.status == 503 ? Backoff().base : nil, report: report))
    }

    fileprivate var keepsOutcomeOpen: Bool {
        switch self {
        case .finish(let state, _, _): state == .unknown
        case .release(let release): release.isArmed
        case .park(let isArmed, _): isArmed
        case .nothing: true
        }
    }

    fileprivate var isDueAtOnce: Bool {
        guard case .release(let release) = self else { return false }
        return (release.delay ?? .zero) <= .zero && (release.block ?? .zero) <= .zero
    }
}

private struct WrongVerdict: Error {
    let outcome: JobOutcome
}
