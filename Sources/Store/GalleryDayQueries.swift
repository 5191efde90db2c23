import Domain
import Foundation
import Postgres

/// A day of a year on which public photos were taken, or else posted.
package struct GalleryDay: Sendable, Equatable {
    /// Of the year, from 1.
    package let day: Int
    /// The day's photos, counted up to `GalleryDay.mostCounted`.
    package let count: Int
    /// The first photo of the day.
    package let first: PhotoView

    package static let mostCounted = 10
}

/// The years from the first to the last photo.
package struct GalleryYears: Sendable, Equatable {
    package let first: Int
    package let last: Int
}

extension Query where Row == GalleryDay {
    /// The days of a year that have photos. The index is entered for each day, so a year of a million photos costs what a
    /// year of a thousand costs.
    static func days(of owner: UserID, year: Int, zone: String) -> Self {
        Query(
            "gallery_days",
            """
            SELECT extract(doy FROM d.day)::int AS day, counted.photos, view.*
              FROM generate_series(make_date($2::int, 1, 1)::timestamp, make_date($2::int, 12, 31)::timestamp, '1 day')
                   AS d(day)
             CROSS JOIN LATERAL (SELECT c.id FROM photos c
                                  WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL
                                    AND coalesce(c.taken_at, c.created_at) >= d.day AT TIME ZONE $3
                                    AND coalesce(c.taken_at, c.created_at) < (d.day + interval '1 day') AT TIME ZONE $3
                                  ORDER BY coalesce(c.taken_at, c.created_at), c.id LIMIT 1) page
             CROSS JOIN LATERAL (SELECT count(*) AS photos
                                   FROM (SELECT FROM photos c
                                          WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL
                                            AND coalesce(c.taken_at, c.created_at) >= d.day AT TIME ZONE $3
                                            AND coalesce(c.taken_at, c.created_at)
                                                < (d.day + interval '1 day') AT TIME ZONE $3
                                          LIMIT $4::int) of_day) counted
              \(viewsOfPage())
             ORDER BY d.day
            """, [owner.uuid, year, zone, GalleryDay.mostCounted]
        ) { row throws(PostgresError) in
            let day: Int32 = try row.get("day")
            let count: Int64 = try row.get("photos")
            return GalleryDay(day: Int(day), count: Int(count), first: try PhotoView(row))
        }
    }
}

extension Query where Row == GalleryYears {
    /// No row without a photo.
    static func years(of owner: UserID, zone: String) -> Self {
        Query(
            "gallery_years",
            """
            SELECT extract(year FROM first.at AT TIME ZONE $2)::int AS first,
                   extract(year FROM last.at AT TIME ZONE $2)::int AS last
              FROM (SELECT coalesce(taken_at, created_at) AS at FROM photos
                     WHERE owner_id = $1 AND visibility = 'public' AND deleted_at IS NULL
                     ORDER BY coalesce(taken_at, created_at), id LIMIT 1) first,
                   (SELECT coalesce(taken_at, created_at) AS at FROM photos
                     WHERE owner_id = $1 AND visibility = 'public' AND deleted_at IS NULL
                     ORDER BY coalesce(taken_at, created_at) DESC, id DESC LIMIT 1) last
            """, [owner.uuid, zone]
        ) { row throws(PostgresError) in
            let first: Int32 = try row.get("first")
            let last: Int32 = try row.get("last")
            return GalleryYears(first: Int(first), last: Int(last))
        }
    }
}

extension Query where Row == PhotoView {
    /// The public photos of a day, in the order in which they were taken.
    static func photos(
        of owner: UserID, on day: String, zone: String, after photo: PhotoID?, limit: Int
    ) -> Self {
        Query(
            "gallery_day",
            """
            SELECT view.*
              FROM (SELECT c.id FROM photos c
                     WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL
                       AND coalesce(c.taken_at, c.created_at) < ($2::date::timestamp + interval '1 day') AT TIME ZONE $3
                       AND (coalesce(c.taken_at, c.created_at), c.id)
                           > (greatest((SELECT coalesce(taken_at, created_at) FROM photos WHERE id = $4),
                                       $2::date::timestamp AT TIME ZONE $3),
                              coalesce($4::uuid, '00000000-0000-0000-0000-000000000000'))
                     ORDER BY coalesce(c.taken_at, c.created_at), c.id LIMIT $5::int) page
              \(viewsOfPage())
             ORDER BY coalesce(view.taken_at, view.created_at), view.id
            """, [owner.uuid, day, zone, photo?.uuid, limit],
            decode: { row throws(PostgresError) in try PhotoView(row) })
    }
}
