package import Domain
internal import FoundationEssentials
package import HTTP

/// Answers and likes of a page, with comments on its posts. All need the permission `pages_manage_engagement`.
///
/// Source: developers.facebook.com, Graph API v26.0, "Object Comments", "Comment" and "Object Likes". A like that is there already, and one
/// that is not there any more, are no error.
struct FacebookInteraction: Sendable {
    let task: InteractionTask
    let api: FacebookAPI

    private var page: String { task.account.remoteID }

    func perform() async throws(SubmissionError) -> InteractionReceipt {
        switch task.kind {
        case .favourite: try await like()
        case .reply: try await reply()
        case .repost: throw .rejected(.changeUnsupported)
        }
    }

    private func like() async throws(SubmissionError) -> InteractionReceipt {
        try await task.arm()
        do throws(SubmissionError) {
            try await api.like(task.targetKey, task.isWanted ? .post : .delete)
        } catch {
            // What is not there cannot be liked any more.
            guard case .gone = error, !task.isWanted else { throw error }
        }
        return InteractionReceipt(remoteID: task.isWanted ? task.targetKey : nil)
    }

    private func reply() async throws(SubmissionError) -> InteractionReceipt {
        try await task.reply { () throws(SubmissionError) in
            // An answer to an answer stands beside it.
            guard let post = task.postID else { return nil }
            return try await task.own(task.text, among: try await api.comments(on: post, of: page).found)
        } make: { () throws(SubmissionError) in
            let (id, url) = try await api.comment(task.text, below: task.targetKey)
            return InteractionReceipt(
                FoundResponse(
                    kind: .comment, key: id, parent: task.targetKey,
                    author: FoundAuthor(key: page, name: task.account.name), text: task.text, url: url,
                    saidAt: task.now(), isOwn: true))
        } delete: { id throws(SubmissionError) in
            try await api.delete(id)
        }
    }
}

extension FacebookAPI {
    /// `POST /{comment}/comments`.
    func comment(_ text: String, below comment: String) async throws(SubmissionError) -> (id: String, url: String?) {
        let response = try await graph.send(
            .post, "\(version)/\(PercentEncoding.encode(comment))/comments?fields=id,permalink_url",
            json: ["message": .string(text)], .publishing)
        let json = try success(response, .publishing)
        guard let id = json["id"]?.string else { throw client.malformed(response, .publishing) }
        return (id, json["permalink_url"]?.string)
    }

    /// `POST` or `DELETE /{comment}/likes`.
    func like(_ comment: String, _ method: HTTPMethod) async throws(SubmissionError) {
        let path = "\(version)/\(PercentEncoding.encode(comment))/likes"
        _ = try success(try await graph.send(method, path, .publishing), .publishing)
    }
}

extension FacebookSubmitter: InteractingSubmitter {
    package func interactions(_ settings: JSONValue) -> Set<Interaction.Kind> { [.reply, .favourite] }

    package func perform(_ task: InteractionTask) async throws(SubmissionError) -> InteractionReceipt {
        try await FacebookInteraction(
            task: task, api: api(task.account.settings, task.account.credentials, over: task.transport, now: task.now)
        ).perform()
    }
}
