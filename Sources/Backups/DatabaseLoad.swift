internal import FoundationEssentials
internal import Postgres

/// A dump on its way into an empty database whose schema is the dump's. Blocks; all of it is one transaction.
struct DatabaseLoad {
    private let connection: BlockingConnection
    private let foreignKeys: [(table: String, name: String, definition: String)]

    /// Begins. Foreign keys are taken away until `finish`, and triggers do not fire: what they would do is in the dump. Only the owner of
    /// the tables may do that; it needs no superuser.
    init(_ settings: DatabaseSettings) throws {
        connection = try BlockingConnection(settings)
        try connection.execute("BEGIN; SET LOCAL datestyle = ISO; SET LOCAL intervalstyle = iso_8601")
        foreignKeys = try connection.rows(
            """
            SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
             WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conrelid, conname
            """
        ).compactMap { row in
            guard let table = row[0], let name = row[1], let definition = row[2] else { return nil }
            return (table, name, definition)
        }
        for key in foreignKeys {
            try connection.execute("ALTER TABLE \(key.table) DROP CONSTRAINT \(quotedIdentifier(key.name))")
        }
    }

    /// Fills a table with the rows of the file at `path`, in place of those that migrations have put there.
    func fill(_ table: BackupManifest.Table, from path: String) throws {
        let name = quotedIdentifier(table.name)
        try connection.execute("ALTER TABLE \(name) DISABLE TRIGGER USER; DELETE FROM \(name)")
        let file = try GzipFile(path, .read)
        let list = table.columns.map(quotedIdentifier).joined(separator: ", ")
        let rows = try connection.copyIn("COPY \(name) (\(list)) FROM STDIN") { try file.read() }
        guard rows == table.rows else { throw BackupError.damaged("tables/\(table.name)") }
        try connection.execute("ALTER TABLE \(name) ENABLE TRIGGER USER")
    }

    /// Makes the foreign keys again, which proves that each row finds the others that it names, sets the sequences, runs `statements`, and commits.
    func finish(_ sequences: [String: Int64], then statements: [String]) throws {
        for key in foreignKeys {
            try connection.execute(
                "ALTER TABLE \(key.table) ADD CONSTRAINT \(quotedIdentifier(key.name)) \(key.definition)")
        }
        for (name, value) in sequences where value > 0 {
            try connection.execute("SELECT setval('\(quotedIdentifier(name))', \(value))")
        }
        for statement in statements { try connection.execute(statement) }
        try connection.execute("COMMIT")
        try analyze()
    }

    /// Looks at the tables alone: those of all databases are a superuser's.
    private func analyze() throws {
        let tables = try connection.rows(
            "SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        ).compactMap { $0[0] }
        if !tables.isEmpty { try connection.execute("ANALYZE \(tables.joined(separator: ", "))") }
    }
}
