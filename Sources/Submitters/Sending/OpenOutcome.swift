internal import Domain
internal import FoundationEssentials
internal import HTTP

/// A publishing request whose outcome is not known yet.
///
/// Kept in the journal from the request until one has a clear answer; a look at the account starts from here.
struct OpenOutcome: Sendable, Equatable {
    fileprivate static let key = "\(JournalKey.prefix)open_outcome"

    /// When the first request was armed that may have published.
    let first: Date
    /// When the last one was.
    let last: Date
    /// The text that the last one carried.
    let text: String

    /// The outcome in the journal; nil when none is open.
    static func recorded(in journal: any Journal) async -> OpenOutcome? {
        let recorded = await journal.value(key)
        guard let first = recorded?["first"]?.double, let last = recorded?["last"]?.double,
            let text = recorded?["text"]?.string
        else { return nil }
        return OpenOutcome(
            first: Date(timeIntervalSince1970: first), last: Date(timeIntervalSince1970: last), text: text)
    }

    /// States that nothing was published after all.
    static func close(in journal: any Journal) async throws(SubmissionError) {
        try await journal.record(key, nil)
    }

    fileprivate var json: JSONValue {
        [
            "first": .double(first.timeIntervalSince1970), "last": .double(last.timeIntervalSince1970),
            "text": .string(text),
        ]
    }
}

extension SubmissionTask {
    /// Arms the journal, then sends the `request` that publishes `text`.
    ///
    /// The outcome stays open unless the request ends with a clear answer. It is told of an earlier one whose outcome is
    /// still open.
    func publish<Value>(
        _ text: String, _ request: (_ earlier: OpenOutcome?) async throws(SubmissionError) -> Value
    ) async throws(SubmissionError) -> Value {
        if Task.isCancelled { throw .cancelled }
        let earlier = await OpenOutcome.recorded(in: journal)
        let outcome = OpenOutcome(first: earlier?.first ?? now(), last: now(), text: text)
        try await journal.arm(recording: [OpenOutcome.key: outcome.json])
        do throws(SubmissionError) {
            return try await request(earlier)
        } catch {
            if case .unknownOutcome = error { throw error }
            // Whatever this request came to, the earlier one may still have published.
            if earlier == nil { try await OpenOutcome.close(in: journal) }
            throw error
        }
    }
}

/// The receipt that a `look` at an open outcome gives; nil: nothing was published, or sending again is safe.
///
/// - Throws: `.unknownOutcome` when the look cannot tell.
func earlierReceipt(
    _ client: ServiceClient, _ look: () async throws(SubmissionError) -> Reconciliation
) async throws(SubmissionError) -> Receipt? {
    switch try await look() {
    case .found(let receipt): return receipt
    case .absent, .repeatable: return nil
    case .cannotTell: throw .unknownOutcome(SubmissionProblem(client.problem(.unconfirmed)), retryAfter: nil)
    }
}

/// Does a step that follows what has published, such as putting the photo in an album.
///
/// Any error becomes an unknown outcome: the photo is public already, so that nobody may say it is not. A look,
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
