package import Domain
package import FoundationEssentials
import Postgres

/// A photo whose early pictures are still to be made.
package struct PendingPhoto: Sendable, Equatable {
    package let owner: UserID
    package let id: PhotoID
    package let source: PictureSource
}

/// A photo whose pictures have come to another state, and when.
package struct ProcessedPhoto: Sendable, Equatable {
    package let id: PhotoID
    package let at: Date
}

/// One change for one of several followers.
struct ProcessedRow: Sendable {
    let key: Int
    let photo: ProcessedPhoto
}

extension Query where Row == PhotoID {
    /// Photos of this source are done once they have all pictures of these names.
    static func settlePictures(of source: PictureSource, names: [String]) -> Self {
        Query(
            "settle_pictures",
            """
            UPDATE photos SET processing = 'done', processing_at = now()
             WHERE id IN (SELECT id FROM photos
                           WHERE sha256 = $1 AND recipe IS NOT DISTINCT FROM $2::text::jsonb
                             AND processing <> 'done' AND deleted_at IS NULL
                           ORDER BY id FOR UPDATE)
               AND (SELECT count(*) FROM renditions WHERE source_sha256 = $1 AND name = ANY ($3::text[]))
                   = cardinality($3::text[])
            RETURNING id
            """, [source.blob.bytes, source.recipe?.json, names]
        ) { row throws(PostgresError) in try row.id("id") }
    }

    static func refusePictures(of source: PictureSource) -> Self {
        Query(
            "refuse_pictures",
            """
            UPDATE photos SET processing = 'failed', processing_at = now()
             WHERE id IN (SELECT id FROM photos
                           WHERE sha256 = $1 AND recipe IS NOT DISTINCT FROM $2::text::jsonb
                             AND processing = 'pending' AND deleted_at IS NULL
                           ORDER BY id FOR UPDATE)
            RETURNING id
            """, [source.blob.bytes, source.recipe?.json]
        ) { row throws(PostgresError) in try row.id("id") }
    }
}

extension Query where Row == PendingPhoto {
    /// By owner and identifier; `last` is the last one of the page before.
    static func pendingPhotos(after last: PendingPhoto?, limit: Int) -> Self {
        let lowest = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return Query(
            "pending_photos",
            """
            SELECT owner_id, id, sha256, recipe::text AS recipe FROM photos
             WHERE processing = 'pending' AND deleted_at IS NULL AND (owner_id, id) > ($1, $2)
             ORDER BY owner_id, id LIMIT $3::int
            """, [last?.owner.uuid ?? lowest, last?.id.uuid ?? lowest, Int32(limit)]
        ) { row throws(PostgresError) in
            let source = PictureSource(blob: try row.blob("sha256"), recipe: try row.recipe("recipe"))
            return PendingPhoto(owner: try row.id("owner_id"), id: try row.id("id"), source: source)
        }
    }
}

extension Query where Row == ProcessedPhoto {
    /// Newest first.
    static func pendingPhotos(of owner: UserID, limit: Int) -> Self {
        Query(
            "pending_photos_of_owner",
            """
            SELECT id, coalesce(processing_at, created_at) AS changed_at FROM photos
             WHERE owner_id = $1 AND processing = 'pending' AND deleted_at IS NULL ORDER BY id DESC LIMIT $2::int
            """, [owner.uuid, Int32(limit)], decode: processed)
    }

    fileprivate static func processed(_ row: borrowing ResultRow) throws(PostgresError) -> ProcessedPhoto {
        ProcessedPhoto(id: try row.id("id"), at: try row.get("changed_at"))
    }
}

extension Query where Row == ProcessedRow {
    /// Which photos of each of `keys` have come to another state.
    static func processedPhotos(_ keys: [ChangeKey]) -> Self {
        Query(
            "processed_photos",
            """
            SELECT k.place, x.id, x.processing_at AS changed_at
              FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS k(owner_id, since, place)
             CROSS JOIN LATERAL (SELECT id, processing_at FROM photos
                                  WHERE owner_id = k.owner_id AND deleted_at IS NULL AND processing_at > k.since
                                  ORDER BY processing_at DESC LIMIT 500) x
            """, [keys.map(\.owner.uuid), keys.map(\.since)]
        ) { row throws(PostgresError) in
            let place: Int64 = try row.get("place")
            return ProcessedRow(key: Int(place) - 1, photo: try Query<ProcessedPhoto>.processed(row))
        }
    }
}

extension PicsStore {
    /// Says that photos of this source are done, if all pictures are there that are made when a photo comes in.
    package func settlePictures(of source: PictureSource) async throws(StoreError) {
        _ = try await rows(.settlePictures(of: source, names: StoredPicture.early(recipe: source.recipe).map(\.name)))
    }

    /// Says that the pictures of photos of this source, which wait for them, cannot be made.
    package func refusePictures(of source: PictureSource) async throws(StoreError) {
        _ = try await rows(.refusePictures(of: source))
    }

    /// A page of the photos of all owners whose pictures are still to be made.
    package func pendingPhotos(after last: PendingPhoto?, limit: Int) async throws(StoreError) -> [PendingPhoto] {
        try await rows(.pendingPhotos(after: last, limit: limit))
    }

    /// The owner's newest photos whose pictures are still to be made.
    package func pendingPhotos(of owner: UserID, limit: Int = 100) async throws(StoreError) -> [ProcessedPhoto] {
        try await rows(.pendingPhotos(of: owner, limit: limit))
    }
}
