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
            WITH RECURSIVE \(namesOfShownAlbums(limit: "$4")), \(daysOfGallery(zone: "$2", limit: "$5"))
            SELECT (SELECT count(*) FROM (SELECT FROM photos
                                           WHERE owner_id = $1 AND visibility = 'public' AND deleted_at IS NULL
                                           ORDER BY id DESC LIMIT $3::int) counted) AS photos,
                   (SELECT count(*) FROM names) AS albums,
                   (SELECT count(*) FROM (SELECT day FROM owners_days UNION SELECT day FROM cameras_days
                                           LIMIT $5::int) of_all) AS days
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
        let (counts, captions): ([GalleryCounts], [String])
        if replica?.suffices(for: gallery.freshness) == true {
            // Words of photos are read where it is known who may see them.
            counts = try await shown(as: gallery.freshness, photos: { _ in [] }) {
                database async throws(PostgresError) in
                try await database.run(.galleryCounts(of: gallery.owner, zone: gallery.timeZone))
            }
            captions = try await rows(.taggedCaptions(of: gallery.owner))
        } else {
            (counts, captions) = try await mappingErrors { () async throws(PostgresError) in
                try await database.run(
                    .galleryCounts(of: gallery.owner, zone: gallery.timeZone), .taggedCaptions(of: gallery.owner))
            }
        }
        return (counts.first ?? GalleryCounts(photos: 0, albums: 0, days: 0), captions)
    }
}
