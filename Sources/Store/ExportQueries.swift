package import Domain
package import FoundationEssentials
import Postgres

/// A like as its giver or the photo's owner keeps it.
package struct ExportLike: Sendable, Equatable {
    let photo: PhotoID
    let user: UserID
    /// Of the photo.
    package let code: ShortCode
    /// Of who likes it.
    package let name: String
    package let likedAt: Date
}

extension Query where Row == ExportLike {
    /// The likes that a user has given, by photo.
    static func likes(givenBy user: UserID, after last: ExportLike?, limit: Int) -> Self {
        Query(
            "likes_given",
            """
            SELECT k.photo_id, k.user_id, k.created_at, l.code, u.name
              FROM likes k JOIN short_links l ON l.photo_id = k.photo_id JOIN users u ON u.id = k.user_id
             WHERE k.user_id = $1 AND k.photo_id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
             ORDER BY k.photo_id LIMIT $3::int
            """, [user.uuid, last?.photo.uuid, limit], decode: like)
    }

    /// The likes that a user's photos have, by photo and user.
    static func likes(toPhotosOf owner: UserID, after last: ExportLike?, limit: Int) -> Self {
        Query(
            "likes_received",
            """
            SELECT page.*, l.code
              FROM (SELECT p.id AS photo_id, k.*
                      FROM photos p
                     CROSS JOIN LATERAL (
                         SELECT k.user_id, k.created_at, u.name
                           -- OFFSET makes PostgreSQL order them before it looks users up.
                           FROM (SELECT k.user_id, k.created_at FROM likes k
                                  WHERE k.photo_id = p.id
                                    AND (p.id, k.user_id) > (coalesce($2::uuid, '00000000-0000-0000-0000-000000000000'),
                                                             coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
                                  ORDER BY k.user_id OFFSET 0) k
                          CROSS JOIN LATERAL (SELECT u.name FROM users u WHERE u.id = k.user_id AND u.deleted_at IS NULL LIMIT 1) u
                          ORDER BY k.user_id LIMIT $4::int) k
                     WHERE p.owner_id = $1 AND p.deleted_at IS NULL
                       AND p.id >= coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
                     ORDER BY p.id, k.user_id LIMIT $4::int) page
             CROSS JOIN LATERAL (SELECT l.code FROM short_links l WHERE l.photo_id = page.photo_id LIMIT 1) l
             ORDER BY page.photo_id, page.user_id
            """, [owner.uuid, last?.photo.uuid, last?.user.uuid, limit], decode: like)
    }

    private static func like(_ row: borrowing ResultRow) throws(PostgresError) -> ExportLike {
        ExportLike(
            photo: try row.id("photo_id"), user: try row.id("user_id"),
            code: try row.value("code") { ShortCode($0 as String) }, name: try row.get("name"),
            likedAt: try row.get("created_at"))
    }
}

extension PicsStore {
    /// Some likes that a user has given, or that their photos have, in an order that is gone on with.
    package func likes(
        givenBy giver: UserID?, toPhotosOf owner: UserID?, after last: ExportLike?, limit: Int
    ) async throws(StoreError) -> [ExportLike] {
        if let giver { return try await rows(.likes(givenBy: giver, after: last, limit: limit)) }
        guard let owner else { return [] }
        return try await rows(.likes(toPhotosOf: owner, after: last, limit: limit))
    }
}
