package import Domain
import Postgres

/// Whether photo `o` may go along with photo `p`. One that is deleted goes nowhere any more, nor does one that was made private
/// after it was named; one that was private before goes with a private photo alone. What is part of `p` is always as visible as it.
let companionCondition = """
    o.deleted_at IS NULL
    AND (o.part_of = p.id OR o.visibility <> 'private'
         OR p.visibility = 'private' AND (o.made_private_at IS NULL OR o.made_private_at < p.created_at))
    """

/// As `companions`: the photos that go along with photo `p`, in their order.
let companionsColumn = """
    ARRAY(SELECT n.companion_id FROM companions n JOIN photos o ON o.id = n.companion_id
           WHERE n.photo_id = p.id AND \(companionCondition)
           ORDER BY n.place) AS companions
    """

extension Query where Row == Void {
    static func insertCompanions(_ companions: [PhotoID], of photo: PhotoID) -> Self {
        Query(
            "insert_companions",
            """
            INSERT INTO companions (photo_id, place, companion_id)
            SELECT $1, n.place, n.id FROM unnest($2::uuid[]) WITH ORDINALITY AS n(id, place)
            """, [photo.uuid, companions.map(\.uuid)])
    }
}

extension Query where Row == Void {
    /// Lets what is part of a photo be as visible as the photo now is.
    static func alignParts(of photo: PhotoID) -> Self {
        Query(
            "align_parts",
            """
            UPDATE photos o SET visibility = n.visibility, version = o.version + 1
              FROM (SELECT CASE visibility WHEN 'private' THEN visibility ELSE 'unlisted' END AS visibility
                      FROM photos WHERE id = $1) n
             WHERE o.part_of = $1 AND o.deleted_at IS NULL AND o.visibility <> n.visibility
            """, [photo.uuid])
    }
}

extension Query where Row == (PhotoID, Int) {
    /// The photos that a photo goes along with, and its place behind each, from 1 on.
    static func places(along photo: PhotoID) -> Self {
        Query(
            "places_along", "SELECT photo_id, place FROM companions WHERE companion_id = $1", [photo.uuid]
        ) { row throws(PostgresError) in
            let place: Int16 = try row.get("place")
            return (try row.id("photo_id"), Int(place))
        }
    }
}

extension Query where Row == ShortCode {
    /// The short links of a photo and of all whose pages show it: its parts, and what it is part of.
    static func pages(showing photo: PhotoID) -> Self {
        Query(
            "pages_of_photo",
            """
            SELECT l.code
              FROM (SELECT $1::uuid AS id
                     UNION ALL SELECT id FROM photos WHERE part_of = $1
                     UNION ALL SELECT part_of FROM photos WHERE id = $1 AND part_of IS NOT NULL) o
              JOIN short_links l ON l.photo_id = o.id
            """, [photo.uuid]
        ) { row throws(PostgresError) in try row.value("code") { ShortCode($0 as String) } }
    }
}

extension PicsStore {
    /// The photos that go along with others, by their identifiers, without those that are deleted; none are asked for when there
    /// are none.
    static func companions(
        of photos: [Photo], in database: Database
    ) async throws(StoreError) -> [PhotoID: Photo] {
        let owned = photos.flatMap { photo in photo.companions.map { PhotoKey(id: $0, viewer: photo.owner) } }
        guard !owned.isEmpty else { return [:] }
        let views = try await mappingErrors { () async throws(PostgresError) in
            try await database.run(.photos(Array(Set(owned))))
        }
        return Dictionary(
            views.map(\.1.photo).filter { $0.deletedAt == nil }.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The photos that go along with one, in their order, without those that are deleted.
    package func companions(of photo: Photo) async throws(StoreError) -> [Photo] {
        let found = try await Self.companions(of: [photo], in: database)
        return photo.companions.compactMap { found[$0] }
    }

    /// The photos that a photo goes along with, and its place behind each: 1 for the first that goes along.
    package func places(along photo: PhotoID) async throws(StoreError) -> [PhotoID: Int] {
        let places = try await rows(.places(along: photo))
        return Dictionary(places, uniquingKeysWith: { first, _ in first })
    }
}
