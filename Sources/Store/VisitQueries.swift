package import Domain
internal import Postgres

/// Visits of a page on one day that were counted in memory.
package struct VisitCounts: Sendable, Equatable {
    package let code: ShortCode
    /// Days since 1970, in UTC.
    package let day: Int
    package let count: VisitCount

    package init(code: ShortCode, day: Int, count: VisitCount) {
        (self.code, self.day, self.count) = (code, day, count)
    }
}

/// How often pages were opened.
package struct VisitCount: Sendable, Equatable {
    package var people: Int64
    /// Programs that say they are some.
    package var bots: Int64

    package init(people: Int64 = 0, bots: Int64 = 0) { (self.people, self.bots) = (people, bots) }

    package static func += (sum: inout VisitCount, other: VisitCount) {
        sum.people += other.people
        sum.bots += other.bots
    }
}

/// The visits of a photo's page on one day.
package struct VisitDay: Sendable, Equatable {
    /// Such as `2026-12-31`, in UTC.
    package let day: String
    package let count: VisitCount

    package init(day: String, count: VisitCount) { (self.day, self.count) = (day, count) }
}

/// The visits of a day as an export goes through them.
package struct ExportVisits: Sendable, Equatable {
    let photo: PhotoID
    /// Of the photo.
    package let code: ShortCode
    /// Nil for all days that are too long ago to be told apart.
    package let day: String?
    package let count: VisitCount
}

extension VisitCount {
    fileprivate init(_ row: borrowing ResultRow) throws(PostgresError) {
        self.init(people: try row.get("people"), bots: try row.get("bots"))
    }
}

extension Query where Row == Void {
    /// Adds what was counted in memory; in the order of the key, so that two processes do not wait for each other in a circle.
    static func addVisits(_ visits: [VisitCounts]) -> Self {
        Query(
            "add_visits",
            """
            INSERT INTO visits AS v (photo_id, day, people, bots)
            SELECT l.photo_id, date '1970-01-01' + n.day::int, n.people, n.bots
              FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS n(code, day, people, bots)
              JOIN short_links l ON l.code = n.code JOIN photos p ON p.id = l.photo_id AND p.deleted_at IS NULL
             ORDER BY 1, 2
            ON CONFLICT (photo_id, day) DO UPDATE SET people = v.people + excluded.people, bots = v.bots + excluded.bots
            """,
            [
                visits.map(\.code.description), visits.map { Int64($0.day) }, visits.map(\.count.people),
                visits.map(\.count.bots),
            ])
    }

    /// Forgets the visits of a photo that was deleted.
    static func deleteVisits(of photo: PhotoID) -> Self {
        Query(
            "forget_visits",
            """
            DELETE FROM visits WHERE photo_id = $1
               AND EXISTS (SELECT FROM photos p WHERE p.id = $1 AND p.deleted_at IS NOT NULL)
            """, [photo.uuid])
    }

    /// Adds days that are long ago to the one sum of their photo. A row tells each.
    static func foldVisits(keeping days: Int, limit: Int) -> Self {
        Query(
            "fold_visits",
            """
            WITH old AS (
                DELETE FROM visits WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM visits
                     WHERE day > '-infinity' AND day < (now() AT TIME ZONE 'UTC')::date - $1::int
                     ORDER BY day, photo_id LIMIT $2::int FOR UPDATE SKIP LOCKED))
                RETURNING photo_id, people, bots
            ), folded AS (
                INSERT INTO visits AS v (photo_id, day, people, bots)
                SELECT photo_id, '-infinity', sum(people)::bigint, sum(bots)::bigint FROM old GROUP BY photo_id ORDER BY photo_id
                ON CONFLICT (photo_id, day)
                DO UPDATE SET people = v.people + excluded.people, bots = v.bots + excluded.bots
            )
            SELECT photo_id FROM old
            """, [days, limit])
    }
}

extension Query where Row == VisitCount {
    static func visits(of photo: PhotoID) -> Self {
        Query(
            "visits",
            """
            SELECT coalesce(sum(people), 0)::bigint AS people, coalesce(sum(bots), 0)::bigint AS bots
              FROM visits WHERE photo_id = $1
            """, [photo.uuid]
        ) { row throws(PostgresError) in try VisitCount(row) }
    }
}

extension Query where Row == VisitDay {
    /// Newest first.
    static func visitDays(of photo: PhotoID, before day: String?, limit: Int) -> Self {
        Query(
            "visit_days",
            """
            SELECT day::text AS day, people, bots FROM visits
             WHERE photo_id = $1 AND day > '-infinity' AND day < coalesce($2::date, 'infinity')
             ORDER BY visits.day DESC LIMIT $3::int
            """, [photo.uuid, day, limit]
        ) { row throws(PostgresError) in VisitDay(day: try row.get("day"), count: try VisitCount(row)) }
    }
}

extension Query where Row == ExportVisits {
    /// By photo and day.
    static func visits(toPhotosOf owner: UserID, after last: ExportVisits?, limit: Int) -> Self {
        Query(
            "visits_of_owner",
            """
            SELECT v.photo_id, l.code, nullif(v.day, '-infinity')::text AS day, v.people, v.bots
              FROM photos p JOIN visits v ON v.photo_id = p.id JOIN short_links l ON l.photo_id = p.id
             WHERE p.owner_id = $1 AND p.deleted_at IS NULL
               AND p.id >= coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
               AND ($2::uuid IS NULL OR v.photo_id > $2 OR v.day > coalesce($3::date, '-infinity'))
             ORDER BY p.id, v.day LIMIT $4::int
            """, [owner.uuid, last?.photo.uuid, last?.day, limit]
        ) { row throws(PostgresError) in
            ExportVisits(
                photo: try row.id("photo_id"), code: try row.value("code") { ShortCode($0 as String) },
                day: try row.get("day"), count: try VisitCount(row))
        }
    }
}
