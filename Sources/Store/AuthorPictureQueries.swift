package import Domain
internal import FoundationEssentials
internal import Postgres

/// Somebody who has responded, and whose picture is to be read now.
package struct DueAuthorPicture: Sendable {
    package let author: ResponseAuthorID
    package let url: String
    /// Of one of the photos.
    package let owner: UserID
}

extension Query where Row == DueAuthorPicture {
    /// Takes those that are due; each is due again after a pause that grows fourfold, until ten looks have failed.
    static func claimAuthorPictures(limit: Int) -> Self {
        Query(
            "take_author_pictures",
            """
            WITH due AS MATERIALIZED (
                SELECT a.id FROM response_authors a
                 WHERE a.picture_due_at <= now() AND a.picture_url IS NOT NULL
                   AND (EXISTS (SELECT FROM responses r WHERE r.author_id = a.id)
                        OR EXISTS (SELECT FROM timeline_posts t WHERE t.author_id = a.id)
                        OR EXISTS (SELECT FROM timeline_posts t WHERE t.reposter_id = a.id))
                 ORDER BY a.picture_due_at LIMIT $1::int FOR NO KEY UPDATE SKIP LOCKED
            )
            UPDATE response_authors a
               SET picture_failures = a.picture_failures + 1,
                   picture_due_at = CASE WHEN a.picture_failures < 10 THEN now() + interval '5 min' * 4 ^ a.picture_failures END
              FROM due
             CROSS JOIN LATERAL (SELECT coalesce(
                   (SELECT r.owner_id FROM responses r WHERE r.author_id = due.id LIMIT 1),
                   (SELECT t.owner_id FROM timeline_posts t WHERE t.author_id = due.id LIMIT 1),
                   (SELECT t.owner_id FROM timeline_posts t WHERE t.reposter_id = due.id LIMIT 1)) AS owner_id) o
             WHERE a.id = due.id
            RETURNING a.id, a.picture_url, o.owner_id
            """, [Int32(limit)]
        ) { row throws(PostgresError) in
            DueAuthorPicture(
                author: try row.id("id"), url: try row.get("picture_url"), owner: try row.id("owner_id"))
        }
    }
}

extension Query where Row == Void {
    /// Changes nothing for somebody who has another picture since they were taken.
    static func keepAuthorPicture(_ picture: [UInt8]?, version: String?, of due: DueAuthorPicture) -> Self {
        Query(
            "keep_author_picture",
            """
            UPDATE response_authors
               SET picture = $2, picture_version = $3, picture_failures = 0, picture_due_at = NULL
             WHERE id = $1 AND picture_url = $4
            """, [due.author.uuid, picture, version, due.url])
    }
}

extension Query where Row == KeptPicture {
    static func picture(of author: ResponseAuthorID) -> Self {
        Query(
            "author_picture",
            "SELECT picture, picture_version FROM response_authors WHERE id = $1 AND picture IS NOT NULL",
            [author.uuid]
        ) { row throws(PostgresError) in try KeptPicture(row) }
    }
}

extension PicsStore {
    /// People whose pictures are to be read now. Each comes again, ever later, until `keepPicture`.
    package func claimAuthorPictures(limit: Int) async throws(StoreError) -> [DueAuthorPicture] {
        try await rows(.claimAuthorPictures(limit: limit))
    }

    /// Keeps what was found for somebody whom `claimAuthorPictures` gave: a picture, or with nil that there is none.
    package func keepPicture(_ picture: [UInt8]?, of due: DueAuthorPicture) async throws(StoreError) {
        let version = picture.map(KeptPicture.version)
        try await execute(.keepAuthorPicture(picture, version: version, of: due))
    }

    /// The picture of somebody who has responded.
    ///
    /// - Throws: `.notFound` also when there is none.
    package func picture(of author: ResponseAuthorID) async throws(StoreError) -> KeptPicture {
        guard let picture = try await first(.picture(of: author)) else { throw .notFound }
        return picture
    }
}
