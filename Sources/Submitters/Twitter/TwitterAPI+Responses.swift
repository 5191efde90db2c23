package import Domain
internal import FoundationEssentials
internal import HTTP

/// Answers to a post, and who likes, reposts and quotes it. Every object that is read costs credits.
///
/// Source: docs.x.com as of 2026-08-22 (OpenAPI 2.167), "Search recent posts", "Liking users", "Reposted by" and "Quote posts". The search reaches
/// back for seven days: older answers are not listed, and are not gone.
extension TwitterAPI {
    private static let people: FormFields = [
        "max_results": "100", "user.fields": "username,name,profile_image_url",
    ]
    private static let posts: FormFields = [
        "max_results": "100", "tweet.fields": "created_at,author_id,referenced_tweets", "expansions": "author_id",
        "user.fields": "username,name,profile_image_url",
    ]

    /// `GET /2/tweets/search/recent`: the answers of a conversation, those to answers too.
    func answers(to id: String, of account: String) async throws(SubmissionError) -> [FoundResponse] {
        var query = Self.posts
        query.add("query", "conversation_id:\(id)")
        let json = try success(try await send(.get, "/2/tweets/search/recent?\(query.encoded)"))
        return Self.posts(json, .comment, of: account, parent: id)
    }

    /// `GET /2/tweets/{id}/quote_tweets`.
    func quotes(of id: String) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool) {
        let json = try success(
            try await send(.get, "/2/tweets/\(PercentEncoding.encode(id))/quote_tweets?\(Self.posts.encoded)"))
        return (Self.posts(json, .quote), json["meta"]?["next_token"] == nil)
    }

    /// `GET /2/tweets/{id}/liking_users` and `retweeted_by`: one page, as the next costs as much.
    func people(
        _ list: String, of id: String, as kind: Response.Kind
    ) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool) {
        let json = try success(
            try await send(.get, "/2/tweets/\(PercentEncoding.encode(id))/\(list)?\(Self.people.encoded)"))
        let found = (json["data"]?.array ?? []).compactMap(Self.author).map {
            FoundResponse(kind: kind, key: "\(kind.rawValue) \($0.key)", author: $0)
        }
        return (found, json["meta"]?["next_token"] == nil)
    }

    private static func posts(
        _ json: JSONValue, _ kind: Response.Kind, of account: String? = nil, parent root: String? = nil
    ) -> [FoundResponse] {
        let authors = Dictionary(
            (json["includes"]?["users"]?.array ?? []).compactMap(author).map { ($0.key, $0) },
            uniquingKeysWith: { first, _ in first })
        return (json["data"]?.array ?? []).compactMap { post in
            guard let id = post["id"]?.string, let author = post["author_id"]?.string.flatMap({ authors[$0] }) else {
                return nil
            }
            let answered = TwitterPost.answered(post)
            return FoundResponse(
                kind: kind, key: kind == .comment ? id : "\(kind.rawValue) \(id)",
                parent: answered == root ? nil : answered, remoteID: id, author: author,
                text: post["text"]?.string ?? "", url: "https://x.com/i/status/\(id)",
                saidAt: post["created_at"]?.string.flatMap { Timestamp($0)?.date }, isOwn: author.key == account)
        }
    }

    private static func author(_ user: JSONValue) -> FoundAuthor? {
        guard let id = user["id"]?.string, let name = user["username"]?.string else { return nil }
        return FoundAuthor(
            key: id, name: user["name"]?.string ?? name, handle: "@\(name)", url: "https://x.com/\(name)",
            pictureURL: user["profile_image_url"]?.string)
    }
}

extension TwitterSubmitter: RespondingSubmitter {
    /// A post and its author, or a person (docs.x.com, "Pricing", read 2026-11-22).
    package var responsePrice: Int64 { 15_000 }

    package func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList {
        let api = self.api(of: post.account, over: post.transport, now: post.now)
        return try await ResponseList.of([.comment, .like, .repost, .quote].filter { counted.mayHave($0) }) {
            kind throws(SubmissionError) in
            let id = post.remoteID
            switch kind {
            case .comment: return (try await api.answers(to: id, of: post.account.remoteID), false)
            case .like: return try await api.people("liking_users", of: id, as: kind)
            case .repost: return try await api.people("retweeted_by", of: id, as: kind)
            case .quote, .mention: return try await api.quotes(of: id)
            }
        }
    }
}
