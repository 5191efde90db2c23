import Domain
import FoundationEssentials
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

/// The photos `c` that galleries show, by the clock of owner `$1` where that of the camera is not known: the index `photos_by_owners_day`.
private let ofOwnersClock = """
    photos c WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL AND c.taken_offset IS NULL
    """
/// When a photo of `ofOwnersClock` was taken, or else posted.
private let moment = "coalesce(c.taken_at, c.created_at)"

/// The others, by the clocks of their cameras: the index `photos_by_cameras_day`.
private let ofCamerasClock = """
    photos c WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL AND c.taken_offset IS NOT NULL
    """
/// When a photo of `ofCamerasClock` was taken, by that clock.
private let shown = "((c.taken_at AT TIME ZONE 'UTC') + c.taken_offset * interval '1 minute')"

/// Recursive `owners_days` and `cameras_days` (day, n) for `WITH`: the days of `$1` that have public photos, by either clock, numbered from
/// 1. An index is entered once for each. `zone` and `limit` are SQL.
func daysOfGallery(zone: String, limit: String) -> String {
    func days(_ name: String, _ photos: String, by time: String, day: String, next: String) -> String {
        """
        \(name) AS (
            (SELECT \(day) AS day, 1 AS n FROM \(photos) ORDER BY \(time), c.id LIMIT 1)
            UNION ALL
            SELECT next.day, d.n + 1
              FROM \(name) d
             CROSS JOIN LATERAL (SELECT \(day) AS day FROM \(photos) AND \(time) >= \(next)
                                  ORDER BY \(time), c.id LIMIT 1) next
             WHERE d.n < \(limit)::int
        )
        """
    }
    let midnight = "(d.day::timestamp + interval '1 day')"
    let owners = days(
        "owners_days", ofOwnersClock, by: moment, day: "(\(moment) AT TIME ZONE \(zone))::date",
        next: "\(midnight) AT TIME ZONE \(zone)")
    return "\(owners), \(days("cameras_days", ofCamerasClock, by: shown, day: "\(shown)::date", next: midnight))"
}

extension Query where Row == GalleryDay {
    /// The days of a year that have photos. The indexes are entered for each day, so a year of a million photos costs what a
    /// year of a thousand costs.
    static func days(of owner: UserID, year: Int, zone: String) -> Self {
        let ofOwner = """
            \(ofOwnersClock) AND \(moment) >= d.day AT TIME ZONE $3 AND \(moment) < (d.day + interval '1 day') AT TIME ZONE $3
            """
        let ofCamera = "\(ofCamerasClock) AND \(shown) >= d.day AND \(shown) < d.day + interval '1 day'"
        return Query(
            "gallery_days",
            """
            SELECT extract(doy FROM d.day)::int AS day, counted.photos, view.*
              FROM generate_series(make_date($2::int, 1, 1)::timestamp, make_date($2::int, 12, 31)::timestamp, '1 day')
                   AS d(day)
             CROSS JOIN LATERAL (SELECT o.id
                                   FROM ((SELECT c.id, \(moment) - (d.day AT TIME ZONE $3) AS place FROM \(ofOwner)
                                           ORDER BY \(moment), c.id LIMIT 1)
                                         UNION ALL
                                         (SELECT c.id, \(shown) - d.day FROM \(ofCamera)
                                           ORDER BY \(shown), c.id LIMIT 1)) o
                                  ORDER BY o.place, o.id LIMIT 1) page
             CROSS JOIN LATERAL (SELECT count(*) AS photos
                                   FROM ((SELECT 1 FROM \(ofOwner) LIMIT $4::int)
                                         UNION ALL
                                         (SELECT 1 FROM \(ofCamera) LIMIT $4::int) LIMIT $4::int) of_day) counted
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
        func bound(_ order: String) -> String {
            """
            (SELECT extract(year FROM \(moment) AT TIME ZONE $2) FROM \(ofOwnersClock) ORDER BY \(moment) \(order), c.id \(order) LIMIT 1),
            (SELECT extract(year FROM \(shown)) FROM \(ofCamerasClock) ORDER BY \(shown) \(order), c.id \(order) LIMIT 1)
            """
        }
        return Query(
            "gallery_years",
            """
            SELECT y.first, y.last
              FROM (SELECT least(\(bound("ASC")))::int AS first, greatest(\(bound("DESC")))::int AS last) y
             WHERE y.first IS NOT NULL
            """, [owner.uuid, zone]
        ) { row throws(PostgresError) in
            let first: Int32 = try row.get("first")
            let last: Int32 = try row.get("last")
            return GalleryYears(first: Int(first), last: Int(last))
        }
    }
}

extension Query where Row == PhotoView {
    /// The public photos of a day, in the order in which they were taken: by their distance from the day's beginning, on the clock of the
    /// owner or of the camera.
    static func photos(
        of owner: UserID, on day: String, zone: String, after photo: PhotoID?, limit: Int
    ) -> Self {
        Query(
            "gallery_day",
            """
            WITH last AS MATERIALIZED (
                SELECT greatest(0, (SELECT CASE WHEN c.taken_offset IS NULL
                                                THEN extract(epoch FROM \(moment) - ($2::date::timestamp AT TIME ZONE $3))
                                                ELSE extract(epoch FROM \(shown) - $2::date::timestamp) END
                                      FROM photos c
                                     WHERE c.id = $4 AND c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL))::float8 AS place
            ), bound AS MATERIALIZED (
                SELECT ($2::date::timestamp AT TIME ZONE $3) + make_interval(secs => last.place) AS moment,
                       $2::date::timestamp + make_interval(secs => last.place) AS shown,
                       coalesce($4::uuid, '00000000-0000-0000-0000-000000000000') AS id
                  FROM last
            )
            SELECT view.*
              FROM (SELECT o.id, o.place
                      FROM ((SELECT c.id, extract(epoch FROM \(moment) - ($2::date::timestamp AT TIME ZONE $3)) AS place
                               FROM \(ofOwnersClock)
                                AND \(moment) < ($2::date::timestamp + interval '1 day') AT TIME ZONE $3
                                AND (\(moment), c.id) > ((SELECT moment FROM bound), (SELECT id FROM bound))
                              ORDER BY \(moment), c.id LIMIT $5::int)
                            UNION ALL
                            (SELECT c.id, extract(epoch FROM \(shown) - $2::date::timestamp)
                               FROM \(ofCamerasClock)
                                AND \(shown) < $2::date::timestamp + interval '1 day'
                                AND (\(shown), c.id) > ((SELECT shown FROM bound), (SELECT id FROM bound))
                              ORDER BY \(shown), c.id LIMIT $5::int)) o
                     ORDER BY o.place, o.id LIMIT $5::int) page
              \(viewsOfPage())
             ORDER BY page.place, view.id
            """, [owner.uuid, day, zone, photo?.uuid, limit],
            decode: { row throws(PostgresError) in try PhotoView(row) })
    }
}
