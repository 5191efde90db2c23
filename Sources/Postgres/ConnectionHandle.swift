internal import CPostgres
internal import Glibc
internal import Logging

/// One `PGconn`, finished exactly once. A closed one has no pointer, which libpq takes for a broken connection.
///
/// The corresponding C functions are `PQconnectdbParams`, `PQstatus` and `PQfinish`.
struct ConnectionHandle: ~Copyable {
    private(set) var pointer: OpaquePointer?
    /// Whether a pooler stands in between, which may give each transaction another session of the server.
    private(set) var isPooled = false

    /// Connects, prepares the session and turns to non-blocking pipeline mode. Blocks, for as long as name resolution,
    /// connecting, TLS and authentication take: call it on `BlockingThreads`.
    ///
    /// - Throws: `.disconnected`, also when only connections are left that the server keeps for superusers.
    init(connecting settings: DatabaseSettings) throws(PostgresError) {
        // Parsed first because libpq's own complaint quotes the text, password included.
        guard let options = PQconninfoParse(settings.connection, nil) else {
            throw .disconnected(sent: false, reason: "the connection string is malformed")
        }
        PQconninfoFree(options)
        pointer = Self.connect(settings.parameters)
        guard PQstatus(pointer) == CONNECTION_OK else { throw failure }
        try prepareSession(settings.variables)
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

    /// Sets `variables` for the session, and finds out what kind of session it is, in one round trip.
    ///
    /// The process that a pooler names at the beginning is not the server's: pgbouncer and its like answer cancel requests
    /// themselves and make up the key. Through one, the variables end with this transaction, so that no other client of the
    /// pooler gets them.
    private mutating func prepareSession(_ variables: [(name: String, value: String)]) throws(PostgresError) {
        let calls = variables.indices.map {
            "set_config($\(2 * $0 + 2), $\(2 * $0 + 3), pg_backend_pid() <> $1::int)"
        }
        let sql = """
            SELECT pg_backend_pid() <> $1::int AS is_pooled,
                   pg_backend_pid() = $1::int AND current_setting('is_superuser')::bool AND \(Self.isReserved)
                   AS is_reserved, \(calls.joined(separator: ", "))
            """
        var buffer = ParameterBuffer()
        let parameters: [PostgresParameter] =
            [.text(String(PQbackendPID(pointer)))] + variables.flatMap { [.text($0.name), .text($0.value)] }
        let result = buffer.lend(parameters) { values, lengths, formats in
            PQexecParams(pointer, sql, Int32(parameters.count), nil, values, lengths, formats, 1)
        }
        guard let result else { throw failure }
        let kinds = try ResultHandle(owning: result, statement: "prepare_session").rows { row throws(PostgresError) in
            (isPooled: try row.get("is_pooled", as: Bool.self), isReserved: try row.get("is_reserved", as: Bool.self))
        }
        guard let kind = kinds.first else { throw failure }
        guard !kind.isReserved else {
            throw .disconnected(
                sent: false, reason: "all connections of the server are taken but those it keeps for superusers")
        }
        isPooled = kind.isPooled
    }

    /// Whether this connection is one of the last, which the server reserves for superusers. Any
    /// other role is refused these by the server itself (PostgreSQL manual, `superuser_reserved_connections`; since
    /// version 16 also `reserved_connections`).
    private static let isReserved = """
        (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')
        > current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0)
        """
}

/// One `PGcancel`, freed exactly once: asks the server to stop what a connection runs at the moment.
///
/// `@unchecked Sendable`: the object is a copy of the connection's address and key that nothing changes, and `PQcancel`
/// may be called from any thread, even while the connection is in use elsewhere (PostgreSQL manual, "Canceling Queries
/// in Progress").
final class CancelHandle: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Nil when the connection is closed already.
    init?(_ connection: borrowing ConnectionHandle) {
        guard let pointer = PQgetCancel(connection.pointer) else { return nil }
        self.pointer = pointer
    }

    deinit { PQfreeCancel(pointer) }

    /// Blocks until the server has taken the request; returns why that failed.
    func send() -> String? {
        var reason = [CChar](repeating: 0, count: 256)
        guard PQcancel(pointer, &reason, Int32(reason.count)) == 0 else { return nil }
        return String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Sends a connection's notices to the log. libpq keeps a bare pointer to it: it must live as long as the connection.
final class NoticeSink {
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    func attach(to connection: borrowing ConnectionHandle) {
        let receive: PQnoticeReceiver = { sink, result in
            guard let sink else { return }
            Unmanaged<NoticeSink>.fromOpaque(sink).takeUnretainedValue().log(result)
        }
        PQsetNoticeReceiver(connection.pointer, receive, Unmanaged.passUnretained(self).toOpaque())
    }

    private func log(_ result: OpaquePointer?) {
        let sqlState = PQresultErrorField(result, Int32(pics_field_sqlstate)).map { String(cString: $0) }
        logger.info("notice of the database", ["sqlstate": sqlState, "text": libpqText(PQresultErrorMessage(result))])
    }
}
