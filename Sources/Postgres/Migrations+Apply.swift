internal import Logging

extension Migrations {
    /// Applies what the database lacks, each migration in a transaction of its own, and returns those.
    ///
    /// Of several programs that start at once one applies; the others wait for it and find nothing left to do. Nothing
    /// is applied when an earlier migration's file no longer has the SHA-256 that was recorded with it.
    package func apply(to database: Database) async throws(MigrationError) -> [Migration] {
        let connection = try await connect(to: database)
        let result: Result<[Migration], MigrationError>
        do throws(MigrationError) {
            result = .success(try await apply(over: connection, database.connector.logger))
        } catch {
            result = .failure(error)
        }
        // Gives the lock back, and undoes a migration that failed.
        await connection.close()
        return try result.get()
    }

    /// What `apply` would apply.
    package func pending(in database: Database) async throws(MigrationError) -> [Migration] {
        let hasHistory = try await asking { () throws(PostgresError) in try await database.one(.hasMigrationHistory) }
        return hasHistory ? try await lacking(database) : all
    }

    private func connect(to database: Database) async throws(MigrationError) -> PostgresConnection {
        try await asking { () throws(PostgresError) in
            // Waiting for another program's migrations, or making an index, may take its time.
            try await database.connector.connect(on: database.loop) { $0.statementLimit = .zero }
        }
    }

    private func apply(
        over connection: PostgresConnection, _ logger: Logger
    ) async throws(MigrationError) -> [Migration] {
        try await asking { () throws(PostgresError) in
            try await connection.execute(.lockMigrations)
            try await connection.script(Self.historyTable, name: "create_schema_migrations")
        }
        let lacking = try await lacking(connection)
        for migration in lacking {
            try await apply(migration, over: connection)
            logger.info("migration applied", ["name": migration.name])
        }
        return lacking
    }

    private func apply(_ migration: Migration, over connection: PostgresConnection) async throws(MigrationError) {
        func naming(_ error: PostgresError) -> MigrationError { .failed(name: migration.name, error) }
        try await asking(orThrow: naming) { () throws(PostgresError) in
            try await connection.script("BEGIN", name: "begin")
            try await connection.script(migration.sql, name: migration.name)
        }
        guard await connection.isInTransaction else { throw .endsTransaction(name: migration.name) }
        try await asking(orThrow: naming) { () throws(PostgresError) in
            try await connection.execute(.recordMigration(migration))
            try await connection.script("COMMIT", name: "commit")
        }
    }

    /// Compares the files with what is recorded.
    private func lacking(_ database: some Queryable) async throws(MigrationError) -> [Migration] {
        let history = try await asking { () throws(PostgresError) in try await database.run(.migrationHistory(all)) }
        for row in history where row.applied != nil && !row.isSame {
            let name = row.applied ?? ""
            if row.hasFile { throw .changed(name: name) }
            throw row.number > all.count ? .newer(name: name) : .missing(name: name)
        }
        let lacking = Set(history.filter { $0.applied == nil }.map(\.number))
        return all.filter { lacking.contains($0.number) }
    }

    private func asking<Value>(
        orThrow failure: (PostgresError) -> MigrationError = MigrationError.database,
        _ ask: () async throws(PostgresError) -> Value
    ) async throws(MigrationError) -> Value {
        do throws(PostgresError) { return try await ask() } catch { throw failure(error) }
    }

    // `IF NOT EXISTS` would tell the log each time that it does.
    private static let historyTable = """
        BEGIN;
        SET LOCAL client_min_messages = warning;
        CREATE TABLE IF NOT EXISTS schema_migrations (
            version    integer     CONSTRAINT schema_migrations_pkey PRIMARY KEY,
            name       text        NOT NULL,
            sha256     bytea       NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now()
        );
        COMMIT
        """
}

/// What is known of one number: the file's side and the database's.
struct MigrationHistoryRow: Sendable {
    let number: Int
    /// The name it was applied under, if it was.
    let applied: String?
    let hasFile: Bool
    /// Whether file and record agree in name and SHA-256.
    let isSame: Bool
}

extension Query where Row == Void {
    /// Waits for other programs that migrate this schema; the lock ends with the session.
    fileprivate static var lockMigrations: Self {
        Query(
            "lock_migrations",
            "SELECT pg_advisory_lock(hashtextextended('schema_migrations of ' || coalesce(current_schema(), ''), 0))")
    }

    fileprivate static func recordMigration(_ migration: Migration) -> Self {
        Query(
            "record_migration",
            "INSERT INTO schema_migrations (version, name, sha256) VALUES ($1, $2, sha256($3))",
            [migration.number, migration.name, Array(migration.sql.utf8)])
    }
}

extension Query where Row == Bool {
    fileprivate static var hasMigrationHistory: Self {
        Query("has_migration_history", "SELECT to_regclass('schema_migrations') IS NOT NULL AS found") {
            row throws(PostgresError) in try row.get("found")
        }
    }
}

extension Query where Row == MigrationHistoryRow {
    fileprivate static func migrationHistory(_ files: [Migration]) -> Self {
        Query(
            "migration_history",
            """
            SELECT coalesce(s.version, f.version) AS version, s.name AS applied, f.version IS NOT NULL AS has_file,
                   coalesce(s.name = f.name AND s.sha256 = sha256(f.sql), false) AS is_same
              FROM schema_migrations s
              FULL JOIN unnest($1::int[], $2::text[], $3::bytea[]) AS f (version, name, sql) ON f.version = s.version
             ORDER BY 1
            """, [files.map(\.number), files.map(\.name), files.map { Array($0.sql.utf8) }]
        ) { row throws(PostgresError) in
            MigrationHistoryRow(
                number: try row.get("version"), applied: try row.get("applied"), hasFile: try row.get("has_file"),
                isSame: try row.get("is_same"))
        }
    }
}
