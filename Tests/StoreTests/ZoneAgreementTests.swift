import Foundation
import Postgres
import System
import TestSupport
import Testing

/// Pages tell the time by Pics, days of galleries begin by PostgreSQL: both have to mean the same.
struct ZoneAgreementTests {
    @Test func `zones tell the time that PostgreSQL tells`() async throws {
        try await withTestDatabase { database in
            let first = CivilDate(year: 1902, month: 1, day: 1)?.daysSince1970 ?? 0
            let moments = (0..<1200).map { Int64(first + $0 * 60) * 86_400 + 4242 }
            var differing: [String] = []
            for name in Zone.names {
                let zone = try #require(Zone(named: name), "\(name)")
                let offsets = try await database.run(
                    Query(
                        "offsets",
                        """
                        SELECT extract(epoch FROM (to_timestamp(m) AT TIME ZONE $1) - (to_timestamp(m) AT TIME ZONE 'UTC'))::int AS offset
                          FROM unnest($2::bigint[]) WITH ORDINALITY AS a (m, n) ORDER BY n
                        """, [name, moments]
                    ) { row throws(PostgresError) in try row.get("offset") as Int })
                let own = moments.map { zone.secondsFromUTC(at: Date(timeIntervalSince1970: TimeInterval($0))) }
                if own != offsets { differing.append(name) }
            }
            #expect(differing == [])
        }
    }
}
