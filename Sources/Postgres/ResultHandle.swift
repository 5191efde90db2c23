internal import CPostgres
internal import Glibc

/// One `PGresult` that is no error, cleared exactly once.
///
/// The corresponding C functions are `PQresultStatus`, `PQntuples` and `PQclear`.
struct ResultHandle: ~Copyable {
    let pointer: OpaquePointer

    /// Takes over `result`, also when this throws; the statement's name is for the error.
    init(owning result: OpaquePointer, statement: String) throws(PostgresError) {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_PIPELINE_SYNC, PGRES_PIPELINE_ABORTED:
            pointer = result
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            PQclear(result)
            throw .misuse("COPY in \(statement) is not supported")
        default:
            defer { PQclear(result) }
            throw PostgresError(result: result, statement: statement)
        }
    }

    deinit { PQclear(pointer) }

    /// False when the server skipped the statement because one before it in the pipeline failed.
    var isSuccess: Bool { PQresultStatus(pointer) != PGRES_PIPELINE_ABORTED }

    /// Zero for commands that have no rows (PostgreSQL manual, `PQcmdTuples`).
    var affectedRows: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    func rows<Row>(
        _ decode: (borrowing ResultRow) throws(PostgresError) -> Row
    ) throws(PostgresError) -> [Row] {
        var rows: [Row] = []
        let count = PQntuples(pointer)
        rows.reserveCapacity(Int(count))
        let cursor = ColumnCursor()
        for index in 0..<count {
            rows.append(try decode(ResultRow(result: pointer, index: index, cursor: cursor)))
        }
        return rows
    }
}

extension PostgresError {
    /// Reads the fields of a failed result.
    fileprivate init(result: OpaquePointer, statement: String) {
        func field(_ code: Int) -> String? {
            PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
        }
        // libpq itself makes a result without SQLSTATE when the connection breaks.
        guard let sqlState = field(pics_field_sqlstate) else {
            self = .disconnected(sent: true, reason: libpqText(PQresultErrorMessage(result)))
            return
        }
        let remarks = [pics_field_detail, pics_field_hint, pics_field_context].compactMap { field($0) }
        let error = PostgresServerError(
            sqlState: sqlState,
            severity: field(pics_field_severity) ?? "ERROR",
            constraint: field(pics_field_constraint),
            table: field(pics_field_table),
            column: field(pics_field_column),
            statement: statement,
            message: field(pics_field_message) ?? "",
            remarks: remarks.isEmpty ? nil : remarks.joined(separator: "; "))
        switch (error.severity, error.sqlState) {
        case ("ERROR", "57014"): self = .timeout(statement: statement)
        case ("ERROR", _): self = .server(error)
        // FATAL and PANIC end the session.
        default: self = .disconnected(sent: true, reason: error.detail)
        }
    }
}

/// A text of libpq on one line: it begins further lines with a tab.
func libpqText(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "" }
    return String(cString: text).split(separator: "\n").map { $0.drop { $0 == "\t" || $0 == " " } }
        .joined(separator: "; ")
}

/// One row of a result, lent to the function that decodes it.
package struct ResultRow: ~Copyable {
    let result: OpaquePointer
    let index: Int32
    let cursor: ColumnCursor

    /// The value of the column of this name.
    ///
    /// - Throws: `PostgresError.decoding` when there is no such column, when it is NULL and `Value` is not optional,
    ///   or when its type does not fit.
    package func get<Value: ColumnDecodable>(
        _ name: StaticString, as type: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard let column = cursor.find(name, in: result) else {
            throw .decoding(column: "\(name)", expected: "\(type)", found: "absent")
        }
        return try Value.decode(
            ColumnValue(
                bytes: UnsafeRawBufferPointer(
                    start: PQgetvalue(result, index, column), count: Int(PQgetlength(result, index, column))),
                type: PQftype(result, column),
                isNull: PQgetisnull(result, index, column) == 1,
                name: name))
    }
}

/// The position in a result at which the next column is looked up: columns are mostly read in their order, row after row.
final class ColumnCursor {
    private var next: Int32 = 0

    func find(_ name: StaticString, in result: OpaquePointer) -> Int32? {
        let wanted = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        let count = PQnfields(result)
        for step in 0..<count {
            let column = (next + step) % count
            guard let found = PQfname(result, column), strcmp(found, wanted) == 0 else { continue }
            next = column + 1 == count ? 0 : column + 1
            return column
        }
        return nil
    }
}
