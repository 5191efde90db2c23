internal import Domain

/// Does a step that follows what has published, such as putting the photo in an album.
///
/// Whatever passes becomes an unknown outcome: the photo is public already, so that nobody may say it is not. A look,
/// which finds the photo, does the step again. What will never succeed is left out, and gives nil.
@discardableResult
func afterPublication<Value>(
    _ step: () async throws(SubmissionError) -> Value?
) async throws(SubmissionError) -> Value? {
    do throws(SubmissionError) {
        return try await step()
    } catch {
        switch error {
        case .temporary(let problem, let pause), .unknownOutcome(let problem, let pause):
            throw .unknownOutcome(problem, retryAfter: pause)
        case .notYet(let pause):
            throw .unknownOutcome(SubmissionProblem(Problem(.stillProcessing)), retryAfter: pause)
        case .limited(let problem, _, _), .fileUnavailable(let problem):
            throw .unknownOutcome(problem, retryAfter: nil)
        case .cancelled:
            throw .unknownOutcome(
                SubmissionProblem(Problem(.interrupted)), retryAfter: nil)
        case .leaseLost:
            throw .leaseLost
        case .unauthorized, .rejected, .gone:
            return nil
        }
    }
}
