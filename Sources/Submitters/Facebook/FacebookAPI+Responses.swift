package import Domain
internal import FoundationEssentials
internal import HTTP

/// Comments on a post of a page, and who has reacted to it.
///
/// Source: developers.facebook.com, Graph API v26.0, "Object Comments" and "Object Reactions". Who they are is told to apps with the permission
/// `pages_read_user_content` alone; without it a comment has no author, and reactions are numbers.
extension FacebookAPI {
    /// `GET /{post}/comments`, all levels, oldest first.
    ///
    /// - Returns: The responses, and whether they are all.
    func comments(
        on post: String, of page: String
    ) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool) {
        try await list(
            "comments", of: post,
            [
                "filter": "stream", "order": "chronological",
                "fields": "id,message,created_time,from{id,name,picture},parent{id},permalink_url,is_hidden",
            ]
        ) { comment in
            guard let id = comment["id"]?.string, comment["is_hidden"]?.bool != true else { return nil }
            let from = comment["from"]
            return FoundResponse(
                kind: .comment, key: id, parent: comment["parent"]?["id"]?.string, author: Self.author(from),
                text: comment["message"]?.string ?? "", url: comment["permalink_url"]?.string,
                saidAt: comment["created_time"]?.string.flatMap(GraphList.time), isOwn: from?["id"]?.string == page)
        }
    }

    /// `GET /{post}/reactions`: those alone who let the app know.
    func reactions(to post: String) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool) {
        try await list("reactions", of: post, ["fields": "id,name,type"]) { person in
            person["id"]?.string.map { FoundResponse(kind: .like, key: "like \($0)", author: Self.author(person)) }
        }
    }

    private func list(
        _ edge: String, of post: String, _ query: FormFields, _ read: (JSONValue) -> FoundResponse?
    ) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool) {
        let list = try await graph.graphList(at: "\(version)/\(PercentEncoding.encode(post))/\(edge)", query)
        return (list.items.compactMap(read), list.isComplete)
    }

    private static func author(_ from: JSONValue?) -> FoundAuthor {
        guard let id = from?["id"]?.string else { return FoundAuthor(key: "somebody", name: "Somebody") }
        return FoundAuthor(
            key: id, name: from?["name"]?.string ?? "Facebook",
            url: "https://www.facebook.com/\(PercentEncoding.encode(id))",
            pictureURL: from?["picture"]?["data"]?["url"]?.string)
    }
}

extension FacebookSubmitter: RespondingSubmitter {
    package func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList {
        let api = self.api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
        return try await ResponseList.of([.comment, .like].filter { counted.mayHave($0) || known.contains($0) }) {
            kind throws(SubmissionError) in
            guard kind == .comment else { return try await api.reactions(to: post.remoteID) }
            return try await api.comments(on: post.remoteID, of: post.account.remoteID)
        }
    }
}
