package import Domain
package import Foundation
import Postgres

/// Whose gallery it is.
package struct Gallery: Sendable, Equatable {
    package let owner: UserID
    package let name: String
    /// The IANA name of the zone in which the owner's days are counted.
    package let timeZone: String
    /// When a photo of the owner's was added, changed or deleted last; nil when there never was one.
    package let changedAt: Date?
}

/// Which public photos of an owner.
package enum GalleryPart: Sendable, Equatable {
    case all
    case album(String)
    /// Those whose caption has a hashtag, which comes without its sign.
    case tag(String)
}

/// A place between the photos of a gallery, newest first.
package enum GalleryPlace: Sendable, Equatable {
    case newest
    /// Older than a photo.
    case before(PhotoID)
    /// Newer than a photo, and as near to it as there are.
    case after(PhotoID)
}

/// An album of public photos.
package struct AlbumView: Sendable, Equatable {
    package let name: String
    /// Its newest photo.
    package let cover: PhotoView
}

extension Query where Row == Gallery {
    static func gallery(named name: String) -> Self {
        Query(
            "gallery",
            """
            SELECT u.id, u.name, u.time_zone,
                   (SELECT greatest(p.created_at, p.edited_at, p.deleted_at) FROM photos p WHERE p.owner_id = u.id
                     ORDER BY greatest(p.created_at, p.edited_at, p.deleted_at) DESC LIMIT 1) AS changed_at
              FROM users u WHERE u.name = $1 AND u.has_gallery
            """, [name]
        ) { row throws(PostgresError) in
            Gallery(
                owner: try row.id("id"), name: try row.get("name"), timeZone: try row.get("time_zone"),
                changedAt: try row.get("changed_at"))
        }
    }
}

extension Query where Row == PhotoView {
    /// Public photos from a place on. Those after a photo come oldest first.
    static func gallery(of owner: UserID, _ part: GalleryPart, at place: GalleryPlace, limit: Int) -> Self {
        let (bound, comparison, order): (PhotoID?, String, String) =
            switch place {
            case .newest: (nil, "<", "DESC")
            case .before(let photo): (photo, "<", "DESC")
            case .after(let photo): (photo, ">", "ASC")
            }
        // A statement for each: the planner sees in it what is indexed.
        let last = "ffffffff-ffff-ffff-ffff-ffffffffffff"
        let (album, condition) =
            switch part {
            case .all: (nil as String?, "$4::text IS NULL")
            case .album(let name): (name, "c.album = $4")
            case .tag: preconditionFailure("photos of a hashtag are found by their own statement")
            }
        let name =
            switch (part, order) {
            case (.all, "DESC"): "gallery_older"
            case (.all, _): "gallery_newer"
            case (.album, "DESC"): "album_older"
            case (.album, _): "album_newer"
            case (.tag, _): "tag"
            }
        return Query(
            name,
            """
            SELECT view.*
              FROM (SELECT c.id FROM photos c
                     WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL AND \(condition)
                       AND c.id \(comparison) coalesce($2::uuid, '\(last)')
                     ORDER BY c.id \(order) LIMIT $3::int) page
              \(viewsOfPage()) ORDER BY view.id \(order)
            """, [owner.uuid, bound?.uuid, limit, album], decode: { row throws(PostgresError) in try PhotoView(row) })
    }
}

extension Query where Row == PhotoView {
    /// Public photos whose caption has a hashtag, newest first.
    static func gallery(of owner: UserID, tag: String, before photo: PhotoID?, limit: Int) -> Self {
        Query(
            "gallery_tag",
            """
            SELECT view.*
              FROM find_photos($1, $2, $3::int, NULL, $4, NULL, NULL, NULL, 'public', NULL, NULL) AS page(id)
              \(viewsOfPage()) ORDER BY view.id DESC
            """, [owner.uuid, photo?.uuid, limit, tag], decode: { row throws(PostgresError) in try PhotoView(row) })
    }
}

extension Query where Row == AlbumView {
    /// The albums with public photos, by name, each with its newest one: the index is entered twice for each album, however
    /// many photos it has.
    static func albums(shownOf owner: UserID, after name: String?, limit: Int) -> Self {
        Query(
            "gallery_albums",
            """
            WITH RECURSIVE names AS (
                (SELECT album, 1 AS n FROM photos
                  WHERE owner_id = $1 AND visibility = 'public' AND deleted_at IS NULL AND album IS NOT NULL
                    AND album > coalesce($2, '')
                  ORDER BY album LIMIT 1)
                UNION ALL
                SELECT next.album, names.n + 1
                  FROM names
                 CROSS JOIN LATERAL (SELECT p.album FROM photos p
                                      WHERE p.owner_id = $1 AND p.visibility = 'public' AND p.deleted_at IS NULL
                                        AND p.album > names.album ORDER BY p.album LIMIT 1) next
                 WHERE names.n < $3::int
            )
            SELECT view.*
              FROM names
             CROSS JOIN LATERAL (SELECT c.id FROM photos c
                                  WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL
                                    AND c.album = names.album ORDER BY c.id DESC LIMIT 1) page
              \(viewsOfPage())
             ORDER BY names.n
            """, [owner.uuid, name, limit]
        ) { row throws(PostgresError) in
            let cover = try PhotoView(row)
            return AlbumView(name: cover.photo.album ?? "", cover: cover)
        }
    }
}

extension Query where Row == String {
    /// The names of all albums of an owner's, also of photos that only they see.
    static func albums(of owner: UserID, after name: String?, limit: Int) -> Self {
        Query(
            "own_albums",
            """
            WITH RECURSIVE names AS (
                SELECT v.visibility, coalesce($2, '') AS album, 0 AS n
                  FROM unnest(enum_range(NULL::visibility)) AS v(visibility)
                UNION ALL
                SELECT names.visibility, next.album, names.n + 1
                  FROM names
                 CROSS JOIN LATERAL (SELECT p.album FROM photos p
                                      WHERE p.owner_id = $1 AND p.visibility = names.visibility
                                        AND p.deleted_at IS NULL AND p.album > names.album
                                      ORDER BY p.album LIMIT 1) next
                 WHERE names.n < $3::int
            )
            SELECT album FROM names WHERE n > 0 GROUP BY album ORDER BY album LIMIT $3::int
            """, [owner.uuid, name, limit]
        ) { row throws(PostgresError) in try row.get("album") }
    }
}

extension Query where Row == Bool {
    static func hasGallery(_ user: UserID) -> Self {
        Query("has_gallery", "SELECT has_gallery FROM users WHERE id = $1", [user.uuid]) {
            row throws(PostgresError) in try row.get("has_gallery")
        }
    }
}

extension Query where Row == Void {
    static func setGallery(of user: UserID, _ isOpen: Bool) -> Self {
        Query(
            "set_gallery", "UPDATE users SET has_gallery = $2 WHERE id = $1 AND deleted_at IS NULL",
            [user.uuid, isOpen])
    }
}
