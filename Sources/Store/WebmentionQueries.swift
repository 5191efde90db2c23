package import Domain
internal import FoundationEssentials
import Postgres

/// A page that is to be read because it says that it mentions a photo.
package struct DueWebmention: Sendable {
    package let id: WebmentionID
    package let photo: PhotoID
    package let code: ShortCode
    package let source: String
    /// Of the response that it is; nil: it is none yet.
    package let key: String?
    let asked: Int32
    /// Looks in a row that have failed before this one.
    package let failures: Int
}

/// The kind of a webmention's identifier.
package enum WebmentionTag {}
package typealias WebmentionID = Identifier<WebmentionTag>

/// What became of a webmention that came in.
package enum WebmentionAcceptance: String, Sendable {
    case accepted
    /// The photo is not there for everybody, or its owner takes none.
    case refused
    /// Too many wait, of this source's host or in all.
    case busy
}

extension Query where Row == WebmentionAcceptance {
    static func takeWebmention(
        source: String, target: String, host: String, code: ShortCode, mostOfHost: Int, most: Int
    ) -> Self {
        Query(
            "take_webmention",
            """
            WITH photo AS (
                SELECT p.id FROM short_links l
                  JOIN photos p ON p.id = l.photo_id
                  JOIN users u ON u.id = p.owner_id
                 WHERE l.code = $4 AND p.deleted_at IS NULL AND p.visibility <> 'private' AND u.takes_webmentions
                   AND u.deleted_at IS NULL
            ), room AS (
                SELECT (SELECT count(*) FROM (SELECT FROM webmentions WHERE host = $3 AND due_at IS NOT NULL LIMIT $5::int) w) < $5
                       AND (SELECT count(*) FROM (SELECT FROM webmentions WHERE due_at IS NOT NULL LIMIT $6::int) w) < $6 AS is_there
            ), taken AS (
                INSERT INTO webmentions (id, photo_id, source, target, host, due_at)
                SELECT $7, photo.id, $1, $2, $3, now() FROM photo, room WHERE room.is_there
                ON CONFLICT ON CONSTRAINT webmentions_known_once
                DO UPDATE SET due_at = now(), failures = 0, received_at = now(), asked = webmentions.asked + 1
                RETURNING id
            )
            SELECT CASE WHEN EXISTS (SELECT FROM taken) THEN 'accepted' WHEN EXISTS (SELECT FROM photo) THEN 'busy'
                        ELSE 'refused' END AS acceptance
            """,
            [
                source, target, host, code.description, Int32(mostOfHost), Int32(most), WebmentionID.make().uuid,
            ]
        ) { row throws(PostgresError) in try row.value("acceptance") { WebmentionAcceptance(rawValue: $0) } }
    }
}

extension Query where Row == DueWebmention {
    /// Takes webmentions that are due, one of each host; each is due again after a pause, until it is ended.
    static func claimWebmentions(limit: Int) -> Self {
        Query(
            "claim_webmentions",
            """
            WITH due AS MATERIALIZED (
                SELECT DISTINCT ON (host) id FROM webmentions WHERE due_at <= now() ORDER BY host, due_at
            ), taken AS MATERIALIZED (
                SELECT w.id FROM webmentions w JOIN due USING (id) WHERE w.due_at <= now()
                 ORDER BY w.due_at LIMIT $1::int FOR NO KEY UPDATE OF w SKIP LOCKED
            )
            UPDATE webmentions w
               SET failures = w.failures + 1, due_at = now() + interval '5 minutes' * 12 ^ least(w.failures, 3)
              FROM taken, short_links l
             WHERE w.id = taken.id AND l.photo_id = w.photo_id
            RETURNING w.id, w.photo_id, l.code, w.source, w.key, w.asked, w.failures - 1 AS failures
            """, [Int32(limit)]
        ) { row throws(PostgresError) in
            let failures: Int32 = try row.get("failures")
            return DueWebmention(
                id: try row.id("id"), photo: try row.id("photo_id"),
                code: try row.value("code") { ShortCode($0 as String) }, source: try row.get("source"),
                key: try row.get("key"), asked: try row.get("asked"), failures: Int(failures))
        }
    }
}

extension Query where Row == Void {
    /// One that has come again meanwhile stays due.
    static func endWebmention(_ webmention: DueWebmention, key: String?, problem: String?) -> Self {
        Query(
            "end_webmention",
            """
            UPDATE webmentions
               SET key = $2, problem = $3, failures = 0, due_at = CASE WHEN asked <> $4::int THEN due_at END
             WHERE id = $1
            """, [webmention.id.uuid, key, problem, webmention.asked])
    }

    /// Forgets people whose responses are all gone, unless an owner has decided about them.
    static func pruneAuthors() -> Self {
        Query(
            "prune_authors",
            """
            DELETE FROM response_authors a
             WHERE NOT EXISTS (SELECT FROM responses r WHERE r.author_id = a.id)
               AND NOT EXISTS (SELECT FROM timeline_posts t WHERE t.author_id = a.id)
               AND NOT EXISTS (SELECT FROM timeline_posts t WHERE t.reposter_id = a.id)
               AND NOT EXISTS (SELECT FROM author_decisions d WHERE d.author_id = a.id)
            """, [])
    }

    /// Forgets webmentions of long ago that are no response.
    static func pruneWebmentions() -> Self {
        Query(
            "prune_webmentions",
            """
            DELETE FROM webmentions WHERE received_at < now() - interval '30 days' AND due_at IS NULL AND problem IS NOT NULL
            """, [])
    }
}

extension PicsStore {
    /// Takes a webmention to the photo behind a short link, to read its source soon. One that is known is read again.
    ///
    /// `mostOfHost` is how many may wait of the source's host, `most` of all.
    package func take(
        webmentionFrom source: String, to target: String, host: String, code: ShortCode, mostOfHost: Int, most: Int
    ) async throws(StoreError) -> WebmentionAcceptance {
        try await one(
            .takeWebmention(source: source, target: target, host: host, code: code, mostOfHost: mostOfHost, most: most))
    }

    /// Webmentions that are to be read now, of different hosts. Each comes again, ever later, until it is ended.
    package func claimWebmentions(limit: Int) async throws(StoreError) -> [DueWebmention] {
        try await rows(.claimWebmentions(limit: limit))
    }

    /// Marks that a webmention was read: it is the response with this key, or `problem` says why it is none.
    package func end(_ webmention: DueWebmention, key: String?, problem: String?) async throws(StoreError) {
        try await execute(.endWebmention(webmention, key: key, problem: problem))
    }

    /// Forgets webmentions of long ago that are no response, and people whose responses are all gone.
    package func pruneWebmentions() async throws(StoreError) {
        try await execute(.pruneWebmentions())
        try await execute(.pruneAuthors())
    }
}
