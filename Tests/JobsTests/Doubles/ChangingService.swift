internal import Domain
internal import Foundation
internal import HTTP
internal import Submitters
internal import System

/// A service whose posts can be changed and taken back, and whose credentials end.
final class ChangingService: DeletingSubmitter, EditingSubmitter, RefreshingSubmitter, ServiceDouble {
    private struct State {
        var deleted: [String] = []
        var texts: [String] = []
        var tokens: [String] = []
        var refreshes = 0
        var problems: [SubmissionError] = []
        var end: Date?
        var refused: Set<String> = []
    }

    let description = ServiceDescription.scripted(takesAltText: true)
    private let state = Lock(State())

    var deleted: [String] { state.withLock { $0.deleted } }
    var texts: [String] { state.withLock { $0.texts } }
    /// The tokens of the accepted publishing requests, oldest first.
    var tokens: [String] { state.withLock { $0.tokens } }
    var refreshes: Int { state.withLock { $0.refreshes } }

    /// The next change fails.
    func fail(_ error: SubmissionError) { state.withLock { $0.problems.append(error) } }

    /// When the first credentials end.
    func endCredentials(at date: Date) { state.withLock { $0.end = date } }

    /// Publishing with such tokens is refused.
    func refuse(_ tokens: Set<String>) { state.withLock { $0.refused = tokens } }

    private func stumble() throws(SubmissionError) {
        let problem = state.withLock { $0.problems.isEmpty ? nil : $0.problems.removeFirst() }
        if let problem { throw problem }
    }

    func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        let isRefused = state.withLock { $0.refused.contains(task.account.credentials["token"]?.string ?? "none") }
        if isRefused { throw .unauthorized(SubmissionProblem(.other("These are not known."))) }
        state.withLock { $0.tokens.append(task.account.credentials["token"]?.string ?? "none") }
        return Receipt(remoteID: "post", url: "https://social.test/post")
    }

    func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try stumble()
        state.withLock { $0.deleted.append(post.remoteID) }
    }

    func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        try stumble()
        state.withLock { $0.texts.append(text) }
    }

    func expiry(of credentials: JSONValue) -> Date? {
        credentials["token"] == "secret" ? state.withLock { $0.end } : nil
    }

    func refreshCredentials(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue {
        state.withLock { $0.refreshes += 1 }
        try stumble()
        return ["token": "fresh", "refresh_token": ""]
    }
}
