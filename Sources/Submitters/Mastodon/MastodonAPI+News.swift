internal import Foundation
package import HTTP

/// Notifications. Source: docs.joinmastodon.org at version 4.6, method "notifications".
extension MastodonAPI {
    /// `GET /api/v1/notifications`, the newest 80. Pleroma wants the types in this form.
    func news(after cursor: String?) async throws(SubmissionError) -> PostNews {
        var query: FormFields = ["limit": "80"]
        for type in ["mention", "favourite", "reblog", "quote", "update"] { query.add("types[]", type) }
        if let cursor, !cursor.isEmpty { query.add("since_id", cursor) }
        let response = try await api.send(.get, "/api/v1/notifications?\(query.encoded)", maxResponseBytes: 4 << 20)
        guard let notices = try await success(response).array else { throw client.malformed(response) }
        let posts = notices.flatMap { notice -> [String] in
            let status = notice["status"]
            // Of an answer what it answers.
            return [status?["id"]?.string, status?["in_reply_to_id"]?.string].compactMap(\.self)
        }
        return PostNews(posts: Set(posts), cursor: notices.first?["id"]?.string)
    }
}

extension MastodonSubmitter: NewsSubmitter {
    package func news(
        of account: OpenedAccount, after cursor: String?, over transport: any Transport
    ) async throws(SubmissionError) -> PostNews {
        try await api(for: account, over: transport, now: now).news(after: cursor)
    }
}
