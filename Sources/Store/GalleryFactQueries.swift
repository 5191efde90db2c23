import Domain
import Postgres

/// How much there is in a gallery. Each is counted up to a bound, beyond which nobody counts.
package struct GalleryCounts: Sendable, Equatable {
    package let photos: Int
    package let albums: Int
    package let days: Int

    package static let mostPhotos = 10_000
    package static let mostAlbums = 100
    package static let mostDays = 1000
}

extension Query where Row == GalleryCounts {
    /// Photos are counted in an index; for each album and each day an index is entered once.
    static func galleryCounts(of owner: UserID, zone: String) -> Self {
        Query(
            "gallery_counts",
            """
            WITH RECURSIVE names AS (
                (SELECT album, 1 AS n FROM photos
                  WHERE owner_id = $1 AND visibility = 'public' AND deleted_at IS NULL AND album IS NOT NULL
                  ORDER BY album LIMIT 1)
                UNION ALL
                SELECT next.album, names.n + 1
                  FROM names
                 CROSS JOIN LATERAL (SELECT p.album FROM photos p
                                      WHERE p.owner_id = $1 AND p.visibility = 'public' AND p.deleted_at IS NULL
                                        AND p.album > names.album ORDER BY p.album LIMIT 1) next
                 WHERE names.n < $4::int
            ), days AS (
                (SELECT (coalesce(taken_at, created_at) AT TIME ZONE $2)::date AS day, 1 AS n FROM photos
                  WHERE owner_id = $1 AND visibility = 'public' AND deleted_at IS NULL
                  ORDER BY coalesce(taken_at, created_at), id LIMIT 1)
                UNION ALL
                SELECT next.day, days.n + 1
                  FROM days
                 CROSS JOIN LATERAL (SELECT (coalesce(p.taken_at, p.created_at) AT TIME ZONE $2)::date AS day
                                       FROM photos p
                                      WHERE p.owner_id = $1 AND p.visibility = 'public' AND p.deleted_at IS NULL
                                        AND coalesce(p.taken_at, p.created_at)
                                            >= (days.day::timestamp + interval '1 day') AT TIME ZONE $2
                                      ORDER BY coalesce(p.taken_at, p.created_at), p.id LIMIT 1) next
                 WHERE days.n < $5::int
            )
            SELECT (SELECT count(*) FROM (SELECT FROM photos
                                           WHERE owner_id = $1 AND visibility = 'public' AND deleted_at IS NULL
                                           ORDER BY id DESC LIMIT $3::int) counted) AS photos,
                   (SELECT count(*) FROM names) AS albums, (SELECT count(*) FROM days) AS days
            """,
            [owner.uuid, zone, GalleryCounts.mostPhotos, GalleryCounts.mostAlbums, GalleryCounts.mostDays]
        ) { row throws(PostgresError) in
            let photos: Int64 = try row.get("photos")
            let albums: Int64 = try row.get("albums")
            let days: Int64 = try row.get("days")
            return GalleryCounts(photos: Int(photos), albums: Int(albums), days: Int(days))
        }
    }
}

extension Query where Row == String {
    /// The beginnings of captions with a hashtag, of the newest 1,000 public photos.
    static func taggedCaptions(of owner: UserID) -> Self {
        Query(
            "tagged_captions",
            """
            SELECT left(c.caption, 2000) AS caption
              FROM (SELECT id, caption FROM photos
                     WHERE owner_id = $1 AND visibility = 'public' AND deleted_at IS NULL
                     ORDER BY id DESC LIMIT 1000) c
             WHERE c.caption ~ '[#＃]' ORDER BY c.id DESC LIMIT 300
            """, [owner.uuid]
        ) { row throws(PostgresError) in try row.get("caption") }
    }
}

extension PicsStore {
    /// How much there is in a gallery, and the captions among the newest that have hashtags, newest first; in one round trip.
    package func galleryFacts(
        of gallery: Gallery
    ) async throws(StoreError) -> (counts: GalleryCounts, captions: [String]) {
        let (counts, captions) = try await mappingErrors { () async throws(PostgresError) in
            try await database.run(
                .galleryCounts(of: gallery.owner, zone: gallery.timeZone), .taggedCaptions(of: gallery.owner))
        }
        return (counts.first ?? GalleryCounts(photos: 0, albums: 0, days: 0), captions)
    }
}
