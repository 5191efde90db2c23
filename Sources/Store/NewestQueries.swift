package import Domain
import Postgres

extension Query where Row == PhotoView {
    /// The newest public photos of all open galleries: a page's worth among the two thousand newest ones, whosever they are. Where those
    /// do not fill it, it comes from the galleries whose newest photos are newest: the index is entered once for each open gallery, and
    /// again for as many as a page has photos.
    static func newestPhotos(before photo: PhotoID?, limit: Int) -> Self {
        let photos = """
            photos p
             WHERE p.visibility = 'public' AND p.deleted_at IS NULL
               AND p.id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            """
        return Query(
            "newest_photos",
            """
            WITH newest AS MATERIALIZED (
                SELECT p.id
                  FROM (SELECT p.id, p.owner_id FROM \(photos) ORDER BY p.id DESC LIMIT 2000) p
                 CROSS JOIN LATERAL (SELECT FROM users u WHERE u.id = p.owner_id AND u.has_gallery LIMIT 1) gallery
                 ORDER BY p.id DESC LIMIT $2::int
            ), rest AS MATERIALIZED (
                SELECT (SELECT count(*) FROM newest) < $2::int
                       AND EXISTS (SELECT p.id FROM \(photos) ORDER BY p.id DESC OFFSET 2000) AS is_needed
            ), chosen AS MATERIALIZED (
                SELECT u.id
                  FROM users u
                 CROSS JOIN LATERAL (SELECT p.id FROM \(photos) AND p.owner_id = u.id ORDER BY p.id DESC LIMIT 1) first
                 WHERE u.has_gallery AND (SELECT is_needed FROM rest)
                 ORDER BY first.id DESC LIMIT $2::int
            ), page AS MATERIALIZED (
                SELECT id FROM newest WHERE NOT (SELECT is_needed FROM rest)
                 UNION ALL
                (SELECT c.id
                   FROM chosen
                  CROSS JOIN LATERAL (SELECT p.id FROM \(photos) AND p.owner_id = chosen.id ORDER BY p.id DESC LIMIT $2::int) c
                  ORDER BY c.id DESC LIMIT $2::int)
            )
            SELECT view.* FROM page \(viewsOfPage()) ORDER BY view.id DESC
            """, [photo?.uuid, limit], decode: { row throws(PostgresError) in try PhotoView(row) })
    }
}

extension PicsStore {
    /// The same by numbers. Those that are next above a number are looked for among the newest two hundred.
    package func newestPhotos(_ page: NumberedPage, viewer: UserID?) async throws(StoreError) -> [PhotoView] {
        let before = page.before.map { PhotoID.least(number: $0) }
        let views = try await newestPhotos(before: before, limit: page.isFromBelow ? 200 : page.limit)
            .filter { $0.photo.id.number > page.after ?? 0 }
        let wanted = page.isFromBelow ? views.suffix(page.limit) : views[...]
        guard let viewer else { return Array(wanted) }
        let keys = wanted.map { PhotoKey(id: $0.photo.id, viewer: viewer) }
        return try await rows(.photos(keys)).map(\.1).sorted { $0.photo.id > $1.photo.id }
    }

    /// Public photos of all open galleries, newest first.
    package func newestPhotos(
        before photo: PhotoID? = nil, limit: Int, as freshness: Freshness = .current
    ) async throws(StoreError) -> [PhotoView] {
        try await views(.newestPhotos(before: photo, limit: limit), freshness)
    }
}
