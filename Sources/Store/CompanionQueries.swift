package import Domain
import Postgres

/// Whether photo `o` may go along with photo `p`. One that is deleted goes nowhere any more, nor does one that was made private
/// after it was named; one that was private before goes with a private photo alone.
let companionCondition = """
    o.deleted_at IS NULL
    AND (o.visibility <> 'private'
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
}
