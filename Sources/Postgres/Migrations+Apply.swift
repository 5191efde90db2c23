internal import Logging

extension Migrations {
    /// Applies what the database lacks and then replaces the functions that changed; returns the migrations that this call
    /// applied.
    ///
    /// Each migration has a transaction of its own. Of several programs that start at once, one at a time applies a migration; the
    /// others wait for it. The lock is the transaction's: it ends with it, however that ends, also behind a pooler. Nothing is
    /// applied when an earlier migration's file no longer has the SHA-256 that was recorded with it.
    ///
    /// `release` is the program's. An older one that the schema still bears changes nothing.
    package func apply(
        to database: Database, as release: Release, timeouts: MigrationTimeouts = MigrationTimeouts()
    ) async throws(MigrationError) -> [Migration] {
        let connection = try await connect(to: database)
        let run = Run(
            migrations: self, release: release, connection: connection, database: database, timeouts: timeouts,
            logger: database.connector.logger)
        let result: Result<[Migration], MigrationError>
        do throws(MigrationError) { result = .success(try await run.apply()) } catch { result = .failure(error) }
        // Undoes a migration that failed.
        await connection.close()
        return try result.get()
    }

    /// The migrations that `apply` would apply.
    package func pending(
        in database: Database, as release: Release
    ) async throws(MigrationError) -> [Migration] {
        try await state(of: database, release).lacking
    }

    /// Sees that a program of this release can work on the schema as it is.
    ///
    /// - Throws: `.behind` when migrations are pending; `.tooOld` when the schema does not bear the release any more.
    package func check(_ database: Database, as release: Release) async throws(MigrationError) {
        let lacking = try await pending(in: database, as: release)
        if let first = lacking.first { throw .behind(first: first.name, count: lacking.count) }
    }

    fileprivate func connect(to database: Database) async throws(MigrationError) -> PostgresConnection {
        try await asking { () throws(PostgresError) in
            try await database.connector.connect(on: database.loop) {
                $0.goDirect()
                // Making an index may take its time.
                $0.statementLimit = .zero
            }
        }
    }

    /// Compares the files with what is recorded, which is nothing in a new database.
    fileprivate func state(
        of database: some Queryable, _ release: Release
    ) async throws(MigrationError) -> SchemaState {
        let history = try await asking { () throws(PostgresError) in
            guard try await database.one(.hasTable("schema_migrations")) else { return nil as [MigrationHistoryRow]? }
            return try await database.run(.migrationHistory(all))
        }
        guard let history else { return SchemaState(lacking: all, isNewer: false) }
        for row in history where row.applied != nil && !row.isSame {
            let name = row.applied ?? ""
            if row.hasFile { throw .changed(name: name) }
            if row.number <= all.count { throw .missing(name: name) }
        }
        let oldest = history.compactMap(\.oldestRelease).max()
        if let oldest, release < oldest {
            throw .tooOld(release: release, oldest: oldest, newest: history.compactMap(\.release).max())
        }
        let lacking = Set(history.filter { $0.applied == nil }.map(\.number))
        return SchemaState(
            lacking: all.filter { lacking.contains($0.number) }, isNewer: history.contains { $0.number > all.count })
    }
}

/// How a schema stands to a program's migrations.
private struct SchemaState {
    /// The migrations that were not applied, in order.
    var lacking: [Migration]
    /// A newer release has migrated it.
    let isNewer: Bool
}

/// Migrations on their way into a database, over one connection.
private struct Run {
    let migrations: Migrations
    let release: Release
    let connection: PostgresConnection
    let database: Database
    let timeouts: MigrationTimeouts
    let logger: Logger

    func apply() async throws(MigrationError) -> [Migration] {
        var applied: [Migration] = []
        // Without the lock, so that a start with nothing to do waits for nobody.
        var state = try await migrations.state(of: connection, release)
        while let migration = state.lacking.first {
            guard try await applyNext(migration) else {
                // Another program came first, perhaps with other files.
                state = try await migrations.state(of: connection, release)
                continue
            }
            logger.info("migration applied", ["name": migration.name])
            applied.append(migration)
            state.lacking.removeFirst()
        }
        if !state.isNewer { try await replaceFunctions() }
        return applied
    }

    /// Applies a migration whose predecessors are applied; false when another program has come first.
    private func applyNext(_ migration: Migration) async throws(MigrationError) -> Bool {
        try await locked(for: migration.name) { () throws(MigrationError) in
            let isApplied = try await asking { () throws(PostgresError) in
                try await connection.one(.hasMigration(from: migration.number))
            }
            if isApplied { return false }
            let needed = migrations.functions.filter { migration.directives.functions.contains($0.name) }
            try await make(needed, for: migration.name)
            if migration.directives.hasTransaction {
                try await script(migration.sql, of: migration.name)
            } else {
                try await applyOutside(migration)
            }
            guard await connection.isInTransaction else { throw .endsTransaction(name: migration.name) }
            try await asking(orThrow: { .failed(name: migration.name, $0) }) { () throws(PostgresError) in
                try await connection.execute(.recordMigration(migration, release))
            }
            return true
        }
    }

    /// Runs the statements of a migration that is none for a transaction over a connection of its own. The lock's transaction waits
    /// beside it without a snapshot, so an index that is made concurrently does not wait for it.
    private func applyOutside(_ migration: Migration) async throws(MigrationError) {
        // The portal of the statement before keeps its snapshot until another statement takes its place.
        try await script("SELECT 1", of: migration.name)
        let other = try await migrations.connect(to: database)
        let result: Result<Void, MigrationError>
        do throws(MigrationError) {
            for statement in migration.statements {
                try await asking(orThrow: { .failed(name: migration.name, $0) }) { () throws(PostgresError) in
                    try await other.script(statement, name: migration.name)
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await other.close()
        try result.get()
    }

    /// Makes the functions what their files say, unless a newer release has migrated the schema.
    private func replaceFunctions() async throws(MigrationError) {
        guard !(try await changedFunctions().isEmpty) else { return }
        let count = try await locked(for: "functions") { () throws(MigrationError) in
            let isNewer = try await asking { () throws(PostgresError) in
                try await connection.one(.hasMigration(from: migrations.all.count + 1))
            }
            let changed = isNewer ? [] : try await changedFunctions()
            try await make(changed, for: "functions")
            return changed.count
        }
        if count > 0 { logger.info("functions replaced", ["count": count]) }
    }

    private func changedFunctions() async throws(MigrationError) -> [SchemaFunction] {
        let changed = try await asking { () throws(PostgresError) in
            guard try await connection.one(.hasTable("schema_functions")) else { return nil as Set<String>? }
            return Set(try await connection.run(.changedFunctions(migrations.functions)))
        }
        guard let changed else { return migrations.functions }
        return migrations.functions.filter { changed.contains($0.name) }
    }

    /// Their bodies may name what a later migration makes, so they are not checked.
    private func make(_ functions: [SchemaFunction], for name: String) async throws(MigrationError) {
        guard !functions.isEmpty else { return }
        try await script("SET LOCAL check_function_bodies = off", of: name)
        for function in functions { try await script(function.sql, of: "functions/\(function.name)") }
        try await script("SET LOCAL check_function_bodies TO DEFAULT", of: name)
        try await asking { () throws(PostgresError) in try await connection.execute(.recordFunctions(functions)) }
    }

    // MARK: The transaction

    /// Does `body` in a transaction that one migrating program at a time can have. It is undone and done again while tables that
    /// others use keep it from ending.
    private func locked<Value: Sendable>(
        for name: String, _ body: () async throws(MigrationError) -> Value
    ) async throws(MigrationError) -> Value {
        let deadline = ContinuousClock.now + timeouts.forAllAttempts
        var backoff = ReconnectDelays(first: .milliseconds(500), most: .seconds(10))
        while true {
            try await lock()
            try await script(Self.historyTables, of: "create_schema_migrations")
            do throws(MigrationError) {
                let value = try await body()
                try await asking(orThrow: { .failed(name: name, $0) }) { () throws(PostgresError) in
                    try await connection.script("COMMIT", name: "commit")
                }
                return value
            } catch .failed(let name, let error) where error.sqlState == "55P03" || error.isDeadlock {
                guard ContinuousClock.now < deadline, !Task.isCancelled else { throw .busy(name: name) }
                logger.notice("a migration waits for tables that others use", ["name": name])
                try await rollBack()
                await backoff.pause(on: connection.loop)
            }
        }
    }

    private func lock() async throws(MigrationError) {
        var hasSaid = false
        while true {
            do throws(PostgresError) {
                try await connection.script("BEGIN", name: "begin")
                try await connection.execute([.limitLockWait(timeouts.beforeNotice), .lockMigrations])
                try await connection.execute(.limitLockWait(timeouts.forTable))
                return
            } catch {
                guard error.sqlState == "55P03" else { throw .database(error) }
                try await rollBack()
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

    private func script(_ sql: String, of name: String) async throws(MigrationError) {
        try await asking(orThrow: { .failed(name: name, $0) }) { () throws(PostgresError) in
            try await connection.script(sql, name: name)
        }
    }

    private func rollBack() async throws(MigrationError) {
        try await asking { () throws(PostgresError) in try await connection.script("ROLLBACK", name: "end") }
    }

    // `IF NOT EXISTS` would tell the log each time that it does.
    private static let historyTables = """
        SET LOCAL client_min_messages = warning;
        CREATE TABLE IF NOT EXISTS schema_migrations (
            version        integer     CONSTRAINT schema_migrations_pkey PRIMARY KEY,
            name           text        NOT NULL,
            sha256         bytea       NOT NULL,
            applied_at     timestamptz NOT NULL DEFAULT now(),
            release        text,
            oldest_release text
        );
        ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS release text, ADD COLUMN IF NOT EXISTS oldest_release text;
        CREATE TABLE IF NOT EXISTS schema_functions (
            name        text        CONSTRAINT schema_functions_pkey PRIMARY KEY,
            sha256      bytea       NOT NULL,
            replaced_at timestamptz NOT NULL DEFAULT now()
        );
        SET LOCAL client_min_messages TO DEFAULT
        """
}

extension Migration {
    /// The statements of a migration without a transaction.
    fileprivate var statements: [String] {
        var statements = [""]
        for line in sql.split(separator: "\n") {
            statements[statements.count - 1] += line + "\n"
            if line.hasSuffix(";") { statements.append("") }
        }
        return statements.filter { text in
            text.split(separator: "\n").contains { !$0.hasPrefix("--") && !$0.allSatisfy(\.isWhitespace) }
        }
    }
}

@discardableResult
private func asking<Value>(
    orThrow failure: (PostgresError) -> MigrationError = MigrationError.database,
    _ ask: () async throws(PostgresError) -> Value
) async throws(MigrationError) -> Value {
    do throws(PostgresError) { return try await ask() } catch { throw failure(error) }
}
