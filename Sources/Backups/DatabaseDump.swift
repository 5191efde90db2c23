internal import Blobs
internal import Crypto
internal import FoundationEssentials
internal import Postgres

/// One state of the database as files: each table in the text form of `COPY`, compressed. Blocks.
struct DatabaseDump {
    /// Tables that say nothing of a Pics that is restored: they belong to the database itself, to processes, or to the moment.
    private static let leftOut = [
        "schema_migrations", "schema_functions", "nodes", "shared_limits", "outgoing_files", "backups",
    ]

    private let connection: BlockingConnection
    private let isCancelled: @Sendable () -> Bool

    /// Begins a transaction that sees one state, whatever is written meanwhile. It needs no rights but reading.
    init(_ settings: DatabaseSettings, isCancelled: @escaping @Sendable () -> Bool) throws {
        connection = try BlockingConnection(settings)
        self.isCancelled = isCancelled
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        // Times and numbers read the same on any server.
        try connection.execute(
            "SET LOCAL datestyle = ISO; SET LOCAL intervalstyle = iso_8601; SET LOCAL extra_float_digits = 3")
    }

    /// Fills in what the state says of itself.
    func describe(_ manifest: inout BackupManifest) throws {
        manifest.schema = try number("SELECT max(version) FROM schema_migrations")
        let row = try connection.rows("SELECT id, encode(key_id, 'hex') FROM installation").first
        manifest.installation = row?[0].flatMap { UUID(uuidString: $0) }
        manifest.sealingKey = row?[1]
        for row in try connection.rows(
            "SELECT sequencename, coalesce(last_value, 0) FROM pg_sequences WHERE schemaname = current_schema()")
        {
            if let name = row[0], let value = row[1].flatMap({ Int64($0) }) { manifest.sequences[name] = value }
        }
    }

    /// Writes each table, and hands it over with its file before the next one is begun.
    func eachTable(in folder: String, _ take: (BackupManifest.Table, _ path: String) throws -> Void) throws {
        let names = try connection.rows(
            """
            SELECT c.relname FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
             ORDER BY c.relname
            """
        ).compactMap { $0[0] }
        for name in names where !Self.leftOut.contains(name) {
            let columns = try connection.rows(
                """
                SELECT attname FROM pg_attribute
                 WHERE attrelid = '\(quotedIdentifier(name))'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
                 ORDER BY attnum
                """
            ).compactMap { $0[0] }
            let path = "\(folder)/\(name).copy.gz"
            let list = columns.map(quotedIdentifier).joined(separator: ", ")
            let rows = try copy("COPY \(quotedIdentifier(name)) (\(list)) TO STDOUT", to: path)
            let (digest, bytes) = try NamedFiles.hash(fileAt: path)
            try take(
                BackupManifest.Table(name: name, columns: columns, rows: rows, bytes: bytes, sha256: digest.hex), path)
        }
    }

    /// Writes the digests and sizes of all files that the state names, in the order of digests.
    ///
    /// - Returns: How many there are, and their bytes.
    func writeFiles(to path: String) throws -> (files: Int, bytes: Int64) {
        let rows = try copy(
            "COPY (SELECT encode(sha256, 'hex'), bytes FROM blobs ORDER BY sha256) TO STDOUT (DELIMITER ' ')", to: path)
        return (Int(rows), Int64(try number("SELECT coalesce(sum(bytes), 0) FROM blobs")))
    }

    private func copy(_ sql: String, to path: String) throws -> Int64 {
        let file = try GzipFile(path, .write)
        let rows = try connection.copyOut(sql) { row in
            if isCancelled() { throw CancellationError() }
            try file.write(row)
        }
        try file.finish()
        return rows
    }

    private func number(_ sql: String) throws -> Int {
        try connection.rows(sql).first?.first.flatMap { $0 }.flatMap { Int($0) } ?? 0
    }
}
