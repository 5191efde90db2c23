package import Domain
internal import Foundation
import Postgres

/// A post whose likes are to be counted by its service.
package struct PostToCount: Sendable {
    package let submission: SubmissionID
    package let remoteID: String
    package let url: String?
    package let owner: UserID
    package let connection: ConnectionID
}

/// The same, and whether it is to be counted at all.
struct PostToCountRow: Sendable {
    let post: PostToCount
    let counts: Bool
}

extension Query where Row == PostToCountRow {
    /// Takes up to `limit` posts whose time has come, and sets the next: an eighth of the post's age later, from five
    /// minutes to a day; never again when its service is none of `services` or it is older than `age`.
    static func takePostsToCount(of services: [String], age: Duration, limit: Int) -> Self {
        Query(
            "take_posts_to_count",
            """
            UPDATE submissions s
               SET count_at = CASE WHEN c.service = ANY ($1::text[]) AND s.created_at > now() - $2::interval
                              THEN now() + least(greatest((now() - s.created_at) / 8, interval '5 minutes'), interval '1 day')
                              END
              FROM connections c
             WHERE c.id = s.connection_id
               AND s.id IN (SELECT id FROM submissions WHERE state = 'done' AND count_at <= now()
                             ORDER BY count_at LIMIT $3::int FOR UPDATE SKIP LOCKED)
            RETURNING s.id, s.remote_id, s.remote_url, c.owner_id, c.id AS connection_id,
                      s.count_at IS NOT NULL AND c.state = 'ok' AS counts
            """, [services, age, limit]
        ) { row throws(PostgresError) in
            let submission: SubmissionID = try row.id("id")
            let remoteID: String = try row.get("remote_id")
            let url: String? = try row.get("remote_url")
            let owner: UserID = try row.id("owner_id")
            let connection: ConnectionID = try row.id("connection_id")
            let counts: Bool = try row.get("counts")
            return PostToCountRow(
                post: PostToCount(
                    submission: submission, remoteID: remoteID, url: url, owner: owner, connection: connection),
                counts: counts)
        }
    }
}

extension Query where Row == Void {
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

extension Store {
    /// More than any post has; a service that says so errs.
    private static let mostLikes = 100_000_000

    /// Posts whose likes should be read back now, at most `limit` are looked at; others who ask meanwhile get others.
    /// Posts that are older than `age` are not counted any more.
    package func takePostsToCount(
        of services: [String], age: Duration, limit: Int
    ) async throws(StoreError) -> [PostToCount] {
        try await rows(.takePostsToCount(of: services, age: age, limit: limit)).filter(\.counts).map(\.post)
    }

    /// Notes how many likes a service counts for a post.
    package func countLikes(_ likes: Int, of submission: SubmissionID) async throws(StoreError) {
        try await execute(.countLikes(min(max(0, likes), Self.mostLikes), of: submission))
    }
}
