import Domain
import Foundation
import Postgres
import Testing

@testable import Store

/// Who reads changes in the order of their times misses none whose commit takes long.
@Suite(.timeLimit(.minutes(5)))
struct SettledTimeTests {
    @Test func `a change of a transaction that is still under way is told after its commit`() async throws {
        try await withStore(connections: 4) { bench in
            let submission = try await bench.submission(to: try await bench.connect())
            func changes(since: Date) async throws -> Changes {
                try await bench.store.changes(ChangeKey(owner: bench.owner.id, since: since))
            }

            let (begunAt, looking) = try await bench.database.transaction { transaction throws(PostgresError) in
                try await transaction.execute(Query<Void>("touch", "UPDATE submissions SET updated_at = now()"))
                let begunAt = try await transaction.one(
                    Query<Date>("begun", "SELECT now() AS begun_at") { row throws(PostgresError) in
                        try row.get("begun_at")
                    })
                let looking = Task { try await changes(since: .distantPast).settledAt }
                return (begunAt, await looking.result)
            }

            let settledAt = try looking.get()
            #expect(settledAt <= begunAt)
            #expect(try await changes(since: settledAt).submissions.map(\.id) == [submission])
        }
    }

    /// The view of the session takes the place of PostgreSQL's: nobody waits two minutes for a session of that age.
    @Test(
        arguments: [
            ("2 s", "active", nil, true), ("2 s", "idle in transaction", nil, true), ("1 h", "active", 7, true),
            ("1 h", "active", nil, false), ("1 h", "idle in transaction", 7, false),
        ] as [(age: String, state: String, number: Int?, isWaitedFor: Bool)])
    func `whoever may still write is waited for`(age: String, state: String, number: Int?, isWaitedFor: Bool)
        async throws
    {
        try await withStore { bench in
            let isBefore = try await bench.database.transaction { transaction throws(PostgresError) in
                try await transaction.execute(
                    Query<Void>(
                        "sessions",
                        """
                        CREATE TEMPORARY VIEW pg_stat_activity AS
                        SELECT now() - interval '\(age)' AS xact_start, current_database() AS datname, 0 AS pid,
                               'client backend' AS backend_type, '\(state)' AS state, \(number.map(String.init) ?? "NULL") AS backend_xid
                        """))
                return try await transaction.one(
                    Query<Bool>(
                        "is before", "SELECT \(settledTimeSQL) < now() - interval '1.5 s' AS is_before"
                    ) { row throws(PostgresError) in
                        try row.get("is_before")
                    })
            }
            #expect(isBefore == isWaitedFor)
        }
    }
}
