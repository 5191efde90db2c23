internal import Foundation
package import HTTP

/// Notifications. Source: lexicon app.bsky.notification.listNotifications of bluesky-social/atproto at d6296a1c (2026-08-20).
extension BlueskyAPI {
    /// `app.bsky.notification.listNotifications`, the newest 100; its own cursor leads to older ones, so that ours is the moment of the newest.
    func news(after cursor: String?) async throws(SubmissionError) -> PostNews {
        var query: FormFields = ["limit": "100"]
        for reason in ["like", "repost", "reply", "quote"] { query.add("reasons", reason) }
        let response = try await api.send(
            .get, "/xrpc/app.bsky.notification.listNotifications?\(query.encoded)", maxResponseBytes: 4 << 20)
        guard let notices = try success(response)["notifications"]?.array else { throw client.malformed(response) }
        let fresh = notices.filter { notice in
            guard let cursor, let at = notice["indexedAt"]?.string else { return true }
            return at > cursor
        }
        let posts = fresh.flatMap { notice in
            [notice["reasonSubject"]?.string, notice["record"]?["reply"]?["root"]?["uri"]?.string].compactMap(\.self)
        }
        return PostNews(posts: Set(posts), cursor: notices.compactMap { $0["indexedAt"]?.string }.max())
    }
}

extension BlueskySubmitter: NewsSubmitter {
    package func news(
        of account: OpenedAccount, after cursor: String?, over transport: any Transport
    ) async throws(SubmissionError) -> PostNews {
        try await api(of: account, over: transport, now: now).news(after: cursor)
    }
}
