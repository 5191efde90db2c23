import Foundation
import Logging
import Postgres
import TestSupport
import TestTools
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MigrationTests {
    private let users = ("0001_create_users.sql", "CREATE TABLE users (id int); CREATE INDEX users_id ON users (id);")
    private let photos = ("0002_create_photos.sql", "CREATE TABLE photos (id int)")

    @Test func `migrations are applied in order and once`() async throws {
        try await withTestSchema { database in
            let migrations = try load([photos, users])
            #expect(try await migrations.pending(in: database, as: testRelease) == migrations.all)

            let first = try await load([users]).apply(to: database, as: testRelease)
            let second = try await migrations.apply(to: database, as: testRelease)
            let third = try await migrations.apply(to: database, as: testRelease)

            #expect(first.map(\.name) == ["0001_create_users"])
            #expect(second.map(\.name) == ["0002_create_photos"])
            #expect(third.isEmpty)
            #expect(try await migrations.pending(in: database, as: testRelease).isEmpty)
            #expect(try await database.one(.countOfRows("photos")) == 0)
        }
    }

    @Test func `a changed or renamed migration is refused and nothing is applied`() async throws {
        try await withTestSchema { database in
            _ = try await load([users]).apply(to: database, as: testRelease)
            let changed = try load([(users.0, users.1 + " "), photos])
            let renamed = try load([("0001_create_people.sql", users.1), photos])

            await #expect(throws: MigrationError.changed(name: "0001_create_users")) {
                try await changed.apply(to: database, as: testRelease)
            }
            await #expect(throws: MigrationError.changed(name: "0001_create_users")) {
                try await renamed.pending(in: database, as: testRelease)
            }
            await #expect(throws: PostgresError.self) { try await database.one(.countOfRows("photos")) }
        }
    }

    @Test func `an older release works on a newer schema and changes nothing`() async throws {
        try await withTestSchema { database in
            let older = try load([users, response(1)])
            _ = try await older.apply(to: database, as: Release(0, 1, 9))
            _ = try await load([users, photos, response(2)]).apply(to: database, as: testRelease)

            let applied = try await older.apply(to: database, as: Release(0, 1, 9))

            #expect(applied.isEmpty)
            #expect(try await database.one(.number("answer", "SELECT answer() AS n")) == 2)
            try await older.check(database, as: Release(0, 1, 9))
        }
    }

    @Test func `a release that the schema does not bear any more is refused with both named`() async throws {
        try await withTestSchema { database in
            let last = ("0003_drop_photos.sql", "-- pics: oldest release 0.2.0\nDROP TABLE photos")
            _ = try await load([users, photos]).apply(to: database, as: Release(0, 2, 0))
            _ = try await load([users, photos, last]).apply(to: database, as: Release(0, 3, 0))
            let refusal = MigrationError.tooOld(
                release: Release(0, 1, 9), oldest: Release(0, 2, 0), newest: Release(0, 3, 0))

            await #expect(throws: refusal) { try await load([users]).apply(to: database, as: Release(0, 1, 9)) }
            await #expect(throws: refusal) { try await load([users]).check(database, as: Release(0, 1, 9)) }
            #expect(try await load([users, photos]).apply(to: database, as: Release(0, 2, 0)).isEmpty)
            #expect(refusal.description.contains("0.1.9") && refusal.description.contains("0.3.0"))
        }
    }

    @Test func `a check tells what is pending and applies nothing`() async throws {
        try await withTestSchema { database in
            let migrations = try load([users, photos])

            await #expect(throws: MigrationError.behind(first: "0001_create_users", count: 2)) {
                try await migrations.check(database, as: testRelease)
            }
            _ = try await load([users]).apply(to: database, as: testRelease)
            await #expect(throws: MigrationError.behind(first: "0002_create_photos", count: 1)) {
                try await migrations.check(database, as: testRelease)
            }
            await #expect(throws: PostgresError.self) { try await database.one(.countOfRows("photos")) }
        }
    }

    @Test func `a schema that an earlier release has migrated is taken over`() async throws {
        try await withTestSchema { database in
            _ = try await load([users]).apply(to: database, as: testRelease)
            try await database.execute(
                Query("forget", "ALTER TABLE schema_migrations DROP release, DROP oldest_release"))
            try await database.execute(Query("forget_functions", "DROP TABLE schema_functions"))

            #expect(try await load([users, photos, response(1)]).apply(to: database, as: testRelease).count == 1)
            #expect(try await database.one(.number("answer", "SELECT answer() AS n")) == 1)
        }
    }

    // MARK: Functions

    @Test func `a function is replaced when its file has changed, and else left alone`() async throws {
        let sink = RecordingSink()
        try await withTestSchema(logger: Logger(threshold: .info, sink: sink)) { database in
            _ = try await load([users, response(1)]).apply(to: database, as: testRelease)
            _ = try await load([users, response(1)]).apply(to: database, as: testRelease)
            #expect(sink.lines.filter { $0.contains("functions replaced") }.count == 1)

            _ = try await load([users, response(2)]).apply(to: database, as: testRelease)

            #expect(try await database.one(.number("answer", "SELECT answer() AS n")) == 2)
            #expect(sink.lines.filter { $0.contains("functions replaced") }.count == 2)
        }
    }

    @Test func `a migration has the functions that it asks for, whatever later ones make`() async throws {
        try await withTestSchema { database in
            let count = (
                "functions/count_users.sql",
                """
                CREATE OR REPLACE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN INSERT INTO photos VALUES (1); RETURN NULL; END $$
                """
            )
            let trigger = (
                "0001_create_users.sql",
                """
                -- pics: functions count_users
                CREATE TABLE users (id int);
                CREATE TRIGGER count AFTER INSERT ON users EXECUTE FUNCTION count_users()
                """
            )

            _ = try await load([trigger, photos, count]).apply(to: database, as: testRelease)

            try await database.execute(Query("insert", "INSERT INTO users VALUES (1)"))
            #expect(try await database.one(.countOfRows("photos")) == 1)
        }
    }

    // MARK: Without a transaction

    @Test func `without a transaction an index is made concurrently, and again when it was interrupted`() async throws {
        try await withTestSchema { database in
            let index = (
                "0002_index_users.sql",
                """
                -- pics: no transaction
                -- Unique, for the one who looks.
                DROP INDEX CONCURRENTLY IF EXISTS users_unique;
                CREATE UNIQUE INDEX CONCURRENTLY users_unique
                    ON users (id);
                """
            )
            let migrations = try load([users, index])
            _ = try await load([users]).apply(to: database, as: testRelease)
            try await database.execute(Query("twice", "INSERT INTO users VALUES (1), (1)"))

            let error = await #expect(throws: MigrationError.self) {
                try await migrations.apply(to: database, as: testRelease)
            }
            guard case .failed("0002_index_users", let reason)? = error, reason.sqlState == "23505" else {
                Issue.record("\(String(describing: error))")
                return
            }
            try await database.execute(Query("once", "DELETE FROM users WHERE ctid = (SELECT max(ctid) FROM users)"))

            #expect(try await migrations.apply(to: database, as: testRelease).map(\.name) == ["0002_index_users"])
            let valid = Query<Int>.number(
                "valid", "SELECT count(*) AS n FROM pg_index WHERE indexrelid = 'users_unique'::regclass AND indisvalid"
            )
            #expect(try await database.one(valid) == 1)
        }
    }

    @Test func `a failing migration is named, undone, and those before it remain`() async throws {
        try await withTestSchema { database in
            let broken = (
                "0002_break_things.sql", "CREATE TABLE half (id int); SELECT 1 / 0; CREATE TABLE other (id int)"
            )
            let migrations = try load([users, broken])

            let error = await #expect(throws: MigrationError.self) {
                try await migrations.apply(to: database, as: testRelease)
            }

            guard case .failed("0002_break_things", let reason)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.sqlState == "22012")
            await #expect(throws: PostgresError.self) { try await database.one(.countOfRows("half")) }
            let pending = try await migrations.pending(in: database, as: testRelease)
            #expect(pending.map(\.number) == [2])
        }
    }

    @Test func `a migration that commits by itself is refused`() async throws {
        try await withTestSchema { database in
            let migrations = try load([("0001_commit_early.sql", "CREATE TABLE t (id int); COMMIT")])

            await #expect(throws: MigrationError.endsTransaction(name: "0001_commit_early")) {
                try await migrations.apply(to: database, as: testRelease)
            }
        }
    }

    @Test func `of several runners at once each migration is applied by one`() async throws {
        try await withTestSchema { database in
            let migrations = try load([users, photos])

            let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<4 {
                    group.addTask { try await migrations.apply(to: database, as: testRelease).map(\.name) }
                }
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
            var timeouts = MigrationTimeouts()
            timeouts.beforeNotice = .milliseconds(10)
            let waiting = Task { [timeouts] in
                try await load([users]).apply(to: database, as: testRelease, timeouts: timeouts).count
            }
            await until { sink.lines.contains { $0.contains("waiting for another process's migrations") } }
            hold.finish()

            #expect(try await waiting.value == 1)
            #expect(sink.lines.contains { $0.contains("idle in transaction") })
            try await holder.value
        }
    }

    @Test func `a start with nothing to apply waits for nobody's lock`() async throws {
        try await withTestSchema { database in
            _ = try await load([users]).apply(to: database, as: testRelease)

            let applied = try await database.transaction { transaction throws(PostgresError) in
                try await transaction.execute(.lockMigrationsOfThisSchema)
                return await Result(catching: { try await load([users]).apply(to: database, as: testRelease).count })
            }

            #expect(try applied.get() == 0)
        }
    }

    @Test func `a migration whose table others use tries again, and gives up in words`() async throws {
        try await withTestSchema { database in
            _ = try await load([users]).apply(to: database, as: testRelease)
            let change = ("0002_change_users.sql", "ALTER TABLE users ADD name text")
            var timeouts = MigrationTimeouts()
            (timeouts.forTable, timeouts.forAllAttempts) = (.milliseconds(10), .zero)

            let refused = try await database.transaction { [timeouts] transaction throws(PostgresError) in
                _ = try await transaction.run(.number("read", "SELECT count(*) AS n FROM users"))
                return await Result(catching: {
                    try await load([users, change]).apply(to: database, as: testRelease, timeouts: timeouts).count
                })
            }

            #expect(throws: MigrationError.busy(name: "0002_change_users")) { try refused.get() }
            #expect(try await load([users, change]).apply(to: database, as: testRelease).count == 1)
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
        (["functions/Answer.sql"], .badName(file: "functions/Answer.sql")),
        (["functions/answer.sql"], .badFunction(file: "functions/answer.sql")),
    ])
    func `gaps, duplicates and odd names are refused`(files: [String], expected: MigrationError) {
        #expect(throws: expected) { try load(files.map { ($0, "SELECT 1") }) }
    }

    @Test func `unknown directives and functions without a file are refused`() {
        let line = "-- pics: no transactions"
        #expect(throws: MigrationError.badDirective(file: users.0, line: line)) { try load([(users.0, line)]) }
        #expect(throws: MigrationError.noFunction(name: "answer", migration: "0001_create_users")) {
            try load([(users.0, "-- pics: functions answer")])
        }
    }

    @Test func `hidden files are ignored and a missing folder is named`() throws {
        #expect(try load([users, (".hidden", "SELECT 1")]).all.count == 1)
        let error = #expect(throws: MigrationError.self) { try Migrations.load("/nonexistent") }
        #expect(error?.description == "/nonexistent cannot be read")
    }

    @Test func `the program's own migrations apply`() async throws {
        try await withTestDatabase(migrated: true) { database in
            let pending = try await Migrations.load(migrationsFolder).pending(in: database, as: testRelease)
            #expect(pending.isEmpty)
        }
    }

    private func response(_ number: Int) -> (String, String) {
        (
            "functions/answer.sql",
            "CREATE OR REPLACE FUNCTION answer() RETURNS bigint LANGUAGE sql AS $$ SELECT \(number)::bigint $$"
        )
    }

    private func load(_ files: [(name: String, sql: String)]) throws -> Migrations {
        let folder = FileManager.default.temporaryDirectory.appending(path: "migrations-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "functions"), withIntermediateDirectories: true)
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
    /// The value or error of `body`.
    fileprivate init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
