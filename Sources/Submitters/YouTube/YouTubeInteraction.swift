package import Domain
internal import FoundationEssentials
package import HTTP

/// Answers to comments, as the channel. A comment cannot be liked by a program, and nothing is reposted there.
///
/// Source: Data API v3, `comments.insert`, `comments.delete`; read 2026-11-26. The same answer twice is there twice.
struct YouTubeInteraction: Sendable {
    let task: InteractionTask
    let api: YouTubeAPI

    func perform() async throws(SubmissionError) -> InteractionReceipt {
        guard task.kind == .reply, let video = task.postID else { throw .rejected(.changeUnsupported) }
        let channel = task.account.remoteID
        return try await task.reply { () throws(SubmissionError) in
            try await task.own(
                Self.comparable(task.text),
                among: try await api.answers(to: thread, on: video, of: channel).found, as: Self.comparable)
        } make: { () throws(SubmissionError) in
            let made = try await api.answer(task.text, in: thread)
            guard let comment = api.response(made, on: video, of: channel) else {
                throw .unknownOutcome(SubmissionProblem(api.client.problem(.unreadableResponse)), retryAfter: nil)
            }
            return InteractionReceipt(comment)
        } delete: { id throws(SubmissionError) in
            try await api.deleteComment(id)
        }
    }

    /// The comment that begins the thread: an answer to an answer stands beside it. Answers are named `THREAD.ANSWER`.
    private var thread: String { String(task.targetKey.prefix { $0 != "." }) }

    /// YouTube writes white space as it likes.
    static func comparable(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension YouTubeAPI {
    /// `POST /comments`.
    func answer(_ text: String, in thread: String) async throws(SubmissionError) -> JSONValue {
        let response = try await api.send(
            .post, "\(Self.path)/comments?part=snippet",
            json: ["snippet": ["parentId": .string(thread), "textOriginal": .string(text)]], .publishing)
        // Whoever wrote it may not want answers from this channel; the account's other rights are none the worse.
        if response.status == .forbidden, YouTubeRefusal(response).reason == "forbidden" {
            throw .rejected(client.problem(.postingNotAllowed, response))
        }
        return try success(response, .publishing)
    }

    /// `DELETE /comments`; one that is not there is no error.
    func deleteComment(_ id: String) async throws(SubmissionError) {
        let query: FormFields = ["id": id]
        let response = try await api.send(.delete, "\(Self.path)/comments?\(query.encoded)")
        guard response.status.isSuccess || response.status == .notFound else { throw failure(response) }
    }
}

extension YouTubeSubmitter: InteractingSubmitter {
    package func interactions(_ settings: JSONValue) -> Set<Interaction.Kind> { [.reply] }

    package func timelineInteractions(_ settings: JSONValue) -> Set<Interaction.Kind> { [] }

    package func perform(_ task: InteractionTask) async throws(SubmissionError) -> InteractionReceipt {
        try await YouTubeInteraction(task: task, api: api(of: task.account, over: task.transport, now: task.now))
            .perform()
    }
}
