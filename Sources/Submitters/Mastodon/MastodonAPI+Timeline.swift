internal import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP

/// The home timeline. Source: docs.joinmastodon.org at version 4.6, method "timelines".
extension MastodonAPI {
    /// `GET /api/v1/timelines/home`, in pages of 40, which is the most there is; `account` is the one whose own posts are left out.
    func home(without account: String, before cursor: String?) async throws(SubmissionError) -> FoundTimeline {
        var query: FormFields = ["limit": "40"]
        if let cursor { query.add("max_id", cursor) }
        let response = try await api.send(.get, "/api/v1/timelines/home?\(query.encoded)", maxResponseBytes: 4 << 20)
        // The server makes the timeline anew.
        guard response.status.code != 206 else { throw .temporary(client.problem(.busy, response), retryAfter: nil) }
        guard let statuses = try await success(response).array else { throw client.malformed(response) }
        let posts = statuses.compactMap { status -> FoundPost? in
            let shown = status["reblog"].flatMap { $0.isNull ? nil : $0 } ?? status
            let isRepost = shown["id"]?.string != status["id"]?.string
            guard isRepost || status["account"]?["id"]?.string != account else { return nil }
            return post(shown, in: status, isRepost: isRepost)
        }
        return FoundTimeline(
            posts: posts, next: statuses.last?["id"]?.string,
            end: statuses.last?["created_at"]?.string.flatMap { Timestamp($0)?.date })
    }

    private func post(_ status: JSONValue, in entry: JSONValue, isRepost: Bool) -> FoundPost? {
        guard let id = status["id"]?.string, let uri = status["uri"]?.string, let author = author(status["account"]),
            let time = entry["created_at"]?.string.flatMap({ Timestamp($0)?.date })
        else { return nil }
        let reposter = isRepost ? self.author(entry["account"]) : nil
        return FoundPost(
            key: isRepost ? "repost \(entry["id"]?.string ?? "") \(uri)" : uri, remoteID: id, author: author,
            reposter: reposter, text: HTMLText.plain(status["content"]?.string ?? ""),
            warning: status["spoiler_text"]?.string ?? "", isSensitive: status["sensitive"]?.bool == true,
            url: status["url"]?.string ?? uri, saidAt: time, media: Self.media(of: status),
            isFavourited: status["favourited"]?.bool == true, isReposted: status["reblogged"]?.bool == true)
    }
}

extension MastodonServing {
    package func timeline(
        of account: OpenedAccount, after cursor: String?, over transport: any Transport
    ) async throws(SubmissionError) -> FoundTimeline {
        try await api(for: account, over: transport, now: now)
            .home(without: MastodonSettings(account.settings).accountID, before: cursor)
    }
}
