internal import Domain
internal import FoundationEssentials
package import HTTP

/// The home timeline. Source: lexicon app.bsky.feed.getTimeline of bluesky-social/atproto at d6296a1c (2026-08-20).
extension BlueskyAPI {
    /// `app.bsky.feed.getTimeline`, in pages of 50; `did` is the account whose own posts are left out.
    func home(without did: String, after cursor: String?) async throws(SubmissionError) -> FoundTimeline {
        var query: FormFields = ["limit": "50"]
        if let cursor { query.add("cursor", cursor) }
        let response = try await api.send(
            .get, "/xrpc/app.bsky.feed.getTimeline?\(query.encoded)", maxResponseBytes: 4 << 20)
        let json = try success(response)
        guard let feed = json["feed"]?.array else { throw client.malformed(response) }
        let posts = feed.compactMap { item -> FoundPost? in
            let reposter = Self.person(item["reason"]?["by"])
            guard let post = item["post"], reposter != nil || post["author"]?["did"]?.string != did else { return nil }
            return Self.post(post, reposter: reposter, at: item["reason"]?["indexedAt"]?.string)
        }
        let last = feed.last.flatMap { $0["reason"]?["indexedAt"] ?? $0["post"]?["indexedAt"] }
        return FoundTimeline(
            posts: posts, next: feed.isEmpty ? nil : json["cursor"]?.string,
            end: last?.string.flatMap { Timestamp($0)?.date })
    }

    private static func post(_ post: JSONValue, reposter: FoundAuthor?, at time: String?) -> FoundPost? {
        guard let uri = post["uri"]?.string, let author = person(post["author"]) else { return nil }
        guard let said = time.flatMap({ Timestamp($0)?.date }) ?? self.time(of: post) else { return nil }
        let labels = (post["labels"]?.array ?? []).compactMap { $0["val"]?.string }
        return FoundPost(
            // Whoever reposts again has done it another time.
            key: reposter.map { "repost \($0.key) \(time ?? "") \(uri)" } ?? uri, remoteID: uri, author: author,
            reposter: reposter,
            text: post["record"]?["text"]?.string ?? "", isSensitive: !Self.sensitive.isDisjoint(with: labels),
            url: address(of: uri, by: author.key), saidAt: said, media: media(of: post),
            isFavourited: post["viewer"]?["like"]?.string != nil, isReposted: post["viewer"]?["repost"]?.string != nil)
    }

    /// Labels of what is not for everybody (com.atproto.label.defs, labelValue).
    private static let sensitive: Set = ["porn", "sexual", "nudity", "graphic-media", "!warn"]
}

extension BlueskySubmitter: TimelineSubmitter {
    package func timeline(
        of account: OpenedAccount, after cursor: String?, over transport: any Transport
    ) async throws(SubmissionError) -> FoundTimeline {
        try await api(of: account, over: transport, now: now).home(without: account.remoteID, after: cursor)
    }
}
