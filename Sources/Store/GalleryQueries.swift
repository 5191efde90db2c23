package import Domain
package import FoundationEssentials
import Postgres

/// Whose gallery it is.
package struct Gallery: Sendable, Equatable {
    package let person: Person
    /// The IANA name of the zone in which the owner's days are counted.
    package let timeZone: String
    /// When the owner, or a photo of theirs, was changed last; nil when there never was anything.
    package let changedAt: Date?

    package var owner: UserID { person.id }
    package var name: String { person.name }
    /// What has to be read of it.
    package var freshness: Freshness { changedAt.map { .changes(until: $0) } ?? .current }
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

extension Query where Row == Gallery {
    static func gallery(named name: String) -> Self {
        Query(
            "gallery",
            """
            SELECT \(personColumns), u.time_zone,
                   greatest(u.profile_at,
                            (SELECT greatest(p.created_at, p.edited_at, p.deleted_at) FROM photos p
                              WHERE p.owner_id = u.id
                              ORDER BY greatest(p.created_at, p.edited_at, p.deleted_at) DESC LIMIT 1)) AS changed_at
              FROM users u \(pictureOfUser) WHERE u.name = $1 AND u.has_gallery
            """, [name]
        ) { row throws(PostgresError) in
            Gallery(
                person: try Person(row), timeZone: try row.get("time_zone"), changedAt: try row.get("changed_at"))
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
    /// Public photos of an album by their captions, from behind a photo on, or from before it back.
    static func gallery(of owner: UserID, albumByCaption album: String, at place: GalleryPlace, limit: Int) -> Self {
        let (photo, isBack): (PhotoID?, Bool) =
            switch place {
            case .newest: (nil, false)
            case .before(let photo): (photo, false)
            case .after(let photo): (photo, true)
            }
        let order = isBack ? "DESC" : "ASC"
        let bound =
            photo == nil
            ? "$3::uuid IS NULL"
            : """
            (left(c.caption, 60), c.id) \(isBack ? "<" : ">")
                   ((SELECT left(caption, 60) FROM photos
                      WHERE id = $3 AND owner_id = $1 AND visibility = 'public' AND deleted_at IS NULL AND album = $2), $3)
            """
        return Query(
            photo == nil ? "album_by_caption" : isBack ? "album_by_caption_back" : "album_by_caption_on",
            """
            SELECT view.*
              FROM (SELECT c.id FROM photos c
                     WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL AND c.album = $2
                       AND \(bound)
                     ORDER BY left(c.caption, 60) \(order), c.id \(order) LIMIT $4::int) page
              \(viewsOfPage()) ORDER BY left(view.caption, 60) \(order), view.id \(order)
            """, [owner.uuid, album, photo?.uuid, limit], decode: { row throws(PostgresError) in try PhotoView(row) })
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
