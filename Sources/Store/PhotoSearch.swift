package import Domain
package import FoundationEssentials
import Postgres
package import System

/// Which of an owner's photos; nil leaves a filter out.
package struct PhotoFilter: Sendable, Equatable {
    /// Words, each of which is part of the caption or the alternative text, whatever its case.
    package var words: String?
    package static let mostWords = 20
    /// A hashtag of the caption, without its sign.
    package var tag: String?
    package var album: String?
    package var state: Photo.State?
    /// The identifier of a service that the photo was sent to, or is to be sent to.
    package var service: String?
    package var visibility: Visibility?
    /// When it was taken, else created.
    package var since: Date?
    /// The same; photos of this moment are later ones.
    package var until: Date?

    package init() {}
}

extension Query where Row == PhotoView {
    /// As `photos(of:before:limit:)`, of those that `filter` lets through.
    static func photos(of owner: UserID, _ filter: PhotoFilter, before: PhotoID?, limit: Int) -> Self {
        Query(
            "photos_found",
            """
            SELECT view.*
              FROM find_photos($1, $2, $3::int, $4, $5, $6, $7, $8, $9::text::visibility, $10, $11) AS page(id)
              \(viewsOfPage(liked: liked(by: "$1"))) ORDER BY view.id DESC
            """,
            [
                owner.uuid, before?.uuid, limit, filter.words, filter.tag, filter.album, filter.state?.rawValue,
                filter.service, filter.visibility?.rawValue, filter.since, filter.until,
            ], decode: { row throws(PostgresError) in try PhotoView(row) })
    }
}

extension PicsStore {
    /// A page of the owner's photos that `filter` lets through, newest first.
    ///
    /// - Throws: `.searchesBusy` and `.searchTooLong` where the filter has words or a hashtag; others as every query.
    package func photos(
        of owner: UserID, _ filter: PhotoFilter, before: PhotoID?, limit: Int
    ) async throws(StoreError) -> [PhotoView] {
        guard filter != PhotoFilter() else { return try await photos(of: owner, before: before, limit: limit) }
        let query = Query.photos(of: owner, filter, before: before, limit: limit)
        guard filter.words != nil || filter.tag != nil else { return try await rows(query) }
        return try await search(query, of: owner, in: ownSearches)
    }

    /// The years in which the owner's oldest and newest photo were taken, else created, as a calendar in `zone` counts them; nil when
    /// there is no photo.
    package func years(of owner: UserID, in zone: Zone) async throws(StoreError) -> ClosedRange<Int>? {
        guard let moments = try await first(.moments(of: owner)) ?? nil else { return nil }
        let years = [moments.lowerBound, moments.upperBound].map { zone.calendar(at: $0).component(.year, from: $0) }
        return years[0]...years[1]
    }
}

extension Query where Row == ClosedRange<Date>? {
    /// When the owner's oldest and newest photo were taken, else created; nil when there is none.
    static func moments(of owner: UserID) -> Self {
        func bound(_ order: String) -> String {
            """
            (SELECT coalesce(taken_at, created_at) FROM photos WHERE owner_id = $1 AND deleted_at IS NULL
              ORDER BY coalesce(taken_at, created_at) \(order) LIMIT 1)
            """
        }
        return Query("photo_moments", "SELECT \(bound("ASC")) AS oldest, \(bound("DESC")) AS newest", [owner.uuid]) {
            row throws(PostgresError) in
            let oldest: Date? = try row.get("oldest")
            let newest: Date? = try row.get("newest")
            guard let oldest, let newest else { return nil }
            return oldest...max(oldest, newest)
        }
    }
}
