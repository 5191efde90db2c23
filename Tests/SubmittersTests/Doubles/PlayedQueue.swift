internal import Foundation
internal import Submitters
internal import TestTools
internal import Testing

/// Plays the queue's part for one submission until it has ended: what the worker does with each error.
struct PlayedQueue {
    enum Ending: Equatable {
        case done(Receipt)
        case rejected, gone, needsLogin, cancelled
        /// A person has to decide.
        case unknown
        /// The worker died.
        case crashed
        /// Too many attempts.
        case exhausted
    }

    let scene: Scene

    /// The receipt of the post that all ends with; a test fails where it ends otherwise.
    func receipt(_ location: SourceLocation = #_sourceLocation) async throws -> Receipt {
        let ending = await work()
        guard case .done(let receipt) = ending else {
            Issue.record("\(ending)", sourceLocation: location)
            throw Unpublished()
        }
        return receipt
    }

    struct Unpublished: Error {}

    /// Works until there is an ending; the clock passes over every pause.
    func work() async -> Ending {
        for _ in 0..<40 {
            do throws(SubmissionError) {
                if scene.journal.isArmed {
                    switch try await scene.reconcile() {
                    case .found(let receipt): return .done(receipt)
                    case .cannotTell: return .unknown
                    case .absent, .repeatable: scene.journal.disarm()
                    }
                }
            } catch {
                if let ending = pass(error) { return ending }
                continue
            }
            do throws(SubmissionError) {
                return .done(try await scene.submit())
            } catch {
                if case .unknownOutcome = error {} else if error != .leaseLost { scene.journal.disarm() }
                if let ending = pass(error) { return ending }
            }
        }
        return .exhausted
    }

    /// Waits as the error asks; the ending when there is nothing to wait for.
    private func pass(_ error: SubmissionError) -> Ending? {
        switch error {
        case .temporary(_, let retryAfter): scene.clock.advance(by: max(retryAfter ?? .zero, .seconds(30)))
        case .notYet(let checkAfter): scene.clock.advance(by: checkAfter)
        case .limited(_, _, let until): scene.clock.advance(to: until ?? scene.clock.now.addingTimeInterval(900))
        case .unknownOutcome(_, let retryAfter): scene.clock.advance(by: max(retryAfter ?? .zero, .seconds(30)))
        case .fileUnavailable: scene.clock.advance(by: .seconds(900))
        case .unauthorized: return .needsLogin
        case .rejected: return .rejected
        case .gone: return .gone
        case .cancelled: return .cancelled
        case .leaseLost: return .crashed
        }
        return nil
    }
}
