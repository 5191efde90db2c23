package import Domain
package import FoundationEssentials
import Postgres

/// A post whose likes are to be counted by its service.
package struct PostToCount: Sendable {
    package let submission: SubmissionID
    package let remoteID: String
    package let url: String?
    /// The posts that follow it in a thread.
    package let parts: [String]
    package let owner: UserID
    package let connection: AccountID
    package let photo: PhotoID
    package let service: String
    /// Likes, comments and shares when the service was last asked who they are by, and when that was.
    package let listed: (counts: [Int32?], at: Date)?
    /// Of which there are responses.
    package let known: Set<Response.Kind>
}

/// Posts that are to be counted now, by account.
package struct PostsToCount: Sendable {
    package let accounts: [[PostToCount]]
    /// The last account that was looked at; nil where none comes behind it.
    package let last: AccountID?
}

/// A post that was taken, nil for one that is too old to be counted and where there was none; with `PostsToCount.last` in each row.
struct PostToCountRow: Sendable {
    let last: AccountID?
    let post: PostToCount?
}

extension Query where Row == PostToCountRow {
    /// Takes posts whose time has come, of the next accounts behind `last`, `accounts` at most, and sets the next: an eighth
    /// of the post's age later, from five minutes to a day; never again when it is older than `age`. An account has its
    /// turn once a minute, for up to twelve posts: four of its newest, and the eight that have waited longest. One that is
    /// disconnected, paused or held back, or whose gate is, has none.
    ///
    /// Accounts are found by skipping through the index, one probe for each that has posts to count, of which `looks` are looked at. There
    /// is always a row, which tells where that has ended.
    static func claimPostsToCount(
        of services: [String], age: Duration, behind last: AccountID?, accounts: Int, looks: Int
    ) -> Self {
        Query(
            "take_posts_to_count",
            """
            WITH RECURSIVE account AS (
                (SELECT connection_id, count_at, 1 AS n FROM submissions
                  WHERE state = 'done' AND count_at IS NOT NULL
                    AND connection_id > coalesce($4::uuid, '00000000-0000-0000-0000-000000000000')
                  ORDER BY connection_id, count_at LIMIT 1)
                 UNION ALL
                SELECT n.connection_id, n.count_at, account.n + 1
                  FROM account
                 CROSS JOIN LATERAL (SELECT s.connection_id, s.count_at FROM submissions s
                                      WHERE s.state = 'done' AND s.count_at IS NOT NULL
                                        AND s.connection_id > account.connection_id
                                      ORDER BY s.connection_id, s.count_at LIMIT 1) n
                 WHERE account.n < $5::int
            ), turn AS MATERIALIZED (
                SELECT l.connection_id, c.owner_id
                  FROM account a
                  JOIN lanes l ON l.connection_id = a.connection_id
                  JOIN connections c ON c.id = a.connection_id
                  JOIN gate_states g ON g.name = l.gate
                  JOIN gate_states e ON e.name = '*'
                 WHERE a.count_at <= now() AND l.likes_at <= now() AND l.blocked_until <= now()
                   AND c.state = 'ok' AND c.service = ANY ($1::text[]) AND greatest(g.opens_at, e.opens_at) <= now()
                 ORDER BY l.connection_id LIMIT $3::int FOR NO KEY UPDATE OF l SKIP LOCKED
            ), paced AS (
                UPDATE lanes l SET likes_at = now() + interval '1 min'
                  FROM turn WHERE l.connection_id = turn.connection_id
            ), due AS MATERIALIZED (
                SELECT d.id, turn.owner_id
                  FROM turn
                 CROSS JOIN LATERAL (
                     (SELECT n.id FROM (SELECT id, state, count_at FROM submissions
                                         WHERE connection_id = turn.connection_id
                                         ORDER BY updated_at DESC LIMIT 50) n
                       WHERE n.state = 'done' AND n.count_at <= now() LIMIT 4)
                      UNION
                     (SELECT id FROM submissions
                       WHERE connection_id = turn.connection_id AND state = 'done' AND count_at <= now()
                       ORDER BY count_at LIMIT 8)) d
            ), post AS (
                UPDATE submissions s
                   SET count_at = CASE WHEN s.created_at > now() - $2::interval
                                  THEN now() + least(greatest((now() - s.created_at) / 8, interval '5 minutes'), interval '1 day')
                                  END
                  FROM due WHERE s.id = due.id AND s.count_at <= now()
                RETURNING s.id, s.remote_id, s.remote_url, \(threadPosts) AS parts, due.owner_id, s.connection_id, s.count_at IS NOT NULL AS counts,
                          s.photo_id, (SELECT service FROM connections c WHERE c.id = s.connection_id) AS service,
                          s.responses_counts, s.responses_read_at,
                          ARRAY(SELECT DISTINCT r.kind::text FROM responses r WHERE r.submission_id = s.id AND r.gone_at IS NULL) AS known
            ), ended AS (
                SELECT CASE WHEN (SELECT count(*) FROM turn) = $3::int
                            THEN (SELECT connection_id FROM turn ORDER BY connection_id DESC LIMIT 1)
                            ELSE (SELECT connection_id FROM account WHERE n = $5::int) END AS last
            )
            SELECT ended.last, post.* FROM ended LEFT JOIN post ON true
            """, [services, age, Int32(accounts), last?.uuid, Int32(looks)]
        ) { row throws(PostgresError) in
            let last = (try row.get("last") as UUID?).map { AccountID($0) }
            let counts: Bool? = try row.get("counts")
            guard counts == true else { return PostToCountRow(last: last, post: nil) }
            let submission: SubmissionID = try row.id("id")
            let remoteID: String = try row.get("remote_id")
            let url: String? = try row.get("remote_url")
            let owner: UserID = try row.id("owner_id")
            let connection: AccountID = try row.id("connection_id")
            let known: [String] = try row.get("known")
            let listedCounts: [Int32?]? = try row.get("responses_counts")
            let listedAt: Date? = try row.get("responses_read_at")
            return PostToCountRow(
                last: last,
                post: PostToCount(
                    submission: submission, remoteID: remoteID, url: url, parts: try row.get("parts"), owner: owner,
                    connection: connection,
                    photo: try row.id("photo_id"), service: try row.get("service"),
                    listed: listedAt.flatMap { at in listedCounts.map { ($0, at) } },
                    known: Set(known.compactMap { Response.Kind(rawValue: $0) })))
        }
    }
}

extension Query where Row == Void {
    /// Holds the reading of an account's likes back, or that of all accounts of its gate.
    static func holdLikes(of connection: AccountID, wholeGate: Bool, for pause: Duration) -> Self {
        Query(
            "hold_likes",
            """
            UPDATE lanes l SET likes_at = greatest(l.likes_at, now() + $3::interval)
              FROM (SELECT connection_id FROM lanes
                     WHERE connection_id = $1 OR $2 AND gate = (SELECT gate FROM lanes WHERE connection_id = $1)
                     ORDER BY connection_id FOR NO KEY UPDATE) k
             WHERE l.connection_id = k.connection_id
            """, [connection.uuid, wholeGate, pause])
    }

    /// Posts that were taken and not asked for are due again.
    static func returnToCount(_ submissions: [SubmissionID]) -> Self {
        Query(
            "return_to_count",
            "UPDATE submissions SET count_at = now() WHERE id = ANY ($1::uuid[]) AND count_at IS NOT NULL",
            [submissions.map(\.uuid)])
    }

    /// Notes what a service counted, and adds the difference to the photo's sum: two at once add up.
    static func countLikes(_ likes: Int, of submission: SubmissionID) -> Self {
        Query(
            "count_network_likes",
            """
            WITH former AS (
                SELECT id, network_likes FROM submissions WHERE id = $1 FOR NO KEY UPDATE
            ), counted AS (
                UPDATE submissions s SET network_likes = $2::int FROM former
                 WHERE s.id = former.id AND former.network_likes <> $2::int
                RETURNING s.photo_id, $2::int - former.network_likes AS difference
            )
            UPDATE photos SET network_like_count = network_like_count + counted.difference
              FROM counted WHERE photos.id = counted.photo_id
            """, [submission.uuid, likes])
    }
}

extension PicsStore {
    /// More than any post has; a service that says so errs.
    private static let mostLikes = 100_000_000

    /// Posts whose likes should be read back now, of the next accounts behind `last`, nil for the first of all: of `accounts` at most, after
    /// `looks` looks at most. Each has its turn once a minute; others who ask meanwhile get others. Posts that are older than `age` are not
    /// counted any more.
    package func claimPostsToCount(
        of services: [String], age: Duration, behind last: AccountID?, accounts: Int, looks: Int
    ) async throws(StoreError) -> PostsToCount {
        let rows = try await rows(
            .claimPostsToCount(of: services, age: age, behind: last, accounts: accounts, looks: looks))
        return PostsToCount(
            accounts: Array(Dictionary(grouping: rows.compactMap(\.post), by: \.connection).values),
            last: rows.first?.last)
    }

    /// Holds the reading of an account's likes back for a while, or that of all accounts that share its gate. `unread`
    /// were taken and not asked for.
    package func holdLikes(
        of connection: AccountID, wholeGate: Bool, for pause: Duration, unread: [SubmissionID]
    ) async throws(StoreError) {
        try await execute(.holdLikes(of: connection, wholeGate: wholeGate, for: pause))
        try await execute(.returnToCount(unread))
    }

    /// Notes how many likes a service counts for a post.
    package func countLikes(_ likes: Int, of submission: SubmissionID) async throws(StoreError) {
        try await execute(.countLikes(min(max(0, likes), Self.mostLikes), of: submission))
    }
}
