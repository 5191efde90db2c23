package import Domain
internal import FoundationEssentials
package import HTTP

/// Replies to the posts of an account. Who likes and reposts them, Threads does not tell.
///
/// Source: developers.facebook.com/documentation/threads/reference/reply-management (2026-02-13), "Publishing" (2026-04-20); read 2026-11-26.
extension ThreadsAPI {
    /// `GET /{post}/conversation`: all levels, oldest first. Needs `threads_read_replies`.
    func replies(to post: String) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool) {
        let list = try await graph.graphList(
            at: "/v1.0/\(PercentEncoding.encode(post))/conversation",
            [
                "fields":
                    "id,text,username,timestamp,permalink,replied_to,is_reply_owned_by_me,hide_status,profile_picture_url",
                "reverse": "false",
            ])
        return (list.items.compactMap { Self.response($0, to: post) }, list.isComplete)
    }

    /// Nil for one that not everybody sees.
    private static func response(_ reply: JSONValue, to post: String) -> FoundResponse? {
        guard let id = reply["id"]?.string,
            ["NOT_HUSHED", "UNHUSHED"].contains(reply["hide_status"]?.string ?? "NOT_HUSHED")
        else { return nil }
        let parent = reply["replied_to"]?["id"]?.string
        return FoundResponse(
            kind: .comment, key: id, parent: parent == post ? nil : parent,
            author: author(reply["username"]?.string, picture: reply["profile_picture_url"]?.string),
            text: reply["text"]?.string ?? "", url: reply["permalink"]?.string,
            saidAt: reply["timestamp"]?.string.flatMap(GraphList.time),
            isOwn: reply["is_reply_owned_by_me"]?.bool == true)
    }

    /// People have no number that is told; names are theirs alone.
    static func author(_ username: String?, picture: String?) -> FoundAuthor {
        guard let username else { return FoundAuthor(key: "somebody", name: "Somebody") }
        return FoundAuthor(
            key: username, name: username, handle: username,
            url: "https://www.threads.com/@\(PercentEncoding.encode(username))", pictureURL: picture)
    }

    /// `POST /me/threads` with `auto_publish_text`: a reply is there at once. Needs `threads_manage_replies`.
    func reply(_ text: String, to post: String) async throws(SubmissionError) -> String {
        try id(
            try await graph.send(
                .post, "/v1.0/me/threads",
                form: ["media_type": "TEXT", "text": text, "reply_to_id": post, "auto_publish_text": "true"],
                .publishing),
            .publishing)
    }
}

extension ThreadsSubmitter: RespondingSubmitter {
    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        try await api(of: post.account, over: post.transport, now: post.now).counts(of: post.remoteID)
    }

    package func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList {
        guard counted.mayHave(.comment) || known.contains(.comment) else { return ResponseList() }
        let (found, isComplete) = try await api(of: post.account, over: post.transport, now: post.now)
            .replies(to: post.remoteID)
        return ResponseList(found: found, complete: isComplete ? [.comment] : [])
    }
}

extension ThreadsSubmitter: InteractingSubmitter {
    package func interactions(_ settings: JSONValue) -> Set<Interaction.Kind> { [.reply] }

    package func perform(_ task: InteractionTask) async throws(SubmissionError) -> InteractionReceipt {
        guard task.kind == .reply else { throw .rejected(.changeUnsupported) }
        let api = self.api(of: task.account, over: task.transport, now: task.now)
        return try await task.reply { () throws(SubmissionError) in
            guard let post = task.postID else { return nil }
            return try await task.own(
                GraphPost.comparable(task.text), among: try await api.replies(to: post).found, as: GraphPost.comparable)
        } make: { () throws(SubmissionError) in
            let id = try await api.reply(task.text, to: task.targetKey)
            return InteractionReceipt(
                FoundResponse(
                    kind: .comment, key: id, parent: task.targetKey,
                    author: ThreadsAPI.author(task.account.name, picture: nil), text: task.text, saidAt: task.now(),
                    isOwn: true))
        } delete: { id throws(SubmissionError) in
            try await api.delete(id)
        }
    }
}
