import EventLoops
import Foundation
import Logging
import TestSupport
import Testing

@testable import Postgres

struct ErrorTests {
    @Test func `a constraint is known by its name`() async throws {
        try await withTestSchema { database in
            try await database.execute([
                .command("CREATE TABLE owner (id int CONSTRAINT owner_pkey PRIMARY KEY)"),
                .command(
                    """
                    CREATE TABLE photo (
                        id    int CONSTRAINT photo_id_positive CHECK (id > 0),
                        owner int CONSTRAINT photo_owner_fkey REFERENCES owner (id),
                        code  text CONSTRAINT photo_code_key UNIQUE)
                    """),
                .command("INSERT INTO photo (id, code) VALUES (1, 'secret')"),
            ])

            let unique = try #require(await refusal("INSERT INTO photo (id, code) VALUES (2, 'secret')", database))
            #expect(unique.sqlState == "23505")
            #expect(unique.constraint == "photo_code_key")
            #expect(unique.serverError?.table == "photo")

            let check = try #require(await refusal("INSERT INTO photo (id) VALUES (0)", database))
            #expect(check.sqlState == "23514")
            #expect(check.constraint == "photo_id_positive")

            let foreign = try #require(await refusal("INSERT INTO photo (id, owner) VALUES (3, 9)", database))
            #expect(foreign.sqlState == "23503")
            #expect(foreign.constraint == "photo_owner_fkey")
        }
    }

    @Test func `a description tells codes and names, and only the detail tells values`() async throws {
        try await withTestSchema { database in
            try await database.execute(.command("CREATE TABLE t (word text CONSTRAINT t_word_key UNIQUE)"))
            let insert = Query<Void>("insert_word", "INSERT INTO t VALUES ($1)", ["hunter2"])
            try await database.execute(insert)

            let error = try #require(await #expect(throws: PostgresError.self) { try await database.execute(insert) })

            #expect(error.description == "23505 t_word_key in insert_word")
            #expect(error.detail.contains("hunter2"))
        }
    }

    @Test func `wrong SQL tells its SQLSTATE and leaves the connection usable`() async throws {
        try await withTestSchema { database in
            #expect(await refusal("SELECT FROM nowhere", database)?.sqlState == "42P01")
            #expect(await refusal("SELEC 1", database)?.sqlState == "42601")
            #expect(await refusal("SELECT 1 / 0", database)?.sqlState == "22012")
            #expect(await database.statistics().idle == 1)
        }
    }

    @Test func `a statement that was refused is prepared anew the next time`() async throws {
        try await withTestSchema { database in
            let insert = Query<Void>("insert_late", "INSERT INTO late VALUES (1)")
            await #expect(throws: PostgresError.self) { try await database.execute(insert) }

            try await database.execute(.command("CREATE TABLE late (id int)"))

            #expect(try await database.execute(insert) == 1)
        }
    }

    @Test func `a statement whose plan no longer fits its table fails once`() async throws {
        try await withTestSchema { database in
            try await database.execute(.command("CREATE TABLE t AS SELECT 1 AS n"))
            let all = Query<Int>.number("all", "SELECT * FROM t")
            #expect(try await database.one(all) == 1)
            try await database.execute(.command("ALTER TABLE t ALTER n TYPE int8"))

            let error = await #expect(throws: PostgresError.self) { try await database.one(all) }

            #expect(error?.sqlState == "0A000")
            #expect(try await database.one(all) == 1)
        }
    }

    @Test func `a server that takes no changes is a temporary fault, and its connections are not used again`()
        async throws
    {
        try await withTestSchema(adjust: { $0.connectionsPerLoop = 1 }) { database in
            try await database.execute(.command("CREATE TABLE t (n int)"))
            let insert = Query<Void>("insert_one", "INSERT INTO t VALUES (1)")
            // Of the one session there is, as if its server had become a standby.
            try await database.execute(.command("SET default_transaction_read_only = on"))

            let error = await #expect(throws: PostgresError.self) { try await database.execute(insert) }

            #expect(error?.sqlState == "25006")
            #expect(error?.isTemporary == true)
            #expect(try await database.execute(insert) == 1)
        }
    }

    @Test func `a transaction that finds a server without changes gives its connection up too`() async throws {
        try await withTestSchema(adjust: { $0.connectionsPerLoop = 1 }) { database in
            let make = Query<Void>("make", "CREATE TABLE t (n int)")
            try await database.execute(.command("SET default_transaction_read_only = on"))

            let error = await #expect(throws: PostgresError.self) {
                try await database.transaction { transaction throws(PostgresError) in
                    try await transaction.execute(make)
                }
            }

            #expect(error?.isReadOnly == true)
            try await database.execute(make)
        }
    }

    @Test(arguments: ["53100", "53300", "55P03", "57P01", "57P03", "58030", "25006", "08006", "40001"])
    func `a state of the server that passes is temporary`(sqlState: String) {
        #expect(PostgresError.server(.sample(sqlState)).isTemporary)
    }

    @Test(arguments: ["42P01", "22012", "23505", "42501", "0A000"])
    func `a mistake in a statement is not`(sqlState: String) {
        #expect(!PostgresError.server(.sample(sqlState)).isTemporary)
    }

    @Test func `a database that cannot be reached is told once, on one line`() async throws {
        let loop = try EventLoop(name: "test")
        let database = Database(
            DatabaseSettings(connection: "host=/nonexistent user=pics"), loops: [loop], logger: .silent)

        let error = await #expect(throws: MigrationError.self) {
            try await Migrations.load(migrationsFolder).apply(to: database, as: testRelease)
        }

        let text = try #require(error?.detail)
        #expect(text.components(separatedBy: "cannot be reached").count == 2)
        #expect(text.hasPrefix("migrations need the database: the database cannot be reached: connection to server"))
        #expect(!text.contains("\t") && !text.contains("\n"))
        await database.close()
        loop.stop()
    }

    @Test func `one name for two statements is refused`() async throws {
        try await withTestSchema { database in
            try await database.run(.number("same", "SELECT 1 AS n"))

            await #expect(throws: PostgresError.misuse("two statements have the name same")) {
                try await database.one(.number("same", "SELECT 2 AS n"))
            }
        }
    }

    @Test func `a name that the server would cut is refused`() async throws {
        try await withTestSchema { database in
            let name = String(repeating: "n", count: 64)

            await #expect(
                throws: PostgresError.misuse("the statement name \"\(name)\" is empty, too long or contains a NUL")
            ) {
                try await database.one(.number(name, "SELECT 1 AS n"))
            }
        }
    }

    @Test func `one row means one row`() async throws {
        try await withTestSchema { database in
            let series = { Query<Int>.number("series", "SELECT n FROM generate_series(1, $1::int) n", [$0]) }

            let (none, first) = (try await database.first(series(0)), try await database.first(series(2)))

            #expect(none == nil)
            #expect(first == 1)
            await #expect(throws: PostgresError.unexpectedRows(count: 0, statement: "series")) {
                try await database.one(series(0))
            }
            await #expect(throws: PostgresError.unexpectedRows(count: 2, statement: "series")) {
                try await database.one(series(2))
            }
        }
    }

    @Test func `a statement that takes too long is ended by the server`() async throws {
        try await withTestSchema(adjust: { $0.statementLimit = .milliseconds(1) }) { database in
            await #expect(throws: PostgresError.timeout(statement: "sleep")) {
                try await database.execute(.sleepForAnHour)
            }
        }
    }

    @Test func `COPY is refused and ends the connection`() async throws {
        try await withTestSchema { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.execute(.command("COPY (SELECT 1) TO STDOUT"))
            }

            let next = try await database.one(.echo(1))
            #expect(error.map { if case .misuse = $0 { true } else { false } } == true)
            #expect(next == 1)
        }
    }

    @Test func `a password in a malformed connection string is not told`() async throws {
        let loop = try EventLoop(name: "test")
        let settings = DatabaseSettings(connection: "postgresql://pics:hunter2@[broken")

        let error = await #expect(throws: PostgresError.self) {
            try await Connector(settings, logger: .silent).connect(on: loop)
        }

        #expect(error?.isConnectionFailure == true)
        #expect(error?.detail.contains("hunter2") == false)
        #expect(!"\(settings)".contains("hunter2"))
        loop.stop()
    }

    private func refusal(_ sql: String, _ database: Database) async -> PostgresError? {
        await #expect(throws: PostgresError.self) { try await database.execute(.command(sql)) }
    }
}

extension PostgresServerError {
    fileprivate static func sample(_ sqlState: String) -> PostgresServerError {
        PostgresServerError(
            sqlState: sqlState, severity: "ERROR", constraint: nil, table: nil, column: nil, statement: "sample",
            message: "", remarks: nil)
    }
}
