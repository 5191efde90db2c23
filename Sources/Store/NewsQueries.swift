package import Domain
internal import FoundationEssentials
import Postgres

/// An account that is to be asked which of its posts somebody has responded to.
package struct DueNews: Sendable {
    package let connection: AccountID
    package let owner: UserID
    package let service: String
    package let cursor: String?
}

/// Lanes of services `$1` whose posts are still read back, with their connections as `c`: open, and not held back by a limit.
private let readLanes = """
    lanes l
    JOIN connections c ON c.id = l.connection_id AND c.state = 'ok'
    JOIN gate_states g ON g.name = l.gate
    JOIN gate_states e ON e.name = '*'
     WHERE l.service = ANY ($1::text[]) AND l.blocked_until <= now()
       AND l.likes_at <= now() + interval '2 min' AND greatest(g.opens_at, e.opens_at) <= now()
       AND EXISTS (SELECT FROM submissions s
                    WHERE s.connection_id = l.connection_id AND s.state = 'done' AND s.count_at IS NOT NULL)
    """

extension Query where Row == DueNews {
    /// Takes accounts whose posts are still read back, each once in five minutes, and once in half an hour while its service tells of news.
    /// The lane must be open.
    static func claimNews(of services: [String], limit: Int) -> Self {
        Query(
            "claim_news",
            """
            WITH due AS MATERIALIZED (
                SELECT l.connection_id, c.owner_id, c.service
                  FROM \(readLanes)
                   AND l.news_at <= now() AND NOT l.paused
                 ORDER BY l.news_at LIMIT $2::int FOR NO KEY UPDATE OF l SKIP LOCKED
            )
            UPDATE lanes l
               SET news_at = now() + CASE WHEN l.subscribed_until > now() THEN interval '30 min' ELSE interval '5 min' END,
                   news_read_at = now()
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

extension Query where Row == SealedAccount {
    /// Takes accounts whose services are to be asked to tell of news; each again in a day, and sooner when it fails.
    static func claimSubscriptions(of services: [String], limit: Int) -> Self {
        Query(
            "claim_news_subscriptions",
            """
            WITH due AS MATERIALIZED (
                SELECT l.connection_id
                  FROM \(readLanes)
                   AND l.subscribe_at <= now()
                 ORDER BY l.subscribe_at LIMIT $2::int FOR NO KEY UPDATE OF l SKIP LOCKED
            ), paced AS (
                UPDATE lanes l SET subscribe_at = now() + interval '1 hour'
                  FROM due WHERE l.connection_id = due.connection_id
            )
            SELECT \(SealedAccount.columns) FROM due JOIN connections c ON c.id = due.connection_id
            """, [services, Int32(limit)]
        ) { row throws(PostgresError) in try SealedAccount(row) }
    }
}

extension Query where Row == Void {
    static func noteSubscription(of connection: AccountID, next: Duration, lasts: Duration) -> Self {
        Query(
            "note_news_subscription",
            """
            UPDATE lanes SET subscribe_at = now() + $2::interval, subscribed_until = now() + $3::interval
             WHERE connection_id = $1
            """, [connection.uuid, next, lasts])
    }

    /// An account is asked for its news now, or fifteen seconds after the last time.
    static func bringNewsForward(of connection: AccountID) -> Self {
        Query(
            "bring_news_forward",
            """
            UPDATE lanes SET news_at = greatest(now(), news_read_at + interval '15 s')
             WHERE connection_id = $1 AND news_at > greatest(now(), news_read_at + interval '15 s')
            """, [connection.uuid])
    }

    /// Posts that a service has named are read back at the account's next turn, with their lists.
    static func quickenNamed(_ posts: [String], of account: String, at service: String) -> Self {
        Query(
            "quicken_named_posts",
            """
            UPDATE submissions s SET count_at = now(), responses_read_at = NULL
              FROM connections c
             WHERE c.service = $2 AND c.remote_id = $3 AND c.state = 'ok' AND s.connection_id = c.id AND s.state = 'done'
               AND s.count_at IS NOT NULL AND s.remote_id = ANY ($1::text[])
            """, [posts, service, account])
    }
}

extension PicsStore {
    /// Accounts of these services that are to be subscribed to now.
    package func claimSubscriptions(of services: [String], limit: Int) async throws(StoreError) -> [SealedAccount] {
        services.isEmpty ? [] : try await rows(.claimSubscriptions(of: services, limit: limit))
    }

    /// Notes that an account's service is asked again after `next`, and that it tells of news for as long as `lasts`.
    package func noteSubscription(
        of connection: AccountID, next: Duration, lasts: Duration
    ) async throws(StoreError) {
        try await execute(.noteSubscription(of: connection, next: next, lasts: lasts))
    }

    /// An account's service has told that there is news.
    package func noteNews(of connection: AccountID) async throws(StoreError) {
        try await execute(.bringNewsForward(of: connection))
    }

    /// A service has told which posts of an account there is news of.
    package func noteNews(_ posts: [String], of account: String, at service: String) async throws(StoreError) {
        try await execute(.quickenNamed(posts, of: account, at: service))
    }

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
