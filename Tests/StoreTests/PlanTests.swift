import Crypto
import Domain
import Foundation
import Postgres
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(10)))
struct PlanTests {
    /// The tables that grow with what people do. Webhooks do not: all of them are looked at.
    private static let large = [
        "photos", "short_links", "likes", "bookmarks", "submissions", "jobs", "lanes", "tokens", "sessions",
        "visitor_likes", "visits", "blobs", "renditions", "companions", "push_messages",
    ]

    @Test func `no hot statement reads a whole table`() async throws {
        try await withStore { bench in
            let population = try await bench.populate()

            for mode in PlanMode.allCases {
                for (name, run) in try HotStatements.all(for: population) {
                    let (rows, scanned) = try await bench.scannedTables(of: Self.large, mode: mode, by: run)
                    #expect(scanned == [], "\(name), \(mode)")
                    #expect(rows > 0, "\(name), \(mode)")
                }
            }
        }
    }

    @Test func `what is enqueued and ended is looked up by its key before PostgreSQL has statistics`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let posted = try await bench.post()
            let submission = NewSubmission(
                id: .make(), connection: connection, plan: .sample("Sunset"), bytes: 1, maximumAttempts: 3,
                maximumAge: .seconds(60))
            let life: HotStatement = { transaction throws(PostgresError) in
                _ = try await transaction.run(
                    .insertSubmissions([submission], of: posted.photo), .enqueue([submission]))
                return try await HotStatements.takeAndFinish(transaction)
            }

            for mode in PlanMode.allCases {
                let (rows, scanned) = try await bench.scannedTables(
                    of: ["photos", "submissions"], mode: mode, by: life)
                #expect(scanned == [], "\(mode)")
                #expect(rows == 1, "\(mode)")
            }
        }
    }
}

extension Bench {
    /// Which tables statements read from end to end, and their rows.
    fileprivate func scannedTables(
        of tables: [String], mode: PlanMode, by run: @escaping HotStatement
    ) async throws(PostgresError) -> (rows: Int, tables: [String]) {
        // The session's counters, which also hold what was not yet told to the server's.
        let scans = """
            SELECT relname || ' ' || seq_scan FROM pg_stat_xact_user_tables
             WHERE schemaname = current_schema() AND relname = ANY ($1::text[]) ORDER BY relname
            """
        return try await undoing(mode) { transaction throws(PostgresError) in
            let before = try await transaction.texts(scans, [tables])
            let rows = try await run(transaction)
            return (rows, try await transaction.texts(scans, [tables]).filter { !before.contains($0) })
        }
    }
}
