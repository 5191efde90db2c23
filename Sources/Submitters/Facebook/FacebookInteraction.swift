package import Domain
internal import Foundation
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
        case .reply: task.isWanted ? try await reply() : try await takeBack()
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
        if task.mayHaveLeft, let found = try await own() {
            return InteractionReceipt(remoteID: found.key, url: found.url, response: found)
        }
        try await task.arm()
        let (id, url) = try await api.comment(task.text, below: task.targetKey)
        return InteractionReceipt(
            remoteID: id, url: url,
            response: FoundResponse(
                kind: .comment, key: id, parent: task.targetKey,
                author: FoundAuthor(key: page, name: task.account.name),
                text: task.text, url: url, saidAt: task.now(), isOwn: true))
    }

    private func takeBack() async throws(SubmissionError) -> InteractionReceipt {
        var id = task.remoteID
        if id == nil, task.mayHaveLeft { id = try await own()?.key }
        if let id { try await api.delete(id) }
        return InteractionReceipt()
    }

    /// The page's comment of this text, of a request that may have left. An answer to an answer stands beside it.
    private func own() async throws(SubmissionError) -> FoundResponse? {
        guard let post = task.postID else { return nil }
        for comment in try await api.comments(on: post, of: page).found.reversed()
        where comment.isOwn && comment.text == task.text && comment.saidAt.map({ $0 > task.earliest }) ?? true {
            if try await !task.isTaken(comment.key) { return comment }
        }
        return nil
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
