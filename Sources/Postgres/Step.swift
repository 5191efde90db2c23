internal import System

/// One statement of a round trip, and where its result goes.
package struct Step: Sendable {
    let statement: Statement
    let parameters: [PostgresParameter]
    let receive: @Sendable (borrowing ResultHandle) throws(PostgresError) -> Void

    init<Row>(_ query: Query<Row>, into received: Received<Row>) {
        statement = query.statement
        parameters = query.parameters
        receive = { result throws(PostgresError) in
            received.fill(try result.rows(query.decode), affected: result.affectedRows)
        }
    }

    /// Refuses what libpq would cut at a NUL, before anything is sent.
    func validate() throws(PostgresError) {
        let name = statement.name
        guard !name.isEmpty, name.utf8.count <= Statement.longestName, !name.utf8.contains(0) else {
            throw .misuse("the statement name \"\(name)\" is empty, too long or contains a NUL")
        }
        guard !statement.sql.utf8.contains(0) else { throw .misuse("the text of \(name) contains a NUL") }
        for (index, parameter) in parameters.enumerated() {
            if case .text(let text) = parameter, text.utf8.contains(0) {
                throw .invalidText(parameter: index + 1, statement: name)
            }
        }
    }
}

/// The result of one step, filled on the connection's loop and read by the caller.
final class Received<Row: Sendable>: Sendable {
    private let content = Lock<(rows: [Row], affected: Int)>(([], 0))

    var rows: [Row] { content.withLock { $0.rows } }
    var affected: Int { content.withLock { $0.affected } }

    func fill(_ rows: [Row], affected: Int) {
        content.withLock { $0 = (rows, affected) }
    }
}
