/// A migration's number as files and database know it.
struct MigrationHistoryRow: Sendable {
    let number: Int
    /// The name it was applied under, if it was.
    let applied: String?
    let hasFile: Bool
    /// Whether file and record agree in name and SHA-256.
    let isSame: Bool
    /// The release that applied it; nil: it was not applied, or by 0.1.0, which kept none.
    let release: Release?
    /// Earlier releases cannot work on the schema since it was applied.
    let oldestRelease: Release?
}

extension Query where Row == Void {
    /// Waits for other programs that migrate this schema; the lock ends with the transaction.
    static var lockMigrations: Self {
        Query("lock_migrations", "SELECT pg_advisory_xact_lock(\(migrationsKey))")
    }

    /// Ends a wait for a lock in this transaction after some time, with the SQLSTATE 55P03.
    static func limitLockWait(_ duration: Duration) -> Self {
        Query(
            "limit_lock_wait", "SELECT set_config('lock_timeout', $1, true)",
            [String(Int64(duration / .milliseconds(1)))])
    }

    static func recordMigration(_ migration: Migration, _ release: Release) -> Self {
        Query(
            "record_migration",
            """
            INSERT INTO schema_migrations (version, name, sha256, release, oldest_release)
            VALUES ($1, $2, $3, $4, $5)
            """,
            [
                migration.number, migration.name, migration.sha256, release.description,
                migration.directives.oldestRelease?.description,
            ])
    }

    static func recordFunctions(_ functions: [SchemaFunction]) -> Self {
        Query(
            "record_functions",
            """
            INSERT INTO schema_functions (name, sha256)
            SELECT f.name, f.sha256 FROM unnest($1::text[], $2::bytea[]) AS f (name, sha256)
            ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256, replaced_at = now()
            """, [functions.map(\.name), functions.map(\.sha256)])
    }
}

/// The key of the advisory lock: one for each schema.
private let migrationsKey = "hashtextextended('schema_migrations of ' || coalesce(current_schema(), ''), 0)"

extension Query where Row == String {
    /// The session that has the lock, as `process, application, address, state`.
    static var holderOfMigrations: Self {
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

    /// The names of those that are not in the database as their files say.
    static func changedFunctions(_ functions: [SchemaFunction]) -> Self {
        Query(
            "changed_functions",
            """
            SELECT f.name
              FROM unnest($1::text[], $2::bytea[]) AS f (name, sha256)
             WHERE NOT EXISTS (SELECT FROM schema_functions s WHERE s.name = f.name AND s.sha256 = f.sha256)
            """, [functions.map(\.name), functions.map(\.sha256)]
        ) { row throws(PostgresError) in try row.get("name") }
    }
}

extension Query where Row == Bool {
    /// Whether this migration or a later one is recorded.
    static func hasMigration(from number: Int) -> Self {
        Query(
            "has_migration", "SELECT EXISTS (SELECT FROM schema_migrations WHERE version >= $1) AS found", [number]
        ) { row throws(PostgresError) in try row.get("found") }
    }

    static func hasTable(_ name: String) -> Self {
        Query("has_table", "SELECT to_regclass($1) IS NOT NULL AS found", [name]) { row throws(PostgresError) in
            try row.get("found")
        }
    }
}

extension Query where Row == MigrationHistoryRow {
    /// The rows of files and record, joined by number. Rows that 0.1.0 recorded have no releases.
    static func migrationHistory(_ files: [Migration]) -> Self {
        Query(
            "migration_history",
            """
            SELECT coalesce(s.version, f.version) AS version, s.name AS applied, f.version IS NOT NULL AS has_file,
                   coalesce(s.name = f.name AND s.sha256 = f.sha256, false) AS is_same,
                   to_jsonb(s) ->> 'release' AS release, to_jsonb(s) ->> 'oldest_release' AS oldest_release
              FROM schema_migrations s
              FULL JOIN unnest($1::int[], $2::text[], $3::bytea[]) AS f (version, name, sha256) ON f.version = s.version
             ORDER BY 1
            """, [files.map(\.number), files.map(\.name), files.map(\.sha256)]
        ) { row throws(PostgresError) in
            let (release, oldest): (String?, String?) = (try row.get("release"), try row.get("oldest_release"))
            return MigrationHistoryRow(
                number: try row.get("version"), applied: try row.get("applied"), hasFile: try row.get("has_file"),
                isSame: try row.get("is_same"), release: release.flatMap { Release($0) },
                oldestRelease: oldest.flatMap { Release($0) })
        }
    }
}
