package import Domain
package import FoundationEssentials
import Postgres

extension Query where Row == Bool {
    /// Publishes a photo that waits for its time. False: it is published, a draft, or gone.
    static func publish(_ photo: PhotoID) -> Self {
        Query("publish_photo", "SELECT publish_photo($1) AS is_published", [photo.uuid]) {
            row throws(PostgresError) in try row.get("is_published")
        }
    }
}

extension Query where Row == Int64 {
    /// Publishes photos whose time has come, `limit` at most; tells how many.
    static func publishDue(limit: Int) -> Self {
        Query(
            "publish_due_photos",
            """
            SELECT count(*) FILTER (WHERE publish_photo(due.id)) AS published
              FROM (SELECT id FROM photos WHERE publish_at <= now() ORDER BY publish_at LIMIT $1::int) due
            """, [limit]
        ) { row throws(PostgresError) in try row.get("published") }
    }
}

extension Query where Row == PhotoID {
    /// Lets a draft be published at a time, or now, with what is part of it; no row when it is none of the owner's, or `version` is not
    /// its version any more.
    static func publishDraft(_ photo: PhotoID, owner: UserID, version: Int, at time: Date?) -> Self {
        Query(
            "publish_draft",
            """
            WITH published AS (
                UPDATE photos
                   SET visibility = CASE WHEN $4::timestamptz IS NULL THEN planned_visibility ELSE visibility END,
                       planned_visibility = CASE WHEN $4::timestamptz IS NOT NULL AND planned_visibility <> 'private'
                                                 THEN planned_visibility END,
                       publish_at = CASE WHEN planned_visibility <> 'private' THEN $4::timestamptz END,
                       published_at = CASE WHEN $4::timestamptz IS NULL THEN now() END, draft = NULL,
                       version = version + 1
                 WHERE id = $1 AND owner_id = $2 AND version = $3 AND deleted_at IS NULL
                   AND planned_visibility IS NOT NULL AND publish_at IS NULL
                RETURNING id, visibility
            ), parts AS (
                UPDATE photos o SET visibility = 'unlisted', version = o.version + 1
                  FROM published
                 WHERE o.part_of = published.id AND published.visibility <> 'private' AND o.deleted_at IS NULL
            )
            SELECT id FROM published
            """, [photo.uuid, owner.uuid, Int32(version), time]
        ) { row throws(PostgresError) in try row.id("id") }
    }
}

extension PicsStore {
    /// Publishes a photo that waits for its time, now. False: it is published, a draft, or gone.
    @discardableResult
    package func publish(_ photo: PhotoID) async throws(StoreError) -> Bool { try await one(.publish(photo)) }

    /// Publishes photos whose time has come, a hundred at most; tells how many.
    package func publishDue() async throws(StoreError) -> Int { Int(try await one(.publishDue(limit: 100))) }

    /// Publishes the owner's draft, at `time` or now, and queues it for its accounts.
    ///
    /// - Throws: `.changed` when it is no draft any more, or `version` is not its version.
    package func publishDraft(
        _ photo: PhotoID, of owner: UserID, version: Int, at time: Date?, _ submissions: [NewSubmission]
    ) async throws(StoreError) {
        let isPublished = try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                let (_, published) = try await transaction.run(
                    .lockPhoto(photo, owner: owner, for: submissions.map(\.connection)),
                    .publishDraft(photo, owner: owner, version: version, at: time))
                guard !published.isEmpty else { return false }
                if !submissions.isEmpty {
                    _ = try await transaction.execute([
                        .insertSubmissions(submissions, of: photo, isRepeatable: true), .enqueue(submissions),
                        .notify(Self.workChannel),
                    ])
                }
                return true
            }
        }
        guard isPublished else { throw .changed }
    }
}
