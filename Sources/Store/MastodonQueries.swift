package import Domain
package import FoundationEssentials
import Postgres

/// Somebody likes a photo of the reader's.
package struct LikeNotice: Sendable, Equatable {
    /// Grows with time; at most 63 bits.
    package let number: Int64
    package let photo: PhotoID
    package let liker: UserID
    package let likedAt: Date
}

/// A page of a list that is read by numbers.
package struct NumberedPage: Sendable, Equatable {
    /// Smaller numbers alone.
    package var before: Int64?
    /// Greater numbers alone.
    package var after: Int64?
    /// Whether the smallest of the greater numbers are wanted, rather than the greatest.
    package var isFromBelow = false
    package var limit: Int

    package init(before: Int64? = nil, after: Int64? = nil, isFromBelow: Bool = false, limit: Int) {
        (self.before, self.after, self.isFromBelow, self.limit) = (before, after, isFromBelow, limit)
    }
}

/// How far somebody has read a timeline.
package struct Marker: Sendable, Equatable {
    /// `home` or `notifications`.
    package let timeline: String
    package let lastReadID: String
    /// Grows with each change.
    package let version: Int
    package let updatedAt: Date
}

/// Which photos a timeline has.
package enum TimelinePart: Sendable, Equatable {
    /// The owner's own, private ones and those that wait too.
    case own
    /// The owner's public ones.
    case publicOfOwner
    /// The owner's, that they have bookmarked; and others' that they may see.
    case bookmarked
    /// Those that they like.
    case liked
}

private let last = "ffffffff-ffff-ffff-ffff-ffffffffffff"

extension Query where Row == PhotoView {
    /// The posts of a timeline, newest first; what is part of another's post is left out.
    static func timeline(_ part: TimelinePart, of user: UserID, viewer: UserID?, _ page: NumberedPage) -> Self {
        let (name, source) =
            switch part {
            case .own:
                (
                    "timeline_own",
                    """
                    photos c WHERE c.owner_id = $1 AND c.deleted_at IS NULL AND c.part_of IS NULL
                      AND (c.planned_visibility IS NULL)
                    """
                )
            case .publicOfOwner:
                (
                    "timeline_public",
                    "photos c WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL"
                )
            case .bookmarked:
                ("timeline_bookmarks", marked("bookmarks"))
            case .liked:
                ("timeline_liked", marked("likes"))
            }
        let order = page.isFromBelow ? "ASC" : "DESC"
        return Query(
            "\(name)_\(order.lowercased())",
            """
            SELECT view.*
              FROM (SELECT c.id FROM \(source)
                       AND c.id < coalesce($2::uuid, '\(last)')
                       AND c.id >= coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
                     ORDER BY c.id \(order) LIMIT $4::int) page
              \(viewsOfPage(liked: liked(by: "$5::uuid"))) ORDER BY view.id DESC
            """,
            [
                user.uuid, page.before.map { PhotoID.least(number: $0).uuid },
                page.after.map { PhotoID.all(number: $0).before.uuid }, page.limit, viewer?.uuid,
            ], decode: { row throws(PostgresError) in try PhotoView(row) })
    }
}

/// The photos that a user has marked in a table and may see, as `c`, without parts of posts; PostgreSQL looks each up by itself, in the order of the
/// table's index.
private func marked(_ table: String) -> String {
    """
    (SELECT photo_id AS id FROM \(table) WHERE user_id = $1) c
     CROSS JOIN LATERAL (SELECT FROM photos p
                          WHERE p.id = c.id AND p.deleted_at IS NULL AND p.part_of IS NULL
                            AND (p.visibility <> 'private' OR p.owner_id = $1) LIMIT 1) visible
     WHERE true
    """
}

extension Query where Row == UUID {
    private static func identifier(_ row: borrowing ResultRow) throws(PostgresError) -> UUID { try row.get("id") }

    /// Those of a number; two at most.
    static func photos<Thing>(numbered range: (from: Identifier<Thing>, before: Identifier<Thing>)) -> Self {
        Query(
            "photos_by_number", "SELECT id FROM photos WHERE id >= $1 AND id < $2 LIMIT 2",
            [range.from.uuid, range.before.uuid], decode: identifier)
    }

    static func uploads<Thing>(numbered range: (from: Identifier<Thing>, before: Identifier<Thing>), of owner: UserID)
        -> Self
    {
        Query(
            "uploads_by_number", "SELECT id FROM uploads WHERE id >= $1 AND id < $2 AND owner_id = $3 LIMIT 2",
            [range.from.uuid, range.before.uuid, owner.uuid], decode: identifier)
    }

    static func users<Thing>(numbered range: (from: Identifier<Thing>, before: Identifier<Thing>)) -> Self {
        Query(
            "users_by_number",
            "SELECT id FROM users WHERE id >= $1 AND id < $2 AND deleted_at IS NULL LIMIT 2",
            [range.from.uuid, range.before.uuid], decode: identifier)
    }

    static func bookmarked(_ photos: [PhotoID], by user: UserID) -> Self {
        Query(
            "bookmarked", "SELECT photo_id AS id FROM bookmarks WHERE user_id = $1 AND photo_id = ANY ($2::uuid[])",
            [user.uuid, photos.map(\.uuid)], decode: identifier)
    }
}

extension Query where Row == (UserID, Int64) {
    /// Public photos of each user, at most `limit` of each counted.
    static func publicPhotoCounts(of users: [UserID], limit: Int) -> Self {
        Query(
            "public_photo_counts",
            """
            SELECT o.id, (SELECT count(*)
                            FROM (SELECT FROM photos p
                                   WHERE p.owner_id = o.id AND p.visibility = 'public' AND p.deleted_at IS NULL
                                   ORDER BY p.id DESC LIMIT $2::int) counted) AS count
              FROM unnest($1::uuid[]) AS o(id)
            """, [users.map(\.uuid), limit]
        ) { row throws(PostgresError) in (try row.id("id"), try row.get("count")) }
    }
}

extension Query where Row == LikeNotice {
    /// The likes of a user's photos by others, newest first.
    static func likeNotices(of owner: UserID, _ page: NumberedPage) -> Self {
        let number = """
            ((floor(extract(epoch FROM k.created_at) * 1000)::bigint << 16)
             | ('x' || right(k.user_id::text, 4))::bit(16)::int)
            """
        let order = page.isFromBelow ? "ASC" : "DESC"
        return Query(
            "like_notices_\(order.lowercased())",
            """
            SELECT * FROM (
                SELECT \(number) AS number, k.photo_id, k.user_id, k.created_at
                  FROM likes k
                 CROSS JOIN LATERAL (SELECT FROM photos p WHERE p.id = k.photo_id AND p.deleted_at IS NULL LIMIT 1) photo
                 CROSS JOIN LATERAL (SELECT FROM users u WHERE u.id = k.user_id AND u.deleted_at IS NULL LIMIT 1) liker
                 WHERE k.owner_id = $1 AND k.user_id <> $1
                   AND k.created_at < coalesce(to_timestamp((($2::bigint >> 16) + 1) / 1000.0), 'infinity')
                   AND k.created_at >= coalesce(to_timestamp(($3::bigint >> 16) / 1000.0), '-infinity')
                   AND \(number) < coalesce($2::bigint, 9223372036854775807) AND \(number) > coalesce($3::bigint, 0)
                 ORDER BY k.created_at \(order) LIMIT $4::int) page
             ORDER BY number DESC
            """, [owner.uuid, page.before, page.after, page.limit]
        ) { row throws(PostgresError) in
            LikeNotice(
                number: try row.get("number"), photo: try row.id("photo_id"), liker: try row.id("user_id"),
                likedAt: try row.get("created_at"))
        }
    }
}

extension Query where Row == Marker {
    static func markers(of user: UserID) -> Self {
        Query(
            "markers", "SELECT timeline, last_read_id, version, updated_at FROM markers WHERE user_id = $1",
            [user.uuid], decode: marker)
    }

    static func setMarker(_ timeline: String, _ lastReadID: String, of user: UserID) -> Self {
        Query(
            "set_marker",
            """
            INSERT INTO markers AS m (user_id, timeline, last_read_id) VALUES ($1, $2, $3)
            ON CONFLICT (user_id, timeline) DO UPDATE
               SET last_read_id = excluded.last_read_id, version = m.version + 1, updated_at = now()
            RETURNING timeline, last_read_id, version, updated_at
            """, [user.uuid, timeline, lastReadID], decode: marker)
    }

    private static func marker(_ row: borrowing ResultRow) throws(PostgresError) -> Marker {
        let version: Int32 = try row.get("version")
        return Marker(
            timeline: try row.get("timeline"), lastReadID: try row.get("last_read_id"), version: Int(version),
            updatedAt: try row.get("updated_at"))
    }
}

extension Query where Row == Person {
    /// Those of these users who have not left.
    static func people(_ users: [UserID]) -> Self {
        Query(
            "people_by_id",
            """
            SELECT \(personColumns) FROM users u \(pictureOfUser)
             WHERE u.id = ANY ($1::uuid[]) AND u.deleted_at IS NULL
            """, [users.map(\.uuid)], decode: { row throws(PostgresError) in try Person(row) })
    }
}

/// What is said of a file before it is a photo.
package struct UploadDescription: Sendable, Equatable {
    package let altText: String
    package let focus: FocalPoint?
}

extension Query where Row == UploadDescription {
    static func description(of upload: UploadID, owner: UserID) -> Self {
        Query(
            "upload_description",
            "SELECT alt_text, focus_x, focus_y FROM uploads WHERE id = $1 AND owner_id = $2",
            [upload.uuid, owner.uuid]
        ) { row throws(PostgresError) in
            UploadDescription(altText: try row.get("alt_text"), focus: try row.focus())
        }
    }
}

extension Query where Row == Void {
    static func bookmark(_ photo: PhotoID, by user: UserID) -> Self {
        Query(
            "bookmark_photo",
            "INSERT INTO bookmarks (user_id, photo_id) VALUES ($1, $2) ON CONFLICT DO NOTHING", [user.uuid, photo.uuid])
    }

    static func unbookmark(_ photo: PhotoID, by user: UserID) -> Self {
        Query(
            "unbookmark_photo", "DELETE FROM bookmarks WHERE user_id = $1 AND photo_id = $2", [user.uuid, photo.uuid])
    }

    /// Nil leaves either as it is.
    static func describeUpload(_ upload: UploadID, owner: UserID, altText: String?, focus: FocalPoint?) -> Self {
        Query(
            "describe_upload",
            """
            UPDATE uploads SET alt_text = coalesce($3, alt_text), focus_x = coalesce($4::float8, focus_x),
                               focus_y = coalesce($5::float8, focus_y)
             WHERE id = $1 AND owner_id = $2 AND photo_id IS NULL
            """, [upload.uuid, owner.uuid, altText, focus?.x, focus?.y])
    }

    static func postpone(_ photo: PhotoID, owner: UserID, to time: Date) -> Self {
        Query(
            "postpone_photo",
            """
            UPDATE photos SET publish_at = $3, version = version + 1
             WHERE id = $1 AND owner_id = $2 AND publish_at > now() AND deleted_at IS NULL
            """, [photo.uuid, owner.uuid, time])
    }

    static func setFocus(_ focus: FocalPoint, of photo: PhotoID, owner: UserID) -> Self {
        Query(
            "set_focus", "UPDATE photos SET focus_x = $3::float8, focus_y = $4::float8 WHERE id = $1 AND owner_id = $2",
            [photo.uuid, owner.uuid, focus.x, focus.y])
    }
}

extension PicsStore {
    /// The one thing of a number; nil when there is none, and when two have it.
    private func one<Thing>(_ query: Query<UUID>) async throws(StoreError) -> Identifier<Thing>? {
        let found = try await rows(query)
        return found.count == 1 ? Identifier(found[0]) : nil
    }

    package func photo(numbered number: Int64) async throws(StoreError) -> PhotoID? {
        try await one(.photos(numbered: PhotoID.all(number: number)))
    }

    package func upload(numbered number: Int64, of owner: UserID) async throws(StoreError) -> UploadID? {
        try await one(.uploads(numbered: UploadID.all(number: number), of: owner))
    }

    package func user(numbered number: Int64) async throws(StoreError) -> UserID? {
        try await one(.users(numbered: UserID.all(number: number)))
    }

    /// A page of posts, newest first.
    package func timeline(
        _ part: TimelinePart, of user: UserID, viewer: UserID?, _ page: NumberedPage
    ) async throws(StoreError) -> [PhotoView] {
        try await rows(.timeline(part, of: user, viewer: viewer, page))
    }

    /// Which of these photos a user has bookmarked.
    package func bookmarked(_ photos: [PhotoID], by user: UserID) async throws(StoreError) -> Set<PhotoID> {
        guard !photos.isEmpty else { return [] }
        return Set(try await rows(.bookmarked(photos, by: user)).map { PhotoID($0) })
    }

    /// Bookmarks a photo, or takes that back; again changes nothing. Whether the user may see the photo, the caller has asked.
    package func setBookmark(_ isSet: Bool, on photo: PhotoID, by user: UserID) async throws(StoreError) {
        try await execute(isSet ? .bookmark(photo, by: user) : .unbookmark(photo, by: user))
    }

    /// The likes of a user's photos by others, newest first.
    package func likeNotices(of owner: UserID, _ page: NumberedPage) async throws(StoreError) -> [LikeNotice] {
        try await rows(.likeNotices(of: owner, page))
    }

    package func markers(of user: UserID) async throws(StoreError) -> [Marker] { try await rows(.markers(of: user)) }

    package func setMarker(
        _ timeline: String, _ lastReadID: String, of user: UserID
    ) async throws(StoreError) -> Marker {
        try await one(.setMarker(timeline, lastReadID, of: user))
    }

    /// Public photos of each user; those beyond ten thousand are not counted.
    package func publicPhotoCounts(of users: some Collection<UserID>) async throws(StoreError) -> [UserID: Int] {
        let counts = try await rows(.publicPhotoCounts(of: Array(users), limit: 10_000))
        return Dictionary(counts.map { ($0.0, Int($0.1)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Users as everybody may see them, without those who have left.
    package func people(_ users: Set<UserID>) async throws(StoreError) -> [UserID: Person] {
        guard !users.isEmpty else { return [:] }
        let people = try await rows(.people(Array(users)))
        return Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// What was said of an upload.
    package func description(of upload: UploadID, owner: UserID) async throws(StoreError) -> UploadDescription {
        guard let description = try await first(.description(of: upload, owner: owner)) else { throw .notFound }
        return description
    }

    /// Says something of an upload that is no photo yet; nil leaves what was said.
    ///
    /// - Returns: Whether there is such an upload.
    package func describe(
        _ upload: UploadID, owner: UserID, altText: String?, focus: FocalPoint?
    ) async throws(StoreError) -> Bool {
        try await execute(.describeUpload(upload, owner: owner, altText: altText, focus: focus)) == 1
    }

    /// Moves the time of a photo that waits for it; false when it does not wait.
    package func postpone(_ photo: PhotoID, owner: UserID, to time: Date) async throws(StoreError) -> Bool {
        try await execute(.postpone(photo, owner: owner, to: time)) == 1
    }

    /// Says which point of an owner's photo matters.
    package func setFocus(_ focus: FocalPoint, of photo: PhotoID, owner: UserID) async throws(StoreError) {
        try await execute(.setFocus(focus, of: photo, owner: owner))
    }

    /// The photos that go along with any of these, by their identifiers, without those that are deleted.
    package func companions(ofAny photos: [Photo]) async throws(StoreError) -> [PhotoID: Photo] {
        try await Self.companions(of: photos, in: database)
    }

    /// Photos of an owner as they see them, without those that are deleted.
    package func photoViews(_ ids: Set<PhotoID>, of owner: UserID) async throws(StoreError) -> [PhotoView] {
        guard !ids.isEmpty else { return [] }
        return try await rows(.photos(ids.map { PhotoKey(id: $0, viewer: owner) })).map(\.1)
            .filter { $0.photo.deletedAt == nil && $0.photo.owner == owner }
    }

    /// A photo by its short code as its owner sees it.
    package func photoForOwner(code: ShortCode) async throws(StoreError) -> PhotoView {
        guard let view = try await first(.photo(code: code, viewer: nil)) else { throw .notFound }
        return try visible(view, to: view.photo.owner)
    }
}
