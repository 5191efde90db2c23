/// How to reach a database, and what its sessions and pools may use.
package struct DatabaseSettings: Sendable {
    /// libpq's `key=value` form or a `postgresql://` URI; its own parameters win over the defaults given here.
    package var connection: String
    /// Another address of the same database, past a pooler, in the same form: for `LISTEN` and for migrations. Nil means
    /// `connection`.
    package var directConnection: String?
    /// Shown in `pg_stat_activity`.
    package var applicationName = ""
    /// At most this many connections for each event loop.
    package var connectionsPerLoop = 8
    /// At most this many callers wait for a connection of one loop; further ones are refused at once.
    package var waitersPerLoop = 1024
    /// How long a caller waits for a connection, reconnecting included.
    package var waitLimit = Duration.seconds(5)
    /// How long one attempt to connect may take, for each address of the server.
    package var connectLimit = Duration.seconds(5)
    /// How long one statement may take; the server ends it then.
    package var statementLimit = Duration.seconds(30)
    /// How long a transaction may wait for its next statement; the server ends its session then.
    package var idleInTransactionLimit = Duration.seconds(60)
    /// The schemas that unqualified names are looked up in, such as `one, two`; nil leaves the server's setting.
    package var searchPath: String?
    /// Called before every attempt to connect, such as to make sure that a private server runs; several calls may run
    /// at once.
    package var beforeConnect: (@Sendable () async throws -> Void)?

    /// Settings for `connection`, the rest by default.
    package init(connection: String) { self.connection = connection }

    /// Leads to `directConnection`, if there is one.
    mutating func goDirect() { connection = directConnection ?? connection }
}

extension DatabaseSettings: CustomStringConvertible, CustomDebugStringConvertible {
    /// Hides the addresses, which may hold a password.
    package var description: String { "database settings" }
    package var debugDescription: String { description }
}

extension DatabaseSettings {
    /// The parameters of `PQconnectdbParams` in order: those before `dbname` can be overridden by it, the others not.
    var parameters: [(name: String, value: String)] {
        [
            ("application_name", applicationName),
            ("connect_timeout", String(max(2, connectLimit.components.seconds))),
            // Finds out within five seconds that a machine or the network is gone, whether something was sent or not.
            ("tcp_user_timeout", "5000"), ("keepalives_idle", "2"), ("keepalives_interval", "1"),
            ("keepalives_count", "3"),
            ("dbname", connection),
            ("client_encoding", "UTF8"),
        ]
    }

    /// The variables of each session, or of each transaction where a pooler shares sessions. They are set by statements:
    /// poolers refuse them as parameters of the connection.
    var variables: [(name: String, value: String)] {
        var variables = [
            ("TimeZone", "UTC"),
            // Prepared statements are planned once: for short ones, planning anew costs several times their work.
            ("plan_cache_mode", "force_generic_plan"),
            // None of the statements is worth a compilation, which costs more than any of them.
            ("jit", "off"),
            ("statement_timeout", milliseconds(statementLimit)),
            ("idle_in_transaction_session_timeout", milliseconds(idleInTransactionLimit)),
        ]
        if let searchPath { variables.append(("search_path", searchPath)) }
        return variables
    }

    private func milliseconds(_ duration: Duration) -> String { String(Int64(duration / .milliseconds(1))) }
}
