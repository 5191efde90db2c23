import Domain
import Foundation
import Postgres
import Testing

@testable import Store

/// What each statement costs beside the photos of others: `script/measure-growth` names their number, in steps such as `900000,9000000`.
private let steps = (ProcessInfo.processInfo.environment["PICS_GROWTH"] ?? "").split(separator: ",").compactMap {
    Int($0)
}

@Suite(.enabled(if: !steps.isEmpty), .timeLimit(.minutes(600)))
struct GrowthTests {
    @Test func `no hot statement reads many more pages when others have many photos`() async throws {
        try await withStore { bench in
            let population = try await bench.populate()
            // Nobody has twenty thousand accounts: those that are looked at stay.
            try await bench.database.change(
                """
                UPDATE connections SET owner_id = numbered_id(1500)
                 WHERE id > numbered_id(20) AND id NOT IN (numbered_id(1002), numbered_id(10001))
                """)
            let statements = try HotStatements.all(for: population)
            try await bench.vacuum()
            var costs = [try await bench.costs(of: statements)]
            var photos = 0
            for step in steps {
                try await bench.addOthers(photos..<(photos + step))
                photos += step
                try await bench.vacuum()
                costs.append(try await bench.costs(of: statements))
                print(try await bench.sizes())
            }

            for (index, statement) in statements.enumerated() {
                let (first, last) = (costs[0][index], costs[costs.count - 1][index])
                let row = costs.map { "\($0[index].pages)\t\($0[index].milliseconds)" }.joined(separator: "\t")
                print("\(statement.name)\t\(row)")
                #expect(last.pages <= first.pages + 2, "\(statement.name)")
            }
        }
    }
}

extension Bench {
    /// Of each statement the pages that it reads from tables and indexes, in the worse of two kinds of plans, and its time when all is in memory.
    fileprivate func costs(
        of statements: [(name: String, run: HotStatement)]
    ) async throws -> [(pages: Int, milliseconds: String)] {
        let pages = """
            SELECT sum(pg_stat_get_xact_blocks_fetched(c.oid))::text FROM pg_class c
             WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'i')
            """
        var costs: [(pages: Int, milliseconds: String)] = []
        for statement in statements {
            var (most, times): (Int, [Double]) = (0, [])
            do throws(PostgresError) {
                for mode in PlanMode.allCases + PlanMode.allCases {
                    let (read, time) = try await undoing(mode) { transaction throws(PostgresError) in
                        // The session's counters go on from one transaction to the next.
                        func count() async throws(PostgresError) -> Int {
                            try await transaction.texts(pages, []).first.flatMap { Int($0) } ?? 0
                        }
                        let (before, begun) = (try await count(), ContinuousClock.now)
                        _ = try await statement.run(transaction)
                        let time = ContinuousClock.now - begun
                        return (try await count() - before, time / .milliseconds(1))
                    }
                    most = max(most, read)
                    times.append(time)
                }
            } catch {
                print("\(statement.name): \(error)")
                most = .max / 2
            }
            // The first of each kind are planned, and read what is not in memory.
            costs.append((most, String(format: "%.1f", times.suffix(2).max() ?? 0)))
        }
        return costs
    }

    /// As autovacuum would have done meanwhile.
    fileprivate func vacuum() async throws {
        try await database.change("SET statement_timeout = 0")
        try await database.change("VACUUM ANALYZE")
    }

    /// The bytes of the largest tables with their indexes.
    fileprivate func sizes() async throws -> String {
        try await database.texts(
            """
            SELECT format('%s: %s rows, %s, indexes %s', relname, n_live_tup, pg_size_pretty(pg_table_size(relid)),
                          pg_size_pretty(pg_indexes_size(relid)))
              FROM pg_stat_user_tables WHERE schemaname = current_schema()
             ORDER BY pg_total_relation_size(relid) DESC LIMIT 12
            """
        ).joined(separator: "\n")
    }

    /// Photos of others with the numbers of `range`: each ten have an owner with a token and an account; a photo has a short link, two renditions,
    /// one submission and its try, ten likes, and people who have seen it on a day.
    fileprivate func addOthers(_ range: Range<Int>) async throws {
        let (users, people) = (
            "generate_series(\(range.lowerBound / 10), \(range.upperBound / 10 - 1)) n", range.upperBound / 10
        )
        let tables =
            "photos, short_links, blobs, renditions, likes, submissions, attempts, visits, users, tokens, connections, lanes"
        var statements = [
            // Built once, after the rows, an index takes a tenth of the time.
            """
            CREATE TEMPORARY TABLE later AS
            SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
             WHERE i.indrelid = ANY ('{\(tables)}'::regclass[]) AND NOT i.indisunique
            """,
            "DO $$ DECLARE v record; BEGIN FOR v IN SELECT * FROM later LOOP EXECUTE 'DROP INDEX ' || v.name; END LOOP; END $$",
            "INSERT INTO users (id, name, has_gallery) SELECT numbered_id(10000000 + n), 'person' || n, n % 3 = 0 FROM \(users)",
            """
            INSERT INTO tokens (id, user_id, hash, name, scopes)
            SELECT numbered_id(10000000 + n), numbered_id(10000000 + n), sha256(('person' || n)::bytea), '', '{read}' FROM \(users)
            """,
            """
            INSERT INTO connections (id, owner_id, service, remote_id, account, credentials)
            SELECT numbered_id(10000000 + n), numbered_id(10000000 + n), 'file', 'person' || n, n::text, '' FROM \(users)
            """,
            """
            INSERT INTO lanes (connection_id, service, gate, max_running, wake_at)
            SELECT numbered_id(10000000 + n), 'file', 'file', 4, 'infinity' FROM \(users)
            """,
        ]
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 500_000) {
            let rows = "generate_series(\(start), \(min(start + 500_000, range.upperBound) - 1)) n"
            statements += [
                """
                INSERT INTO blobs (sha256, bytes, media_type)
                SELECT sha256(('other ' || n)::bytea), 3000000, 'image/jpeg' FROM \(rows)
                """,
                """
                INSERT INTO renditions (source_sha256, name, sha256, width, height)
                SELECT sha256(('other ' || n)::bytea), unnest('{thumb,small}'::text[]), sha256('1'), 1, 1 FROM \(rows)
                """,
                """
                INSERT INTO photos (id, owner_id, sha256, kind, width, height, like_count, taken_at, processing, processing_at, caption)
                SELECT numbered_id(1000000000 + n), numbered_id(10000000 + n / 10), sha256(('other ' || n)::bytea), 'photo', 4000, 3000, 10,
                       '2024-01-01T00:00:00Z'::timestamptz + n * interval '1 s', 'done', now() - n * interval '1 ms',
                       'A boat on a lake, ' || n % 1000
                  FROM \(rows)
                """,
                """
                INSERT INTO short_links (code, photo_id)
                SELECT 'B' || translate(lpad(n::text, 7, '0'), '0', 'Z'), numbered_id(1000000000 + n) FROM \(rows)
                """,
                """
                INSERT INTO likes (photo_id, user_id, created_at, owner_id)
                SELECT numbered_id(1000000000 + n), numbered_id(10000000 + (n * 31 + j * 7919) % \(people)),
                       now() - n * interval '1 ms', numbered_id(10000000 + n / 10)
                  FROM \(rows) CROSS JOIN generate_series(1, 10) j
                """,
                """
                INSERT INTO submissions (id, photo_id, connection_id, state, text, is_cut, length, remote_id, count_at, updated_at)
                SELECT numbered_id(1000000000 + n), numbered_id(1000000000 + n), numbered_id(10000000 + n / 10), 'done',
                       'A boat on a lake', false, 16, n::text, now() + interval '1 day', now() - n * interval '1 ms'
                  FROM \(rows)
                """,
                """
                INSERT INTO attempts (submission_id, started_at, ended_at, outcome)
                SELECT numbered_id(1000000000 + n), now() - n * interval '1 ms', now() - n * interval '1 ms', 'done' FROM \(rows)
                """,
                """
                INSERT INTO visits (photo_id, day, people)
                SELECT numbered_id(1000000000 + n), '2025-01-01'::date - n % 365, 1 FROM \(rows)
                """,
            ]
        }
        statements += [
            "DO $$ DECLARE v record; BEGIN FOR v IN SELECT * FROM later LOOP EXECUTE v.definition; END LOOP; END $$",
            "DROP TABLE later", "ANALYZE \(tables)",
        ]
        try await database.transaction { transaction throws(PostgresError) in
            for setting in ["statement_timeout = 0", "session_replication_role = replica"] {
                try await transaction.change("SET LOCAL \(setting)")
            }
            for (index, statement) in statements.enumerated() {
                try await transaction.change(statement)
                if index % 8 == 0 { print("\(index) of \(statements.count) statements done at \(Date())") }
            }
        }
    }
}
