internal import CPostgres
internal import Glibc

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

/// Where in a result the next column is looked for: columns are mostly read in their order, row after row.
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
