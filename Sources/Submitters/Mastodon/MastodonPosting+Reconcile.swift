internal import Foundation
internal import HTTP

extension MastodonPosting {
    /// Mastodon keeps an `Idempotency-Key` for an hour (docs.joinmastodon.org, "statuses"; read 2026-11-21); this is
    /// less what a request and two clocks may take.
    private static let keyLife: TimeInterval = 55 * 60
    /// Unattached files live for about a day.
    private static let unattachedLife: TimeInterval = 24 * 3600
    /// After a request, until a list that lacks its status is believed.
    private static let listDelay: TimeInterval = 10

    /// Whether the server would answer the same request with the status that the first one made.
    ///
    /// Only Mastodon itself is known to: GoToSocial ignores the key, Pixelfed refuses a used one.
    func isRepeatable(_ outcome: OpenOutcome) -> Bool {
        settings.isMastodon && task.now() < outcome.first + Self.keyLife
    }

    /// Looks for the status that shows the uploaded file.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        // One picture of the status tells it from others, and the first is always there.
        guard let outcome = await OpenOutcome.recorded(in: task.journal), let first = task.pictures.first,
            let upload = await MastodonUpload.recorded(first, in: task.journal)
        else { return .cannotTell }
        switch try await api.status(showing: upload.id, by: settings.accountID, since: outcome.first) {
        case .found(let id, let url):
            return .found(task.receipt(remoteID: id, url: url, text: outcome.text))
        case .absent where isRepeatable(outcome), .unfinished where isRepeatable(outcome):
            return .repeatable
        case .unfinished:
            return .cannotTell
        case .absent:
            let wait = outcome.last.timeIntervalSince(task.now()) + Self.listDelay
            guard wait <= 0 else { throw .notYet(checkAfter: .seconds(wait)) }
            if try await wasShown(upload) { return .cannotTell }
            try await OpenOutcome.close(in: task.journal)
            return .absent
        }
    }

    /// The receipt of a request whose outcome was left open too long ago to be repeated.
    func earlierReceipt() async throws(SubmissionError) -> Receipt? {
        switch try await reconcile() {
        case .found(let receipt):
            return receipt
        case .absent, .repeatable:
            return nil
        case .cannotTell:
            throw .unknownOutcome(
                SubmissionProblem("Nobody can tell whether the photo was published before."), retryAfter: nil)
        }
    }

    /// Whether a status must have shown the file, though there is none now. Mastodon hides a file that has its status.
    private func wasShown(_ upload: MastodonUpload) async throws(SubmissionError) -> Bool {
        guard settings.isMastodon, task.now() < upload.uploadedAt + Self.unattachedLife else { return false }
        return try await api.mediaState(upload.id) == .missing
    }
}
