internal import CPostgres
internal import Glibc

/// One `PGconn`, finished exactly once. A closed one has no pointer, which libpq takes for a broken connection.
///
/// The corresponding C functions are `PQconnectdbParams`, `PQstatus` and `PQfinish`.
struct ConnectionHandle: ~Copyable {
    private(set) var pointer: OpaquePointer?

    /// Connects, prepares the session and turns to non-blocking pipeline mode. Blocks, for as long as name resolution,
    /// connecting, TLS and authentication take: call it on `BlockingThreads`.
    init(connecting settings: DatabaseSettings) throws(PostgresError) {
        // Parsed first because libpq's own complaint quotes the text, password included.
        guard let options = PQconninfoParse(settings.connection, nil) else {
            throw .disconnected(sent: false, reason: "the connection string is malformed")
        }
        PQconninfoFree(options)
        pointer = Self.connect(settings.parameters)
        guard PQstatus(pointer) == CONNECTION_OK else { throw failure }
        try set(settings.variables)
        guard PQsetnonblocking(pointer, 1) == 0, PQenterPipelineMode(pointer) == 1 else { throw failure }
    }

    deinit { PQfinish(pointer) }

    mutating func close() {
        PQfinish(pointer)
        pointer = nil
    }

    /// libpq's last error.
    var reason: String { libpqText(PQerrorMessage(pointer)) }

    private var failure: PostgresError { .disconnected(sent: false, reason: reason) }

    private static func connect(_ parameters: [(name: String, value: String)]) -> OpaquePointer? {
        let names = parameters.map { strdup($0.name) }
        let values = parameters.map { strdup($0.value) }
        defer { for text in names + values { free(text) } }
        return PQconnectdbParams(
            names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
    }

    private func set(_ variables: [(name: String, value: String)]) throws(PostgresError) {
        let calls = variables.indices.map { "set_config($\(2 * $0 + 1), $\(2 * $0 + 2), false)" }
        var buffer = ParameterBuffer()
        let result = buffer.lend(variables.flatMap { [.text($0.name), .text($0.value)] }) { values, lengths, formats in
            PQexecParams(
                pointer, "SELECT \(calls.joined(separator: ", "))", Int32(2 * variables.count), nil, values, lengths,
                formats, 1)
        }
        guard let result else { throw failure }
        _ = try ResultHandle(owning: result, statement: "set_config")
    }
}
