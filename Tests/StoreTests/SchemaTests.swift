import Foundation
import Postgres
import TestSupport
import Testing

/// `migrations/schema.sql` is for readers: nothing reads it but this.
@Suite(.timeLimit(.minutes(5)))
struct SchemaTests {
    @Test(.enabled("the snapshot is what PostgreSQL 15 says") { try await SchemaTests.serverVersion() == 15 })
    func `the snapshot of the schema is what the migrations make`() async throws {
        try await withTestDatabase(migrated: true) { database in
            let schema = try await schema(of: database.settings.connection)
            let file = URL(filePath: migrationsFolder).appending(path: "schema.sql")
            if ProcessInfo.processInfo.environment["PICS_WRITE_SCHEMA"] != nil {
                try Data(schema.utf8).write(to: file)
            }

            let snapshot = try String(contentsOf: file, encoding: .utf8)

            #expect(snapshot == schema, "write it anew: PICS_WRITE_SCHEMA=1 script/test --filter SchemaTests")
        }
    }

    @Test func `every function of the schema has its file, and every file its function`() async throws {
        try await withTestDatabase(migrated: true) { database in
            let names = Query<String>(
                "functions_of_schema",
                "SELECT proname::text AS name FROM pg_proc WHERE pronamespace = current_schema()::regnamespace"
            ) { row throws(PostgresError) in try row.get("name") }

            let made = try await database.run(names).sorted()

            #expect(try Migrations.load(migrationsFolder).functions.map(\.name) == made)
        }
    }

    @Test(.enabled("pg_dump is older than the server") { try await SchemaTests.canDump() })
    func `what pg_dump writes is restored without an error`() async throws {
        try await withStore { bench in
            try await bench.post()
            try await withTestDatabase { empty in
                let file = try await dump(bench.database.settings.connection)
                defer { try? FileManager.default.removeItem(at: file) }

                let status = try await run(
                    "psql", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--output=/dev/null", "--file=\(file.path)",
                    "--dbname=\(empty.settings.connection)")

                #expect(status == 0)
                #expect(try await empty.one(Self.number("SELECT count(*)::int AS n FROM photos")) == 1)
            }
        }
    }

    /// Whether pg_dump, which takes no server newer than itself, takes the one of the tests.
    private static func canDump() async throws -> Bool {
        let file = FileManager.default.temporaryDirectory.appending(path: "version-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        guard try await run("sh", "-c", "pg_dump --version > '\(file.path)'") == 0 else { return false }
        let words = try String(contentsOf: file, encoding: .utf8).split(separator: " ")
        let version = words.compactMap { $0.split(separator: ".").first.flatMap { Int($0) } }.first ?? 0
        return try await version >= serverVersion()
    }

    /// The server's, such as 15.
    private static func serverVersion() async throws -> Int {
        try await withTestSchema { database in
            try await database.one(number("SELECT current_setting('server_version_num')::int / 10000 AS n"))
        }
    }

    private static func number(_ sql: String) -> Query<Int> {
        Query("number_\(sql.count)", sql) { row throws(PostgresError) in try row.get("n") }
    }

    /// Tables, types, views, indexes and triggers as pg_dump(1) writes them, without functions, comments and settings.
    private func schema(of connection: String) async throws -> String {
        let file = try await dump(connection, "--schema-only")
        defer { try? FileManager.default.removeItem(at: file) }
        return Self.readable(try String(contentsOf: file, encoding: .utf8))
    }

    private func dump(_ connection: String, _ options: String...) async throws -> URL {
        let file = FileManager.default.temporaryDirectory.appending(path: "schema-\(UUID().uuidString).sql")
        let fixed = ["--no-owner", "--no-privileges", "--file=\(file.path)", "--dbname=\(connection)"]
        #expect(try await run(["pg_dump"] + options + fixed) == 0)
        return file
    }

    private static func readable(_ dump: String) -> String {
        var lines: [Substring] = []
        var isInFunction = false
        for line in dump.split(separator: "\n") {
            if line.hasPrefix("CREATE FUNCTION") { isInFunction = true }
            let isSkipped =
                isInFunction || line.hasPrefix("--") || line.hasPrefix("SET ") || line.hasPrefix("SELECT pg_catalog")
                || line.hasPrefix("\\")
            if isInFunction, line.hasSuffix("$$;") || line == "END;" { isInFunction = false }
            if isSkipped { continue }
            if let last = lines.last, last.hasSuffix(";") { lines.append("") }
            lines.append(line)
        }
        return "-- The schema after the last migration, for readers: SchemaTests holds it against the migrations.\n\n"
            + lines.joined(separator: "\n").replacing("public.", with: "") + "\n"
    }
}

/// Runs a program that says nothing; its exit status.
private func run(_ words: String...) async throws -> Int32 { try await run(words) }

private func run(_ words: [String]) async throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    let (ended, end) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { process in
        end.yield(process.terminationStatus)
        end.finish()
    }
    try process.run()
    for await status in ended { return status }
    return -1
}
