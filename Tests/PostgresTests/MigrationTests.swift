import Foundation
import Logging
import Postgres
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MigrationTests {
    private let users = ("0001_create_users.sql", "CREATE TABLE users (id int); CREATE INDEX users_id ON users (id);")
    private let photos = ("0002_create_photos.sql", "CREATE TABLE photos (id int)")

    @Test func `migrations are applied in order and once`() async throws {
        try await withTestSchema { database in
            let migrations = try load([photos, users])
            #expect(try await migrations.pending(in: database) == migrations.all)

            let first = try await load([users]).apply(to: database)
            let second = try await migrations.apply(to: database)
            let third = try await migrations.apply(to: database)

            #expect(first.map(\.name) == ["0001_create_users"])
            #expect(second.map(\.name) == ["0002_create_photos"])
            #expect(third.isEmpty)
            #expect(try await migrations.pending(in: database).isEmpty)
            #expect(try await database.one(.countOfRows("photos")) == 0)
        }
    }

    @Test func `a changed or renamed migration is refused and nothing is applied`() async throws {
        try await withTestSchema { database in
            _ = try await load([users]).apply(to: database)
            let changed = try load([(users.0, users.1 + " "), photos])
            let renamed = try load([("0001_create_people.sql", users.1), photos])

            await #expect(throws: MigrationError.changed(name: "0001_create_users")) {
                try await changed.apply(to: database)
            }
            await #expect(throws: MigrationError.changed(name: "0001_create_users")) {
                try await renamed.pending(in: database)
            }
            await #expect(throws: PostgresError.self) { try await database.one(.countOfRows("photos")) }
        }
    }

    @Test func `a database that knows more than the program is refused`() async throws {
        try await withTestSchema { database in
            _ = try await load([users, photos]).apply(to: database)
            let older = try load([users])

            await #expect(throws: MigrationError.newer(name: "0002_create_photos")) {
                try await older.apply(to: database)
            }
        }
    }

    @Test func `a failing migration is named, undone, and those before it remain`() async throws {
        try await withTestSchema { database in
            let broken = (
                "0002_break_things.sql", "CREATE TABLE half (id int); SELECT 1 / 0; CREATE TABLE other (id int)"
            )
            let migrations = try load([users, broken])

            let error = await #expect(throws: MigrationError.self) { try await migrations.apply(to: database) }

            guard case .failed("0002_break_things", let reason)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.sqlState == "22012")
            await #expect(throws: PostgresError.self) { try await database.one(.countOfRows("half")) }
            let pending = try await migrations.pending(in: database)
            #expect(pending.map(\.number) == [2])
        }
    }

    @Test func `a migration that commits by itself is refused`() async throws {
        try await withTestSchema { database in
            let migrations = try load([("0001_commit_early.sql", "CREATE TABLE t (id int); COMMIT")])

            await #expect(throws: MigrationError.endsTransaction(name: "0001_commit_early")) {
                try await migrations.apply(to: database)
            }
        }
    }

    @Test func `of several runners at once one applies`() async throws {
        try await withTestSchema { database in
            let migrations = try load([users, photos])

            let applied = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { try await migrations.apply(to: database).count } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(applied.sorted() == [0, 0, 0, 2])
        }
    }

    @Test(arguments: [
        (
            ["0001_create_users.sql", "0003_create_photos.sql"],
            MigrationError.gap(expected: 2, file: "0003_create_photos.sql")
        ),
        (["0002_create_users.sql"], .gap(expected: 1, file: "0002_create_users.sql")),
        (["0001_a_b.sql", "0001_c_d.sql"], .duplicate(file: "0001_c_d.sql", other: "0001_a_b")),
        (["1_create_users.sql"], .badName(file: "1_create_users.sql")),
        (["0001_users.sql"], .badName(file: "0001_users.sql")),
        (["0001_Create_users.sql"], .badName(file: "0001_Create_users.sql")),
        (["0001_create_users.sql.orig"], .badName(file: "0001_create_users.sql.orig")),
    ])
    func `gaps, duplicates and odd names are refused`(files: [String], expected: MigrationError) {
        #expect(throws: expected) { try load(files.map { ($0, "SELECT 1") }) }
    }

    @Test func `hidden files are ignored and a missing folder is named`() throws {
        #expect(try load([users, (".hidden", "SELECT 1")]).all.count == 1)
        let error = #expect(throws: MigrationError.self) { try Migrations.load("/nonexistent") }
        #expect(error?.description == "/nonexistent cannot be read")
    }

    @Test func `the program's own migrations apply`() async throws {
        try await withTestSchema(migrated: true) { database in
            let pending = try await Migrations.load(migrationsFolder).pending(in: database)
            #expect(pending.isEmpty)
        }
    }

    private func load(_ files: [(name: String, sql: String)]) throws -> Migrations {
        let folder = FileManager.default.temporaryDirectory.appending(path: "migrations-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
        for file in files { try Data(file.sql.utf8).write(to: folder.appending(path: file.name)) }
        return try Migrations.load(folder.path(percentEncoded: false))
    }
}
