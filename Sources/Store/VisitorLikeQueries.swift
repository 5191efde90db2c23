package import Domain
internal import FoundationEssentials
import Postgres

/// A browser that has not signed in, as likes know it: the SHA-256 of its cookie.
package struct Visitor: Sendable, Hashable {
    package let hash: [UInt8]

    /// Nil unless there are 32 bytes.
    package init?(hash: [UInt8]) {
        guard hash.count == 32 else { return nil }
        self.hash = hash
    }
}

extension Query where Row == Int32 {
    /// Likes a photo that everybody with its link may see; no row when the visitor likes it already.
    static func like(_ photo: PhotoID, by visitor: Visitor) -> Self {
        Query(
            "like_as_visitor",
            """
            WITH liked AS (
                INSERT INTO visitor_likes (photo_id, visitor)
                SELECT id, $2 FROM photos WHERE id = $1 AND deleted_at IS NULL AND visibility <> 'private'
                ON CONFLICT DO NOTHING RETURNING photo_id)
            UPDATE photos SET like_count = like_count + 1 FROM liked WHERE photos.id = liked.photo_id
            RETURNING like_count
            """, [photo.uuid, visitor.hash]
        ) { row throws(PostgresError) in try row.get("like_count") }
    }

    /// Takes a visitor's like back; no row when there is none.
    static func unlike(_ photo: PhotoID, by visitor: Visitor) -> Self {
        Query(
            "unlike_as_visitor",
            """
            WITH unliked AS (
                DELETE FROM visitor_likes
                 WHERE photo_id = $1 AND visitor = $2
                   AND EXISTS (SELECT FROM photos WHERE id = $1 AND deleted_at IS NULL AND visibility <> 'private')
                RETURNING photo_id)
            UPDATE photos SET like_count = like_count - 1 FROM unliked WHERE photos.id = unliked.photo_id
            RETURNING like_count
            """, [photo.uuid, visitor.hash]
        ) { row throws(PostgresError) in try row.get("like_count") }
    }
}

extension Query where Row == (photo: PhotoID, count: Int64) {
    /// How many visitors like each of these photos; those that nobody likes are left out.
    static func visitorLikes(of photos: [PhotoID]) -> Self {
        Query(
            "visitor_like_counts",
            "SELECT photo_id, count(*) AS likes FROM visitor_likes WHERE photo_id = ANY ($1::uuid[]) GROUP BY photo_id",
            [photos.map(\.uuid)]
        ) { row throws(PostgresError) in (photo: try row.id("photo_id"), count: try row.get("likes")) }
    }
}

extension Query where Row == Bool {
    static func likes(_ photo: PhotoID, by visitor: Visitor) -> Self {
        Query(
            "visitor_likes",
            "SELECT EXISTS (SELECT FROM visitor_likes WHERE photo_id = $1 AND visitor = $2) AS liked",
            [photo.uuid, visitor.hash]
        ) { row throws(PostgresError) in try row.get("liked") }
    }
}

extension PicsStore {
    /// How many people who have not signed in like each of these photos; those that none likes are left out.
    package func visitorLikes(of photos: [PhotoID]) async throws(StoreError) -> [PhotoID: Int64] {
        Dictionary(try await rows(.visitorLikes(of: photos)).map { ($0.photo, $0.count) }) { first, _ in first }
    }

    /// Likes or unlikes as a visitor; doing it again changes nothing, and a private photo is left as it is.
    package func setLike(_ isLiked: Bool, on photo: PhotoID, by visitor: Visitor) async throws(StoreError) {
        _ = try await first(isLiked ? .like(photo, by: visitor) : .unlike(photo, by: visitor))
    }

    /// Whether a visitor likes a photo.
    package func likes(_ photo: PhotoID, by visitor: Visitor) async throws(StoreError) -> Bool {
        try await one(.likes(photo, by: visitor))
    }
}
