internal import Logging

extension Migrations {
    /// Applies what the database lacks, each migration in a transaction of its own, and returns those that this call applied.
    ///
    /// Of several programs that start at once, one at a time applies a migration; the others wait for it. The lock is the
    /// transaction's: it ends with it, however that ends, also behind a pooler. Nothing is applied when an earlier migration's
    /// file no longer has the SHA-256 that was recorded with it.
    package func apply(
        to database: Database, patience: MigrationPatience = MigrationPatience()
    ) async throws(MigrationError) -> [Migration] {
        let connection = try await connect(to: database)
        let result: Result<[Migration], MigrationError>
        do throws(MigrationError) {
            result = .success(
                try await Run(connection: connection, patience: patience, logger: database.connector.logger).apply(self)
            )
        } catch {
            result = .failure(error)
        }
        // Undoes a migration that failed.
        await connection.close()
        return try result.get()
    }

    /// What `apply` would apply.
    package func pending(in database: Database) async throws(MigrationError) -> [Migration] {
        try await lacking(database)
    }

    private func connect(to database: Database) async throws(MigrationError) -> PostgresConnection {
        try await asking { () throws(PostgresError) in
            try await database.connector.connect(on: database.loop) {
                $0.goDirect()
                // Making an index may take its time.
                $0.statementLimit = .zero
            }
        }
    }

    /// Compares the files with what is recorded, which is nothing in a new database.
    fileprivate func lacking(_ database: some Queryable) async throws(MigrationError) -> [Migration] {
        let history = try await asking { () throws(PostgresError) in
            try await database.one(.hasMigrationHistory) ? try await database.run(.migrationHistory(all)) : nil
        }
        guard let history else { return all }
        for row in history where row.applied != nil && !row.isSame {
            let name = row.applied ?? ""
            if row.hasFile { throw .changed(name: name) }
            throw row.number > all.count ? .newer(name: name) : .missing(name: name)
        }
        let lacking = Set(history.filter { $0.applied == nil }.map(\.number))
        return all.filter { lacking.contains($0.number) }
    }
}

/// Migrations on their way into a database, over one connection.
private struct Run {
    let connection: PostgresConnection
    let patience: MigrationPatience
    let logger: Logger

    func apply(_ migrations: Migrations) async throws(MigrationError) -> [Migration] {
        var applied: [Migration] = []
        // Without the lock, so that a start with nothing to do waits for nobody.
        var lacking = try await migrations.lacking(connection)
        while let migration = lacking.first {
            guard try await applyNext(migration) else {
                // Another program came first, perhaps with other files.
                lacking = try await migrations.lacking(connection)
                continue
            }
            logger.info("migration applied", ["name": migration.name])
            applied.append(migration)
            lacking.removeFirst()
        }
        return applied
    }

    /// Applies a migration whose predecessors are applied; false when another program has come first.
    private func applyNext(_ migration: Migration) async throws(MigrationError) -> Bool {
        let deadline = ContinuousClock.now + patience.forAllTries
        var backoff = Backoff(first: .milliseconds(500), most: .seconds(10))
        while true {
            try await lock()
            try await asking { () throws(PostgresError) in
                try await connection.script(Self.historyTable, name: "create_schema_migrations")
            }
            let isApplied = try await asking { () throws(PostgresError) in
                try await connection.one(.hasMigration(from: migration.number))
            }
            guard !isApplied else {
                try await end("COMMIT")
                return false
            }
            do throws(MigrationError) {
                try await apply(migration)
                return true
            } catch .failed(let name, let error) where error.sqlState == "55P03" || error.isDeadlock {
                guard ContinuousClock.now < deadline, !Task.isCancelled else { throw .busy(name: name) }
                logger.notice("a migration waits for tables that others use", ["name": name])
                try await end("ROLLBACK")
                await backoff.pause(on: connection.loop)
            }
        }
    }

    /// Opens a transaction that nobody else can have who migrates this schema.
    private func lock() async throws(MigrationError) {
        var hasSaid = false
        while true {
            do throws(PostgresError) {
                try await connection.script("BEGIN", name: "begin")
                try await connection.execute([.limitLockWait(patience.beforeNotice), .lockMigrations])
                try await connection.execute(.limitLockWait(patience.forTable))
                return
            } catch {
                guard error.sqlState == "55P03" else { throw .database(error) }
                try await end("ROLLBACK")
                if !hasSaid {
                    let holder = try await asking { () throws(PostgresError) in
                        try await connection.first(.holderOfMigrations)
                    }
                    logger.notice("waiting for another process's migrations", ["process": holder])
                }
                hasSaid = true
            }
        }
    }

    private func apply(_ migration: Migration) async throws(MigrationError) {
        func naming(_ error: PostgresError) -> MigrationError { .failed(name: migration.name, error) }
        try await asking(orThrow: naming) { () throws(PostgresError) in
            try await connection.script(migration.sql, name: migration.name)
        }
        guard await connection.isInTransaction else { throw .endsTransaction(name: migration.name) }
        try await asking(orThrow: naming) { () throws(PostgresError) in
            try await connection.execute(.recordMigration(migration))
            try await connection.script("COMMIT", name: "commit")
        }
    }

    private func end(_ command: String) async throws(MigrationError) {
        try await asking { () throws(PostgresError) in try await connection.script(command, name: "end") }
    }

    // `IF NOT EXISTS` would tell the log each time that it does.
    private static let historyTable = """
        SET LOCAL client_min_messages = warning;
        CREATE TABLE IF NOT EXISTS schema_migrations (
            version    integer     CONSTRAINT schema_migrations_pkey PRIMARY KEY,
            name       text        NOT NULL,
            sha256     bytea       NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now()
        );
        SET LOCAL client_min_messages TO DEFAULT
        """
}

private func asking<Value>(
    orThrow failure: (PostgresError) -> MigrationError = MigrationError.database,
    _ ask: () async throws(PostgresError) -> Value
) async throws(MigrationError) -> Value {
    do throws(PostgresError) { return try await ask() } catch { throw failure(error) }
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
    /// Waits for other programs that migrate this schema; the lock ends with the transaction.
    fileprivate static var lockMigrations: Self {
        Query("lock_migrations", "SELECT pg_advisory_xact_lock(\(migrationsKey))")
    }

    /// Ends a wait for a lock in this transaction after some time, with the SQLSTATE 55P03.
    fileprivate static func limitLockWait(_ duration: Duration) -> Self {
        Query(
            "limit_lock_wait", "SELECT set_config('lock_timeout', $1, true)",
            [String(Int64(duration / .milliseconds(1)))])
    }

    fileprivate static func recordMigration(_ migration: Migration) -> Self {
        Query(
            "record_migration",
            "INSERT INTO schema_migrations (version, name, sha256) VALUES ($1, $2, sha256($3))",
            [migration.number, migration.name, Array(migration.sql.utf8)])
    }
}

/// The key of the advisory lock: one for each schema.
private let migrationsKey = "hashtextextended('schema_migrations of ' || coalesce(current_schema(), ''), 0)"

extension Query where Row == String {
    /// Who has the lock now.
    fileprivate static var holderOfMigrations: Self {
        Query(
            "holder_of_migrations",
            """
            SELECT concat_ws(', ', a.pid, a.application_name, a.client_addr, a.state) AS holder
              FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
             WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
               AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
               AND (l.classid::bigint << 32) + l.objid::bigint = \(migrationsKey)
             LIMIT 1
            """
        ) { row throws(PostgresError) in try row.get("holder") }
    }
}

extension Query where Row == Bool {
    /// Whether this migration or a later one is recorded.
    fileprivate static func hasMigration(from number: Int) -> Self {
        Query(
            "has_migration", "SELECT EXISTS (SELECT FROM schema_migrations WHERE version >= $1) AS found", [number]
        ) { row throws(PostgresError) in try row.get("found") }
    }

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
