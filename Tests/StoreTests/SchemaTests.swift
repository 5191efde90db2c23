import Foundation
import Postgres
import TestSupport
import Testing

/// `migrations/schema.sql` is for readers: nothing reads it but this.
@Suite(.timeLimit(.minutes(5)))
struct SchemaTests {
    @Test func `the snapshot of the schema is what the migrations make`() async throws {
        try await withTestDatabase(migrated: true) { database in
            let schema = try await dump(database.settings.connection)
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

    /// Tables, types, views, indexes and triggers as pg_dump(1) writes them, without functions, comments and settings.
    private func dump(_ connection: String) async throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "schema-\(UUID().uuidString).sql")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "pg_dump", "--schema-only", "--no-owner", "--no-privileges", "--file=\(file.path)",
            "--dbname=\(connection)",
        ]
        let (ended, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            end.yield(process.terminationStatus)
            end.finish()
        }
        try process.run()
        for await status in ended { #expect(status == 0) }
        let text = try String(contentsOf: file, encoding: .utf8)
        return Self.readable(text)
    }

    private static func readable(_ dump: String) -> String {
        var lines: [Substring] = []
        var isInFunction = false
        for line in dump.split(separator: "\n") {
            if line.hasPrefix("CREATE FUNCTION") { isInFunction = true }
            let isSkipped =
                isInFunction || line.hasPrefix("--") || line.hasPrefix("SET ") || line.hasPrefix("SELECT pg_catalog")
                || line.hasPrefix("\\")
            if isInFunction, line.hasSuffix("$$;") { isInFunction = false }
            if isSkipped { continue }
            if let last = lines.last, last.hasSuffix(";") { lines.append("") }
            lines.append(line)
        }
        return "-- The schema after the last migration, for readers: SchemaTests holds it against the migrations.\n\n"
            + lines.joined(separator: "\n").replacing("public.", with: "") + "\n"
    }
}
