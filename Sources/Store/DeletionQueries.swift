package import Domain
package import FoundationEssentials
import Postgres

extension Query where Row == Bool {
    static func deletePhoto(_ id: PhotoID, owner: UserID, takingBack posts: ChangePolicy) -> Self {
        Query(
            "delete_photo", "SELECT delete_photo($1, $2, $3::uuid[], $4::int, $5::interval) AS deleted",
            [
                id.uuid, owner.uuid, posts.submissions.map(\.uuid), Int32(posts.maximumAttempts), posts.maximumAge,
            ]
        ) { row throws(PostgresError) in try row.get("deleted") }
    }

    static func restorePhoto(_ id: PhotoID, owner: UserID, storageQuota: Int64) -> Self {
        Query(
            "restore_photo", "SELECT restore_photo($1, $2, $3) AS restored", [id.uuid, owner.uuid, storageQuota]
        ) { row throws(PostgresError) in try row.get("restored") }
    }
}

extension Query where Row == PhotoID {
    /// The owner's photo behind a short link, deleted or not.
    static func ownPhoto(code: ShortCode, owner: UserID) -> Self {
        Query(
            "own_photo_by_code",
            "SELECT p.id FROM short_links l JOIN photos p ON p.id = l.photo_id WHERE l.code = $1 AND p.owner_id = $2",
            [code.description, owner.uuid]
        ) { row throws(PostgresError) in try row.id("id") }
    }
}

extension Query where Row == Date {
    /// Until when the owner can restore the photo behind a short link.
    static func restorableUntil(_ code: ShortCode, owner: UserID) -> Self {
        Query(
            "restorable_until",
            """
            SELECT d.deleted_at + interval '1 day' AS ends
              FROM short_links l
              JOIN photos p ON p.id = l.photo_id
              JOIN deleted_photos d ON d.photo_id = p.id
             WHERE l.code = $1 AND p.owner_id = $2 AND d.deleted_at > now() - interval '1 day'
               AND NOT EXISTS (SELECT FROM photos w WHERE w.id = p.part_of AND w.deleted_at IS NOT NULL)
            """, [code.description, owner.uuid]
        ) { row throws(PostgresError) in try row.get("ends") }
    }
}

extension Query where Row == Void {
    /// Forgets what was kept of photos whose deletion nobody can take back any more, and what came back to them.
    static func pruneDeletedPhotos() -> Self {
        Query(
            "prune_deleted_photos",
            """
            WITH ended AS (DELETE FROM deleted_photos WHERE deleted_at < now() - interval '1 day' RETURNING photo_id)
            DELETE FROM responses r USING ended WHERE r.photo_id = ended.photo_id
            """, [])
    }
}

extension PicsStore {
    /// Deletes the owner's photo and its parts, and ends their waiting submissions; its short link answers 410 from now on. Posts of
    /// `takingBack` are taken back by jobs. For a day `restorePhoto` can take it back.
    ///
    /// - Returns: The short links whose pages showed it.
    @discardableResult
    package func deletePhoto(
        _ id: PhotoID, owner: UserID, takingBack posts: ChangePolicy = ChangePolicy([])
    ) async throws(StoreError) -> [ShortCode] {
        let (deleted, _, pages) = try await mappingErrors { () async throws(PostgresError) in
            try await database.run(
                .deletePhoto(id, owner: owner, takingBack: posts), .deleteVisits(of: id), .pages(showing: id))
        }
        guard deleted == [true] else { throw .notFound }
        return pages
    }

    /// Takes the deletion of the owner's photo back, within a day; nothing is sent by it. Of a photo that is there nothing changes.
    ///
    /// `storageQuota` is the usual one, in bytes, 0 for none.
    ///
    /// - Returns: The short links whose pages show it again.
    /// - Throws: `.gone` when it is too late; `.notFound`; `.conflict("users_storage_quota")`.
    @discardableResult
    package func restorePhoto(
        _ id: PhotoID, owner: UserID, storageQuota: Int64 = 0
    ) async throws(StoreError) -> [ShortCode] {
        let (restored, pages) = try await mappingErrors { () async throws(PostgresError) in
            try await database.run(
                .restorePhoto(id, owner: owner, storageQuota: storageQuota), .pages(showing: id))
        }
        if restored == [true] { return pages }
        guard try await photo(id, viewer: owner).photo.owner == owner else { throw .notFound }
        return []
    }

    /// The owner's photo behind a short link, deleted or not.
    package func ownPhoto(code: ShortCode, owner: UserID) async throws(StoreError) -> PhotoID {
        guard let id = try await first(.ownPhoto(code: code, owner: owner)) else { throw .notFound }
        return id
    }

    /// Until when the owner can restore the photo behind a short link; nil when they cannot.
    package func restorableUntil(_ code: ShortCode, owner: UserID) async throws(StoreError) -> Date? {
        try await first(.restorableUntil(code, owner: owner))
    }

    /// Forgets what was kept of photos whose deletion nobody can take back any more.
    package func pruneDeletedPhotos() async throws(StoreError) { try await execute(.pruneDeletedPhotos()) }
}
