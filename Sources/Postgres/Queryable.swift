/// What runs statements: a `Database`, a `Transaction` or a single `PostgresConnection`.
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
