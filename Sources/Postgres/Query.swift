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

/// Runs statements: a `Database`, a `Transaction` or a single `PostgresConnection`.
package protocol Queryable: Sendable {
    /// Runs `steps` in one round trip and, outside a transaction, as one transaction.
    func perform(_ steps: [Step]) async throws(PostgresError)
}

extension Queryable {
    /// Runs a statement and gives all its rows.
    @discardableResult
    package func run<Row>(_ query: Query<Row>) async throws(PostgresError) -> [Row] {
        let received = Received<Row>()
        try await perform([Step(query, into: received)])
        return received.rows
    }

    /// Runs a statement and gives its first row, if there is one.
    package func first<Row>(_ query: Query<Row>) async throws(PostgresError) -> Row? {
        try await run(query).first
    }

    /// Runs a statement that gives exactly one row.
    ///
    /// - Throws: `PostgresError.unexpectedRows` when there is none or more than one.
    package func one<Row>(_ query: Query<Row>) async throws(PostgresError) -> Row {
        let rows = try await run(query)
        guard let row = rows.first, rows.count == 1 else {
            throw .unexpectedRows(count: rows.count, statement: query.statement.name)
        }
        return row
    }

    /// Runs a command and tells how many rows it inserted, changed, deleted or found.
    @discardableResult
    package func execute(_ command: Query<Void>) async throws(PostgresError) -> Int {
        let received = Received<Void>()
        try await perform([Step(command, into: received)])
        return received.affected
    }

    /// Runs several statements in one round trip: `let (photos, likes) = try await database.run(a, b)`.
    ///
    /// Outside a transaction they are one transaction: all take effect, or none (PostgreSQL manual, "Pipeline Mode").
    package func run<each Row>(_ query: repeat Query<each Row>) async throws(PostgresError) -> (repeat [each Row]) {
        let received = (repeat Received<each Row>())
        var steps: [Step] = []
        repeat steps.append(Step(each query, into: each received))
        try await perform(steps)
        return (repeat (each received).rows)
    }

    /// Runs commands in one round trip and, outside a transaction, as one transaction; tells the rows of each.
    @discardableResult
    package func execute(_ commands: [Query<Void>]) async throws(PostgresError) -> [Int] {
        let received = commands.map { _ in Received<Void>() }
        if !commands.isEmpty { try await perform(zip(commands, received).map { Step($0, into: $1) }) }
        return received.map(\.affected)
    }
}
