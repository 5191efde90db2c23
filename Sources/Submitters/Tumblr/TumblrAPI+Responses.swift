package import Domain
internal import FoundationEssentials
internal import HTTP

/// The notes of a post: who likes, reblogs and answers it.
///
/// Source: tumblr/docs at 708be10 (2024-10-18), `api.md`, "Notes": a like and an answer have no identifier, so that the blog and the moment stand
/// for it.
extension TumblrAPI {
    /// `GET /v2/blog/{blog}/notes`, from the newest back, page by page.
    ///
    /// - Returns: The responses, and whether they are all.
    func notes(of id: String) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool) {
        var query: FormFields = ["id": id, "mode": "all"]
        var found: [FoundResponse] = []
        for _ in 0..<Self.mostPages {
            let response = try await api.send(.get, "\(path("notes"))?\(query.encoded)")
            let json = try success(response)
            guard let notes = json["notes"]?.array else { throw client.malformed(response) }
            found += notes.compactMap(Self.response)
            let next = json["_links"]?["next"]?["query_params"]?["before_timestamp"]
            guard let before = next?.string ?? next?.int.map({ String($0) }), !notes.isEmpty else {
                return (found, true)
            }
            query = ["id": id, "mode": "all", "before_timestamp": before]
        }
        return (found, false)
    }

    private static let mostPages = 10

    private static func response(_ note: JSONValue) -> FoundResponse? {
        guard let name = note["blog_name"]?.string else { return nil }
        let key = note["blog_uuid"]?.string ?? name
        let url = note["blog_url"]?.string ?? "https://\(name).tumblr.com/"
        let author = FoundAuthor(
            key: key, name: note["blog_title"]?.string ?? name, handle: name, url: url,
            pictureURL: "https://api.tumblr.com/v2/blog/\(PercentEncoding.encode(name))/avatar/128")
        let stamp = note["timestamp"]?.int ?? note["timestamp"]?.string.flatMap { Int64($0) }
        // Microseconds in some modes.
        let time = stamp.map { Date(timeIntervalSince1970: $0 > 100_000_000_000 ? Double($0) / 1e6 : Double($0)) }
        let words = note["reply_text"]?.string ?? note["added_text"]?.string ?? ""
        switch note["type"]?.string {
        case "like": return FoundResponse(kind: .like, key: "like \(key)", author: author, saidAt: time)
        case "reply":
            guard let stamp else { return nil }
            return FoundResponse(
                kind: .comment, key: "reply \(key) \(stamp)", author: author, text: words, saidAt: time)
        case "reblog", "reblog_naked", "reblog_with_content":
            let post = note["post_id"]?.string ?? note["post_id"]?.int.map { String($0) }
            return FoundResponse(
                kind: words.isEmpty ? .repost : .quote, key: "reblog \(post ?? key)", author: author, text: words,
                url: post.map { "https://\(name).tumblr.com/post/\($0)" }, saidAt: time)
        default: return nil
        }
    }
}

extension TumblrSubmitter: RespondingSubmitter {
    package func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList {
        let (found, isComplete) = try await api(of: post.account, over: post.transport, now: post.now)
            .notes(of: post.remoteID)
        return ResponseList(found: found, complete: isComplete ? [.like, .comment, .repost, .quote] : [])
    }
}
