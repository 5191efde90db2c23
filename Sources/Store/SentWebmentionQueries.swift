package import Domain
internal import FoundationEssentials
import Postgres

/// A photo whose caption may link to pages that are to be told.
package struct MentioningPhoto: Sendable {
    package let id: PhotoID
    package let code: ShortCode
    package let caption: String
    /// Whether everybody may see it, and its owner wants pages to be told.
    package let isShown: Bool
    /// Pages that were told of it before.
    package let told: [String]
    /// Pages that were looked at since it changed last.
    package let done: [String]
    /// Tries in a row that have failed before this one.
    package let failures: Int
    let asked: Int32
}

extension Query where Row == MentioningPhoto {
    /// Takes photos that are due; each is due again after a pause, until it is ended.
    static func claimMentioningPhotos(limit: Int) -> Self {
        Query(
            "claim_mentioning_photos",
            """
            WITH taken AS MATERIALIZED (
                SELECT photo_id FROM mentioning_photos WHERE due_at <= now()
                 ORDER BY due_at LIMIT $1::int FOR NO KEY UPDATE SKIP LOCKED
            )
            UPDATE mentioning_photos m
               SET failures = m.failures + 1, due_at = now() + interval '5 minutes' * 12 ^ least(m.failures, 3)
              FROM taken, photos p, short_links l, users u
             WHERE m.photo_id = taken.photo_id AND p.id = m.photo_id AND l.photo_id = p.id AND u.id = p.owner_id
            RETURNING m.photo_id, l.code, p.caption,
                      p.visibility = 'public' AND p.deleted_at IS NULL AND u.sends_webmentions AS is_shown,
                      m.failures - 1 AS failures, m.asked,
                      ARRAY(SELECT s.target FROM sent_webmentions s
                             WHERE s.photo_id = m.photo_id AND s.is_linked AND s.problem IS NULL) AS told,
                      ARRAY(SELECT s.target FROM sent_webmentions s
                             WHERE s.photo_id = m.photo_id AND s.sent_at > m.changed_at) AS done
            """, [Int32(limit)]
        ) { row throws(PostgresError) in
            let failures: Int32 = try row.get("failures")
            return MentioningPhoto(
                id: try row.id("photo_id"), code: try row.value("code") { ShortCode($0 as String) },
                caption: try row.get("caption"), isShown: try row.get("is_shown"), told: try row.get("told"),
                done: try row.get("done"),
                failures: Int(failures), asked: try row.get("asked"))
        }
    }
}

extension Query where Row == Void {
    static func noteMention(of target: String, by photo: MentioningPhoto, problem: String?, isLinked: Bool) -> Self {
        Query(
            "note_mention",
            """
            INSERT INTO sent_webmentions (photo_id, target, problem, is_linked) SELECT p.id, $2, $3, $4 FROM photos p WHERE p.id = $1
            ON CONFLICT (photo_id, target) DO UPDATE SET problem = $3, is_linked = $4, sent_at = now()
            """, [photo.id.uuid, target, problem, isLinked])
    }

    /// One that was changed meanwhile stays due; one that is to be tried again too.
    static func endMentions(of photo: MentioningPhoto, again: Bool) -> Self {
        Query(
            "end_mentions",
            """
            UPDATE mentioning_photos
               SET due_at = CASE WHEN asked <> $2::int THEN now() WHEN $3 THEN due_at END,
                   failures = CASE WHEN asked <> $2::int OR NOT $3 THEN 0 ELSE failures END
             WHERE photo_id = $1
            """, [photo.id.uuid, photo.asked, again])
    }
}

extension PicsStore {
    /// Photos whose links are to be told now. Each comes again, ever later, until `endMentions`.
    package func claimMentioningPhotos(limit: Int) async throws(StoreError) -> [MentioningPhoto] {
        try await rows(.claimMentioningPhotos(limit: limit))
    }

    /// Notes what became of telling a page: nil, or why it takes none. `isLinked` is false where the photo does not link to it any more.
    package func noteMention(
        of target: String, by photo: MentioningPhoto, problem: String?, isLinked: Bool
    ) async throws(StoreError) {
        try await execute(.noteMention(of: target, by: photo, problem: problem, isLinked: isLinked))
    }

    /// The photo is done with, or `again` is tried later.
    package func endMentions(of photo: MentioningPhoto, again: Bool) async throws(StoreError) {
        try await execute(.endMentions(of: photo, again: again))
    }
}
