internal import Foundation
internal import Submitters
internal import TestTools
internal import Testing

/// The class of an error: what the queue does next.
enum Meaning: String, Sendable {
    case published, temporary, notYet, limited, unauthorized, rejected, gone, unknownOutcome, fileUnavailable
    case cancelled, leaseLost

    init(_ error: SubmissionError) {
        switch error {
        case .temporary: self = .temporary
        case .notYet: self = .notYet
        case .limited: self = .limited
        case .unauthorized: self = .unauthorized
        case .rejected: self = .rejected
        case .gone: self = .gone
        case .unknownOutcome: self = .unknownOutcome
        case .fileUnavailable: self = .fileUnavailable
        case .cancelled: self = .cancelled
        case .leaseLost: self = .leaseLost
        }
    }
}

/// The outcome of a call; nil, and a failed test, when it throws anything but a `SubmissionError`.
func meaning(_ call: () async throws -> some Any) async -> Meaning? {
    do {
        _ = try await call()
        return .published
    } catch let error as SubmissionError {
        return Meaning(error)
    } catch {
        Issue.record(error)
        return nil
    }
}

/// The problem of an error that asks for a new login; nil, and a failed test, for any other end.
func unauthorized(_ call: () async throws -> some Any) async -> SubmissionProblem? {
    do {
        _ = try await call()
        Issue.record("no error")
    } catch SubmissionError.unauthorized(let problem) {
        return problem
    } catch {
        Issue.record(error)
    }
    return nil
}

/// The problem that a person is told when an account is refused; nil, and a failed test, when the account is connected or
/// the error is no refusal.
func refusal(_ connect: () async throws -> some Any) async -> SubmissionProblem? {
    do {
        _ = try await connect()
        Issue.record("connected")
    } catch let error as SubmissionError {
        switch error.whenConnecting {
        case .unauthorized(let problem), .rejected(let problem), .gone(let problem): return problem
        default: Issue.record(error)
        }
    } catch {
        Issue.record(error)
    }
    return nil
}

/// A used up limit that a call has met.
struct Limit: Sendable, Equatable {
    let scope: LimitScope
    let until: Date?
    let problem: SubmissionProblem
}

/// The limit that a call meets; nil, and a failed test, when it meets none.
func limitMet(_ call: () async throws -> some Any) async -> Limit? {
    do {
        _ = try await call()
        Issue.record("no limit")
    } catch SubmissionError.limited(let problem, let scope, let until) {
        return Limit(scope: scope, until: until, problem: problem)
    } catch {
        Issue.record(error)
    }
    return nil
}

extension Scene {
    /// The outcome of the attempts; pauses that are no failures are waited for.
    func meaningOfFirstFailure() async -> Meaning {
        for _ in 0..<10 {
            do throws(SubmissionError) {
                _ = try await submit()
                return .published
            } catch .notYet(let checkAfter) {
                journal.disarm()
                clock.advance(by: checkAfter)
            } catch {
                return Meaning(error)
            }
        }
        return .notYet
    }

    /// The pause that a service asks for before Pics checks whether a request has published; nil when it asks for none, or
    /// when the submission ends in another way.
    func pauseAfterUnknownOutcome() async -> Duration? {
        for _ in 0..<10 {
            do throws(SubmissionError) {
                _ = try await submit()
                return nil
            } catch .notYet(let checkAfter) {
                clock.advance(by: checkAfter)
            } catch .unknownOutcome(_, let retryAfter) {
                return retryAfter
            } catch {
                return nil
            }
        }
        return nil
    }
}

extension Reconciliation {
    /// Whether the post was found.
    var isFound: Bool { if case .found = self { true } else { false } }
}
