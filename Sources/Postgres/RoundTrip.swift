internal import System

/// The answers that the server owes, and those that have come.
struct RoundTrip {
    /// One result, or the results of one script.
    enum Reply {
        case preparation(Statement)
        case result(Step)
        /// The server has dealt with all that was sent.
        case synchronisation
        /// Results until a null pointer.
        case script(name: String)

        /// The statement's name, for errors.
        var name: String {
            switch self {
            case .preparation(let statement): statement.name
            case .result(let step): step.statement.name
            case .synchronisation: "the end of a pipeline"
            case .script(let name): name
            }
        }
    }

    /// In the order they come.
    let answers: [Reply]
    /// The first refusal; what comes after it is ignored.
    private(set) var failure: PostgresError?
    /// Between two results of a pipeline libpq gives one null pointer; a second one means that nothing will come.
    var cameNull = false

    private var count = 0

    init(answers: [Reply]) { self.answers = answers }

    /// Nil when all came.
    var next: Reply? { count < answers.count ? answers[count] : nil }

    mutating func fail(_ error: PostgresError) { failure = failure ?? error }

    /// Counts an answer; those of a script end otherwise.
    mutating func advance() {
        cameNull = false
        if case .script = next { return }
        count += 1
    }
}

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
