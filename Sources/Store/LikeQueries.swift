package import Domain
package import FoundationEssentials
import Postgres

/// Somebody who likes a photo.
package struct Liker: Sendable, Equatable {
    package let user: UserID
    package let name: String
    package let likedAt: Date
}

extension Query where Row == Int32 {
    /// Likes a photo that the user may see; no row when they like it already or may not see it.
    ///
    /// The like and its count are one statement: the photo's row lock keeps two likes from counting as one.
    static func like(_ photo: PhotoID, by user: UserID) -> Self {
        Query(
            "like_photo",
            """
            WITH liked AS (
                INSERT INTO likes (photo_id, user_id)
                SELECT id, $2 FROM photos
                 WHERE id = $1 AND deleted_at IS NULL AND (visibility <> 'private' OR owner_id = $2)
                ON CONFLICT DO NOTHING RETURNING photo_id)
            UPDATE photos SET like_count = like_count + 1 FROM liked WHERE photos.id = liked.photo_id
            RETURNING like_count
            """, [photo.uuid, user.uuid], decode: count)
    }

    /// Takes a like back from a photo that the user may see; no row when there is none.
    static func unlike(_ photo: PhotoID, by user: UserID) -> Self {
        Query(
            "unlike_photo",
            """
            WITH unliked AS (
                DELETE FROM likes
                 WHERE photo_id = $1 AND user_id = $2
                   AND EXISTS (SELECT FROM photos WHERE id = $1 AND deleted_at IS NULL
                                  AND (visibility <> 'private' OR owner_id = $2))
                RETURNING photo_id)
            UPDATE photos SET like_count = like_count - 1 FROM unliked WHERE photos.id = unliked.photo_id
            RETURNING like_count
            """, [photo.uuid, user.uuid], decode: count)
    }

    /// The number of likes of a photo that the user may see.
    static func likeCount(of photo: PhotoID, for user: UserID) -> Self {
        Query(
            "like_count",
            """
            SELECT like_count FROM photos
             WHERE id = $1 AND deleted_at IS NULL AND (visibility <> 'private' OR owner_id = $2)
            """, [photo.uuid, user.uuid], decode: count)
    }

    private static func count(_ row: borrowing ResultRow) throws(PostgresError) -> Int32 { try row.get("like_count") }
}

extension Query where Row == Liker {
    /// Newest first; `before` is the last of the page before.
    static func likers(of photo: PhotoID, before: (likedAt: Date, user: UserID)?, limit: Int) -> Self {
        Query(
            "likers",
            """
            SELECT k.user_id, u.name, k.created_at FROM likes k JOIN users u ON u.id = k.user_id
             WHERE k.photo_id = $1 AND u.deleted_at IS NULL
               AND (k.created_at, k.user_id)
                   < (coalesce($2, 'infinity'::timestamptz), coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
             ORDER BY k.created_at DESC, k.user_id DESC LIMIT $4::int
            """, [photo.uuid, before?.likedAt, before?.user.uuid, limit]
        ) { row throws(PostgresError) in
            Liker(user: try row.id("user_id"), name: try row.get("name"), likedAt: try row.get("created_at"))
        }
    }
}
