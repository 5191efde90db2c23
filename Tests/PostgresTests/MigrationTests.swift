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

    @Test func `of several runners at once each migration is applied by one`() async throws {
        try await withTestSchema { database in
            let migrations = try load([users, photos])

            let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<4 { group.addTask { try await migrations.apply(to: database).map(\.name) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }

            #expect(applied.sorted() == ["0001_create_users", "0002_create_photos"])
        }
    }

    @Test func `who waits for another's migrations says so, with who that is`() async throws {
        let sink = RecordingSink()
        try await withTestSchema(logger: Logger(threshold: .info, sink: sink)) { database in
            let (holding, hold) = AsyncStream.makeStream(of: Void.self)
            let holder = Task {
                try await database.transaction { transaction throws(PostgresError) in
                    try await transaction.execute(.lockMigrationsOfThisSchema)
                    for await _ in holding {}
                }
            }
            try await until { try await database.one(.countOfAdvisoryLocks) == 1 }
            var patience = MigrationPatience()
            patience.beforeNotice = .milliseconds(10)
            let waiting = Task { [patience] in try await load([users]).apply(to: database, patience: patience).count }
            try await until { sink.lines.contains { $0.contains("waiting for another process's migrations") } }
            hold.finish()

            #expect(try await waiting.value == 1)
            #expect(sink.lines.contains { $0.contains("idle in transaction") })
            try await holder.value
        }
    }

    @Test func `a start with nothing to apply waits for nobody's lock`() async throws {
        try await withTestSchema { database in
            _ = try await load([users]).apply(to: database)

            let applied = try await database.transaction { transaction throws(PostgresError) in
                try await transaction.execute(.lockMigrationsOfThisSchema)
                return await Result(catching: { try await load([users]).apply(to: database).count })
            }

            #expect(try applied.get() == 0)
        }
    }

    @Test func `a migration whose table others use tries again, and gives up in words`() async throws {
        try await withTestSchema { database in
            _ = try await load([users]).apply(to: database)
            let change = ("0002_change_users.sql", "ALTER TABLE users ADD name text")
            var patience = MigrationPatience()
            (patience.forTable, patience.forAllTries) = (.milliseconds(10), .zero)

            let refused = try await database.transaction { [patience] transaction throws(PostgresError) in
                _ = try await transaction.run(.number("read", "SELECT count(*) AS n FROM users"))
                return await Result(catching: {
                    try await load([users, change]).apply(to: database, patience: patience).count
                })
            }

            #expect(throws: MigrationError.busy(name: "0002_change_users")) { try refused.get() }
            #expect(try await load([users, change]).apply(to: database).count == 1)
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

extension Query where Row == Void {
    /// The lock that who migrates this schema takes.
    fileprivate static var lockMigrationsOfThisSchema: Self {
        Query(
            "hold_migrations",
            "SELECT pg_advisory_xact_lock(hashtextextended('schema_migrations of ' || current_schema(), 0))")
    }
}

extension Query where Row == Int {
    fileprivate static var countOfAdvisoryLocks: Self {
        .number(
            "locks",
            """
            SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND granted
               AND (classid::bigint << 32) + objid::bigint
                   = hashtextextended('schema_migrations of ' || current_schema(), 0)
            """)
    }
}

extension Result where Failure == any Error {
    /// What `body` returns or throws.
    fileprivate init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
