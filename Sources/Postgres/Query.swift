/// One SQL statement with its values and the type of its rows.
///
/// The server parses and plans a statement once per connection, under its name. Values are always parameters; the SQL
/// text decides their types (`$1::uuid` where nothing else does). `Query<Void>` is a command without rows.
package struct Query<Row: Sendable>: Sendable {
    let statement: Statement
    let parameters: [PostgresParameter]
    let decode: @Sendable (borrowing ResultRow) throws(PostgresError) -> Row

    /// A statement that gives rows.
    ///
    /// - Parameters:
    ///   - name: Names the statement on the server and in errors; unique in the program, at most 63 bytes.
    ///   - sql: One statement.
    ///   - parameters: The values of `$1`, `$2` and so on.
    ///   - decode: Makes a row's value from its columns, best read in their order.
    package init(
        _ name: String, _ sql: String, _ parameters: [any ParameterConvertible] = [],
        decode: @escaping @Sendable (borrowing ResultRow) throws(PostgresError) -> Row
    ) {
        statement = Statement(name: name, sql: sql)
        self.parameters = parameters.map(\.parameter)
        self.decode = decode
    }
}

extension Query where Row == Void {
    /// A command: rows, if any, are ignored, their number is told.
    ///
    /// - Parameters:
    ///   - name: Names the statement on the server and in errors; unique in the program, at most 63 bytes.
    ///   - sql: One statement.
    ///   - parameters: The values of `$1`, `$2` and so on.
    package init(_ name: String, _ sql: String, _ parameters: [any ParameterConvertible] = []) {
        self.init(name, sql, parameters) { _ in }
    }

    /// Wakes the listeners of `channel` once the transaction commits (PostgreSQL manual, NOTIFY).
    ///
    /// A channel's name has at most 63 bytes, a payload less than 8000; equal notifications of one transaction are told
    /// once.
    package static func notify(_ channel: String, _ payload: String = "") -> Self {
        Query("notify", "SELECT pg_notify($1, $2)", [channel, payload])
    }
}

/// A statement's text and the name it is prepared under.
struct Statement: Sendable {
    /// PostgreSQL cuts longer names, so that two could become one (NAMEDATALEN).
    static let longestName = 63

    let name: String
    let sql: String
}
