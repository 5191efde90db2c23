internal import Submitters
internal import Testing

/// The class of an error: what the queue does next.
enum Meaning: String, Sendable {
    case published, temporary, notYet, limited, unauthorized, rejected, gone, unknownOutcome, cancelled, leaseLost

    init(_ error: SubmissionError) {
        switch error {
        case .temporary: self = .temporary
        case .notYet: self = .notYet
        case .limited: self = .limited
        case .unauthorized: self = .unauthorized
        case .rejected: self = .rejected
        case .gone: self = .gone
        case .unknownOutcome: self = .unknownOutcome
        case .cancelled: self = .cancelled
        case .leaseLost: self = .leaseLost
        }
    }
}

/// What a call comes to; nil, and a failed test, when it throws anything but a `SubmissionError`.
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

extension Scene {
    /// What the tries come to, pauses that are no failures being waited for.
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
}
