package import Domain
internal import FoundationEssentials
package import HTTP

/// Comments on the posts of an account. Who likes them, Instagram does not tell. All need `instagram_business_manage_comments`.
///
/// Source: developers.facebook.com/documentation/instagram-platform, "Comment Moderation", "IG Comment", "IG Comment Replies", and "Out-of-cycle
/// changes" of 2021-10-20 for `from`; read 2026-11-26.
extension InstagramAPI {
    private static let fields = "id,text,timestamp,username,from,hidden"

    /// `GET /{post}/comments`, each with its replies; there are no deeper levels.
    func comments(
        on post: String, of account: OpenedAccount
    ) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool) {
        let list = try await graph.graphList(
            at: "\(Self.path(post))/comments", ["fields": "\(Self.fields),replies.limit(100){\(Self.fields)}"])
        var (found, isComplete) = ([FoundResponse](), list.isComplete)
        for comment in list.items {
            guard let response = Self.response(comment, below: nil, account) else { continue }
            found.append(response)
            let replies = comment["replies"]
            found += (replies?["data"]?.array ?? []).compactMap { Self.response($0, below: response.key, account) }
            // More replies than a page has are told with the page's own list alone.
            if replies?["paging"]?["next"] != nil { isComplete = false }
        }
        return (found, isComplete)
    }

    /// Nil for one that not everybody sees.
    private static func response(
        _ comment: JSONValue, below parent: String?, _ account: OpenedAccount
    ) -> FoundResponse? {
        guard let id = comment["id"]?.string, comment["hidden"]?.bool != true else { return nil }
        let from = comment["from"]
        let username = from?["username"]?.string ?? comment["username"]?.string
        return FoundResponse(
            kind: .comment, key: id, parent: parent, author: author(username, id: from?["id"]?.string),
            text: comment["text"]?.string ?? "", saidAt: comment["timestamp"]?.string.flatMap(GraphList.time),
            isOwn: username == account.name || from?["id"]?.string == account.remoteID)
    }

    static func author(_ username: String?, id: String?) -> FoundAuthor {
        guard let key = id ?? username else { return FoundAuthor(key: "somebody", name: "Somebody") }
        return FoundAuthor(
            key: key, name: username ?? "Instagram", handle: username,
            url: username.map { "https://www.instagram.com/\(PercentEncoding.encode($0))/" })
    }

    /// `POST /{comment}/replies`. A reply to a reply stands below the comment that it is to.
    func reply(_ text: String, to comment: String) async throws(SubmissionError) -> String {
        try id(
            try await graph.send(.post, "\(Self.path(comment))/replies", form: ["message": text], .publishing),
            .publishing)
    }

    /// `DELETE /{comment}`; one that is not there is no error.
    func deleteComment(_ comment: String) async throws(SubmissionError) {
        do throws(SubmissionError) {
            _ = try success(try await graph.send(.delete, Self.path(comment)))
        } catch {
            guard case .gone = error else { throw error }
        }
    }
}

extension InstagramSubmitter: RespondingSubmitter {
    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        try await api(of: post.account, over: post.transport, now: post.now).counts(of: post.remoteID)
    }

    package func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList {
        guard counted.mayHave(.comment) || known.contains(.comment) else { return ResponseList() }
        let (found, isComplete) = try await api(of: post.account, over: post.transport, now: post.now)
            .comments(on: post.remoteID, of: post.account)
        return ResponseList(found: found, complete: isComplete ? [.comment] : [])
    }
}

extension InstagramSubmitter: InteractingSubmitter {
    package func interactions(_ settings: JSONValue) -> Set<Interaction.Kind> { [.reply] }

    package func perform(_ task: InteractionTask) async throws(SubmissionError) -> InteractionReceipt {
        guard task.kind == .reply else { throw .rejected(.changeUnsupported) }
        let api = self.api(of: task.account, over: task.transport, now: task.now)
        return try await task.reply { () throws(SubmissionError) in
            guard let post = task.postID else { return nil }
            return try await task.own(
                GraphPost.comparable(task.text), among: try await api.comments(on: post, of: task.account).found,
                as: GraphPost.comparable)
        } make: { () throws(SubmissionError) in
            let id = try await api.reply(task.text, to: task.targetKey)
            return InteractionReceipt(
                FoundResponse(
                    kind: .comment, key: id, parent: task.targetKey,
                    author: InstagramAPI.author(task.account.name, id: task.account.remoteID), text: task.text,
                    saidAt: task.now(), isOwn: true))
        } delete: { id throws(SubmissionError) in
            try await api.deleteComment(id)
        }
    }
}
