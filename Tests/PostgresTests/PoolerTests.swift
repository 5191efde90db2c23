import EventLoops
import Logging
import TestSupport
import Testing

@testable import Postgres

/// Through pgbouncer in transaction mode, where each transaction may run in another session of the server.
@Suite(.enabled(if: Pooler.isInstalled, "pgbouncer is not installed"), .timeLimit(.minutes(5)))
struct PoolerTests {
    @Test func `statements and transactions run in whichever session is free`() async throws {
        try await withPooledDatabase { _, pooler in
            try await withDatabase(pooler.connection) { database in
                let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 1...60 {
                        group.addTask {
                            if number % 3 == 0 {
                                return try await database.transaction { transaction throws(PostgresError) in
                                    let one = try await transaction.one(.echo(number - 1))
                                    return one + (try await transaction.one(.number("one", "SELECT 1 AS n")))
                                }
                            }
                            return try await database.one(.echo(number))
                        }
                    }
                    return try await group.reduce(0, +)
                }

                #expect(sum == 60 * 61 / 2)
            }
        }
    }

    @Test func `each transaction has the variables that a session would have, and leaves none behind`() async throws {
        try await withPooledDatabase(sessions: 1) { _, pooler in
            try await withDatabase(pooler.connection) { database in
                let limit = Query<String>("limit", "SELECT current_setting('statement_timeout') AS t") {
                    row throws(PostgresError) in try row.get("t")
                }
                #expect(try await database.one(limit) == "30s")
                #expect(
                    try await database.transaction(isolation: .repeatableRead) { transaction throws(PostgresError) in
                        try await transaction.one(limit)
                    } == "30s")
                // The pooler's other clients have their own; this is the server's own value, asked past the beginning.
                let connection = try await database.connector.connect(on: database.loop)
                try await connection.script(
                    "CREATE TABLE seen AS SELECT current_setting('statement_timeout') AS t", name: "see")
                let seen = Query<String>("seen", "SELECT t FROM seen") { row throws(PostgresError) in try row.get("t") }
                #expect(try await connection.one(seen) == "0")
                await connection.close()
            }
        }
    }

    @Test func `migrations leave no lock behind`() async throws {
        try await withPooledDatabase { direct, pooler in
            let migrations = try Migrations.load(migrationsFolder)
            try await withDatabase(pooler.connection) { database in
                let applied = try await migrations.apply(to: database, as: testRelease)
                #expect(applied == migrations.all)
            }

            let locks = try await direct.one(
                .number(
                    "locks",
                    "SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
                ))
            #expect(locks == 0)
            #expect(try await migrations.apply(to: direct, as: testRelease).isEmpty)
        }
    }

    @Test func `a listener hears by the direct address what is told through the pooler`() async throws {
        try await withPooledDatabase { direct, pooler in
            try await withDatabase(pooler.connection, direct: direct.settings.connection) { database in
                let listener = PostgresListener(database)
                var events = await listener.listen(to: ["jobs"]).makeAsyncIterator()
                #expect(await events.next() == .connected)

                try await database.execute(.notify("jobs", "new"))

                #expect(await events.next() == .notification(DatabaseNotification(channel: "jobs", payload: "new")))
                await listener.stop()
            }
        }
    }

    @Test func `without a direct address nothing is listened to in a session that others use`() async throws {
        try await withPooledDatabase { direct, pooler in
            try await withDatabase(pooler.connection) { database in
                let listener = PostgresListener(database)
                var events = await listener.listen(to: ["jobs"]).makeAsyncIterator()

                #expect(await events.next() == .connected)
                let listening = try await direct.one(
                    .number(
                        "listening",
                        "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
                    ))
                #expect(listening == 0)
                await listener.stop()
            }
        }
    }

    private func withDatabase(
        _ connection: String, direct: String? = nil, _ body: (Database) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "pooled")
        var settings = DatabaseSettings(connection: connection)
        settings.directConnection = direct
        settings.waitLimit = .seconds(60)
        let database = Database(settings, loops: [loop], logger: .silent)
        do {
            try await body(database)
        } catch {
            await database.close()
            throw error
        }
        await database.close()
        loop.stop()
    }
}
