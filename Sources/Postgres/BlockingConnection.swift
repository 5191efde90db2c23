internal import CPostgres

/// A connection of its own for `COPY`, which pipelines cannot do. Its calls block: use it on one of `BlockingThreads`.
///
/// It takes the direct address where there is one, and has no limit on time. Results come as text.
package final class BlockingConnection {
    private let handle: ConnectionHandle

    /// Connects; a private server must run.
    package init(_ settings: DatabaseSettings) throws(PostgresError) {
        var settings = settings
        settings.goDirect()
        settings.statementLimit = .zero
        settings.idleInTransactionLimit = .zero
        handle = try ConnectionHandle(connecting: settings)
        // Neither fails on a connection at rest; if one did, the first statement would.
        PQexitPipelineMode(handle.pointer)
        PQsetnonblocking(handle.pointer, 0)
    }

    /// Runs statements that have no rows, or whose rows do not matter.
    package func execute(_ sql: String) throws(PostgresError) { _ = try result(sql) }

    /// The rows of one statement; a column that is NULL is nil.
    package func rows(_ sql: String) throws(PostgresError) -> [[String?]] {
        let result = try result(sql)
        let columns = PQnfields(result.pointer)
        return (0..<PQntuples(result.pointer)).map { row in
            (0..<columns).map { column in
                PQgetisnull(result.pointer, row, column) == 1
                    ? nil : String(cString: PQgetvalue(result.pointer, row, column))
            }
        }
    }

    /// Runs `COPY … TO STDOUT` and hands over each row with its line's end.
    ///
    /// - Returns: The number of rows.
    /// - Throws: `PostgresError`, or what `take` throws; the connection is of no more use then.
    package func copyOut(_ sql: String, _ take: (UnsafeRawBufferPointer) throws -> Void) throws -> Int64 {
        try begin(sql, PGRES_COPY_OUT)
        while true {
            var buffer: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(handle.pointer, &buffer, 0)
            defer { PQfreemem(buffer) }
            if count > 0 {
                try take(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
            } else if count == -1 {
                return try end(sql)
            } else {
                throw broken
            }
        }
    }

    /// Runs `COPY … FROM STDIN` with the bytes that `next` gives until it gives nil; pieces need not be whole rows.
    ///
    /// - Returns: The number of rows.
    /// - Throws: As `copyOut`.
    package func copyIn(_ sql: String, _ next: () throws -> [UInt8]?) throws -> Int64 {
        try begin(sql, PGRES_COPY_IN)
        while let bytes = try next() {
            let isTaken = bytes.withUnsafeBytes { bytes in
                PQputCopyData(
                    handle.pointer, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count)) == 1
            }
            // The reason comes with the result.
            guard isTaken else { break }
        }
        guard PQputCopyEnd(handle.pointer, nil) == 1 else { throw broken }
        return try end(sql)
    }

    private var broken: PostgresError { .disconnected(sent: true, reason: handle.reason) }

    private func result(_ sql: String) throws(PostgresError) -> ResultHandle {
        guard let result = PQexec(handle.pointer, sql) else { throw broken }
        return try ResultHandle(owning: result, statement: Self.name(sql))
    }

    private func begin(_ sql: String, _ status: ExecStatusType) throws(PostgresError) {
        guard let result = PQexec(handle.pointer, sql) else { throw broken }
        guard PQresultStatus(result) == status else {
            _ = try ResultHandle(owning: result, statement: Self.name(sql))
            throw .misuse("no COPY: \(Self.name(sql))")
        }
        PQclear(result)
    }

    /// Takes the results after the data of a `COPY`.
    private func end(_ sql: String) throws(PostgresError) -> Int64 {
        var rows: Int64 = 0
        while let result = PQgetResult(handle.pointer) {
            rows = Int64(try ResultHandle(owning: result, statement: Self.name(sql)).affectedRows)
        }
        return rows
    }

    /// The beginning of a statement, for errors.
    private static func name(_ sql: String) -> String { String(sql.prefix(60)) }
}

/// A name in SQL.
package func quotedIdentifier(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
