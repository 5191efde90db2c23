package import Domain
internal import Foundation
import Postgres

/// An account that is to be asked which of its posts somebody has responded to.
package struct DueNews: Sendable {
    package let connection: AccountID
    package let owner: UserID
    package let service: String
    package let cursor: String?
}

extension Query where Row == DueNews {
    /// Takes accounts whose posts are still read back, each once in five minutes, where the lane is open.
    static func claimNews(of services: [String], limit: Int) -> Self {
        Query(
            "claim_news",
            """
            WITH due AS MATERIALIZED (
                SELECT l.connection_id, c.owner_id, c.service
                  FROM lanes l
                  JOIN connections c ON c.id = l.connection_id AND c.state = 'ok'
                  JOIN gate_states g ON g.name = l.gate
                  JOIN gate_states e ON e.name = '*'
                 WHERE l.news_at <= now() AND l.service = ANY ($1::text[]) AND NOT l.paused AND l.blocked_until <= now()
                   AND l.likes_at <= now() + interval '2 min' AND greatest(g.opens_at, e.opens_at) <= now()
                   AND EXISTS (SELECT FROM submissions s
                                WHERE s.connection_id = l.connection_id AND s.state = 'done' AND s.count_at IS NOT NULL)
                 ORDER BY l.news_at LIMIT $2::int FOR NO KEY UPDATE OF l SKIP LOCKED
            )
            UPDATE lanes l SET news_at = now() + interval '5 min'
              FROM due WHERE l.connection_id = due.connection_id
            RETURNING l.connection_id, due.owner_id, due.service, l.news_cursor
            """, [services, Int32(limit)]
        ) { row throws(PostgresError) in
            DueNews(
                connection: try row.id("connection_id"), owner: try row.id("owner_id"), service: try row.get("service"),
                cursor: try row.get("news_cursor"))
        }
    }
}

extension Query where Row == Void {
    static func noteNews(_ cursor: String, of connection: AccountID) -> Self {
        Query(
            "note_news", "UPDATE lanes SET news_cursor = $2 WHERE connection_id = $1", [connection.uuid, cursor])
    }

    /// Posts that something came to are read back now, with their lists: posts by their name, or by that of a response to them.
    static func quicken(_ posts: [String], of connection: AccountID) -> Self {
        Query(
            "quicken_posts",
            """
            UPDATE submissions s SET count_at = now(), responses_read_at = NULL
             WHERE s.connection_id = $1 AND s.state = 'done' AND s.count_at IS NOT NULL
               AND (s.remote_id = ANY ($2::text[])
                    OR EXISTS (SELECT FROM responses r WHERE r.submission_id = s.id AND r.remote_id = ANY ($2::text[])))
            """, [connection.uuid, posts])
    }
}

extension PicsStore {
    /// Accounts of these services to be asked now for news.
    package func claimNews(of services: [String], limit: Int) async throws(StoreError) -> [DueNews] {
        services.isEmpty ? [] : try await rows(.claimNews(of: services, limit: limit))
    }

    /// Notes what an account was told: which of its posts are to be read back now, and how far it has read.
    ///
    /// - Returns: How many posts.
    @discardableResult
    package func keepNews(
        _ posts: [String], cursor: String?, of due: DueNews
    ) async throws(StoreError) -> Int {
        let count = posts.isEmpty ? 0 : try await execute(.quicken(posts, of: due.connection))
        if let cursor, cursor != due.cursor { try await execute(.noteNews(cursor, of: due.connection)) }
        return count
    }
}
