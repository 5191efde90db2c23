internal import Logging

/// Why a statement gave no result, sorted by what the caller does next.
package enum PostgresError: DetailedError, Equatable, Sendable {
    /// The server refused the statement.
    case server(PostgresServerError)
    /// There is no connection, or it broke. When `sent` is true the server may have acted, so a change must not be
    /// repeated blindly. `reason` is libpq's text, for the log.
    case disconnected(sent: Bool, reason: String)
    /// The statement ran longer than the session's `statement_timeout`; the server undid it.
    case timeout(statement: String)
    /// All connections were busy for longer than a caller waits, or too many callers wait already.
    case poolExhausted
    /// The caller's task was cancelled. A statement already sent may have taken effect.
    case cancelled
    /// The pool was closed.
    case closed
    /// A column is absent, null or of another type than the code reads: a defect of the code or of a migration.
    case decoding(column: String, expected: String, found: String)
    /// Text with a NUL, which PostgreSQL cannot hold. `parameter` counts from 1.
    case invalidText(parameter: Int, statement: String)
    /// One row was promised and another number came.
    case unexpectedRows(count: Int, statement: String)
    /// The code breaks a rule of this module, such as two statements of one name.
    case misuse(String)
}

extension PostgresError {
    /// The server's report, when it refused the statement.
    package var serverError: PostgresServerError? {
        if case .server(let error) = self { error } else { nil }
    }

    /// The SQLSTATE, when the server gave one (PostgreSQL manual, appendix A).
    package var sqlState: String? { serverError?.sqlState }

    /// The constraint that refused the row, by its name in `migrations/`.
    package var constraint: String? { serverError?.constraint }

    /// The transaction lost against another one and may be run again from its start.
    package var isSerializationFailure: Bool { sqlState == "40001" || isDeadlock }

    /// The transaction was chosen to end a deadlock and may be run again from its start.
    package var isDeadlock: Bool { sqlState == "40P01" }

    /// The server takes no changes: a standby, or one that was set to read only, such as by a provider whose disk is full.
    package var isReadOnly: Bool { sqlState == "25006" }

    /// The server cannot be reached at the moment.
    package var isConnectionFailure: Bool {
        if case .disconnected = self { true } else { false }
    }

    /// The caller may succeed with the same call a little later.
    package var isTemporary: Bool {
        switch self {
        case .disconnected, .timeout, .poolExhausted: true
        case .server(let error): isSerializationFailure || error.tellsOfServer
        case .cancelled, .closed, .decoding, .invalidText, .unexpectedRows, .misuse: false
        }
    }
}

extension PostgresError: CustomStringConvertible {
    /// Safe for everybody: names and codes of ours, no text of the server and no value.
    package var description: String {
        switch self {
        case .server(let error): error.description
        case .disconnected(let sent, _): sent ? "the database connection broke" : "the database cannot be reached"
        case .timeout(let statement): "\(statement) took too long"
        case .poolExhausted: "all database connections are busy"
        case .cancelled: "cancelled"
        case .closed: "the database pool is closed"
        case .decoding(let column, let expected, let found): "column \(column) is \(found), not \(expected)"
        case .invalidText(let parameter, let statement): "parameter \(parameter) of \(statement) contains a NUL"
        case .unexpectedRows(let count, let statement): "\(statement) gave \(count) rows instead of one"
        case .misuse(let rule): rule
        }
    }

    /// Everything that is known, values of rows included: for the log alone.
    package var detail: String {
        switch self {
        case .server(let error): error.detail
        case .disconnected(_, let reason): "\(description): \(reason)"
        default: description
        }
    }

    /// The same without what a sentence that tells of a lost connection says already.
    var cause: String { if case .disconnected(_, let reason) = self { reason } else { detail } }
}

/// The report of a server that refuses a statement (PostgreSQL manual, "Error and Notice Message Fields").
package struct PostgresServerError: Equatable, Sendable, CustomStringConvertible {
    /// Five characters that say what is wrong (appendix A of the manual).
    package let sqlState: String
    /// `ERROR`, `FATAL` or `PANIC`.
    package let severity: String
    /// The name of the constraint that was violated.
    package let constraint: String?
    /// The table the error is about.
    package let table: String?
    /// The column the error is about.
    package let column: String?
    /// The name of the refused statement.
    package let statement: String
    /// The server's sentence; it may quote values, hence for the log alone.
    package let message: String
    /// The server's further lines (DETAIL, HINT, CONTEXT); they may quote values, hence for the log alone.
    package let remarks: String?

    /// Whether the state of the server is the reason, which passes, and not the statement.
    ///
    /// Class 08 is a broken connection behind a pooler, 53 insufficient resources such as a full disk, 57 an operator's
    /// intervention such as a shutdown; then errors of its disk, a lock that was not free, and a server that takes no changes.
    fileprivate var tellsOfServer: Bool {
        ["08", "53", "57"].contains(sqlState.prefix(2)) || ["58000", "58030", "55P03", "25006"].contains(sqlState)
    }

    package var description: String {
        constraint.map { "\(sqlState) \($0) in \(statement)" } ?? "\(sqlState) in \(statement)"
    }

    /// All of it, for the log alone.
    package var detail: String { "\(severity) \(description): \(message)\(remarks.map { "; \($0)" } ?? "")" }
}
