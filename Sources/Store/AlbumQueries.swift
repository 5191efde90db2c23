package import Domain
import FoundationEssentials
import Postgres

/// An album of public photos.
package struct AlbumView: Sendable, Equatable {
    package let album: PhotoAlbum
    /// The photo that its owner has chosen, else its newest.
    package let cover: PhotoView
    /// Its public photos, counted up to `AlbumView.mostCounted`.
    package let count: Int

    package static let mostCounted = 1000
}

/// A recursive `names` (album, n) for `WITH`: the albums of `$1` that have public photos, by name, numbered from 1. The index is entered
/// once for each. `after` and `limit` are SQL.
func namesOfShownAlbums(after name: String = "''", limit: String) -> String {
    """
    names AS (
        (SELECT album, 1 AS n FROM photos
          WHERE owner_id = $1 AND visibility = 'public' AND deleted_at IS NULL AND album IS NOT NULL
            AND album > \(name)
          ORDER BY album LIMIT 1)
        UNION ALL
        SELECT next.album, names.n + 1
          FROM names
         CROSS JOIN LATERAL (SELECT p.album FROM photos p
                              WHERE p.owner_id = $1 AND p.visibility = 'public' AND p.deleted_at IS NULL
                                AND p.album > names.album ORDER BY p.album LIMIT 1) next
         WHERE names.n < \(limit)::int
    )
    """
}

extension Query where Row == AlbumView {
    /// The albums with public photos, by name: for each the index is entered for its name and its newest photo, and its photos are
    /// counted there.
    static func albums(shownOf owner: UserID, after name: String?, limit: Int) -> Self {
        Query(
            "gallery_albums",
            """
            WITH RECURSIVE \(namesOfShownAlbums(after: "coalesce($2, '')", limit: "$3"))
            SELECT names.album AS album_name, a.about, a.cover_id, a.photo_order, counted.photos, view.*
              FROM names
              LEFT JOIN albums a ON a.owner_id = $1 AND a.name = names.album
             \(coverOfAlbum("names.album", bound: "$4"))
              \(viewsOfPage())
             ORDER BY names.n
            """, [owner.uuid, name, limit, AlbumView.mostCounted], decode: view)
    }

    /// One album; no row without public photos.
    static func album(_ name: String, shownOf owner: UserID) -> Self {
        Query(
            "gallery_album",
            """
            SELECT $2::text AS album_name, a.about, a.cover_id, a.photo_order, counted.photos, view.*
              FROM (SELECT) one
              LEFT JOIN albums a ON a.owner_id = $1 AND a.name = $2
             \(coverOfAlbum("$2", bound: "$3"))
              \(viewsOfPage())
            """, [owner.uuid, name, AlbumView.mostCounted], decode: view)
    }

    /// `page` with the identifier of the cover, and `counted`.
    private static func coverOfAlbum(_ name: String, bound: String) -> String {
        """
        CROSS JOIN LATERAL (SELECT c.id FROM photos c
                             WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL
                               AND c.album = \(name) ORDER BY c.id DESC LIMIT 1) newest
         CROSS JOIN LATERAL (SELECT coalesce((SELECT c.id FROM photos c
                                               WHERE c.id = a.cover_id AND c.owner_id = $1 AND c.visibility = 'public'
                                                 AND c.deleted_at IS NULL AND c.album = \(name)), newest.id) AS id) page
         CROSS JOIN LATERAL (SELECT count(*) AS photos
                               FROM (SELECT FROM photos c
                                      WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL
                                        AND c.album = \(name) LIMIT \(bound)::int) of_album) counted
        """
    }

    private static func view(_ row: borrowing ResultRow) throws(PostgresError) -> AlbumView {
        let count: Int64 = try row.get("photos")
        return AlbumView(album: try PhotoAlbum(row), cover: try PhotoView(row), count: Int(count))
    }
}

extension PhotoAlbum {
    fileprivate init(_ row: borrowing ResultRow) throws(PostgresError) {
        let order: String? = try row.get("photo_order")
        let cover: UUID? = try row.get("cover_id")
        self.init(
            name: try row.get("album_name"), about: try row.get("about"), cover: cover.map { PhotoID($0) },
            order: order.flatMap { Order(rawValue: $0) } ?? .newest)
    }
}

extension Query where Row == PhotoAlbum {
    /// The settings of these albums; no row for one that has none.
    static func albums(_ names: [String], of owner: UserID) -> Self {
        Query(
            "albums_by_name",
            """
            SELECT name AS album_name, about, cover_id, photo_order FROM albums
             WHERE owner_id = $1 AND name = ANY ($2::text[])
            """, [owner.uuid, names]
        ) { row throws(PostgresError) in try PhotoAlbum(row) }
    }
}

extension Query where Row == Bool {
    /// Whether a photo of an owner's names this album.
    static func hasAlbum(_ name: String, of owner: UserID) -> Self {
        Query(
            "has_album",
            """
            SELECT EXISTS (SELECT FROM photos WHERE owner_id = $1 AND album = $2 AND deleted_at IS NULL) AS is_there
            """, [owner.uuid, name]
        ) { row throws(PostgresError) in try row.get("is_there") }
    }
}

extension Query where Row == Void {
    /// Lets one change of an owner's albums wait for the other.
    static func lockAlbums(of owner: UserID) -> Self {
        Query("lock_albums", "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE", [owner.uuid])
    }

    /// In the order of their identifiers, so that two who change the same photos wait for each other.
    static func renameAlbum(_ name: String, to new: String, of owner: UserID) -> Self {
        Query(
            "rename_album",
            """
            WITH held AS MATERIALIZED (
                SELECT id FROM photos WHERE owner_id = $1 AND album = $2 AND deleted_at IS NULL
                 ORDER BY id FOR NO KEY UPDATE
            )
            UPDATE photos p SET album = $3, edited_at = now(), version = version + 1
              FROM held WHERE p.id = held.id
            """, [owner.uuid, name, new])
    }

    static func deleteAlbum(_ name: String, of owner: UserID) -> Self {
        Query("delete_album", "DELETE FROM albums WHERE owner_id = $1 AND name = $2", [owner.uuid, name])
    }

    static func putAlbum(_ album: PhotoAlbum, of owner: UserID) -> Self {
        Query(
            "put_album",
            """
            INSERT INTO albums (owner_id, name, about, cover_id, photo_order) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (owner_id, name) DO UPDATE
               SET about = excluded.about, cover_id = excluded.cover_id, photo_order = excluded.photo_order
            """, [owner.uuid, album.name, album.about, album.cover?.uuid, album.order.rawValue])
    }
}

extension PicsStore {
    /// The albums that have public photos, by name.
    package func shownAlbums(
        of owner: UserID, after name: String? = nil, limit: Int
    ) async throws(StoreError) -> [AlbumView] {
        try await rows(.albums(shownOf: owner, after: name, limit: limit))
    }

    /// An album with its public photos; nil when it has none.
    package func shownAlbum(_ name: String, of owner: UserID) async throws(StoreError) -> AlbumView? {
        try await first(.album(name, shownOf: owner))
    }

    /// The settings of an album: the defaults where its owner has none.
    ///
    /// - Throws: `.notFound` when no photo names it.
    package func album(_ name: String, of owner: UserID) async throws(StoreError) -> PhotoAlbum {
        let (isThere, albums) = try await mappingErrors { () async throws(PostgresError) in
            try await database.run(.hasAlbum(name, of: owner), .albums([name], of: owner))
        }
        guard isThere.first == true else { throw .notFound }
        return albums.first ?? PhotoAlbum(name: name)
    }

    /// The settings of albums by name; none for one that has the defaults.
    package func albums(_ names: [String], of owner: UserID) async throws(StoreError) -> [String: PhotoAlbum] {
        Dictionary(try await rows(.albums(names, of: owner)).map { ($0.name, $0) }) { first, _ in first }
    }

    /// Changes what an owner says of the album `name`; with another name all its photos get that, in the same transaction.
    ///
    /// - Throws: `.notFound` when no photo names the album; `.conflict("albums_pkey")` when photos name another one like that.
    package func edit(_ name: String, to album: PhotoAlbum, of owner: UserID) async throws(StoreError) {
        enum Outcome { case done, absent, taken }
        let outcome = try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) -> Outcome in
                let (_, isThere) = try await transaction.run(.lockAlbums(of: owner), .hasAlbum(name, of: owner))
                guard isThere.first == true else { return .absent }
                if album.name != name {
                    guard try await transaction.run(.hasAlbum(album.name, of: owner)).first == false else {
                        return .taken
                    }
                    try await transaction.execute([
                        .renameAlbum(name, to: album.name, of: owner), .deleteAlbum(name, of: owner),
                    ])
                }
                try await transaction.execute(.putAlbum(album, of: owner))
                return .done
            }
        }
        switch outcome {
        case .done: return
        case .absent: throw .notFound
        case .taken: throw .conflict(constraint: "albums_pkey")
        }
    }
}
