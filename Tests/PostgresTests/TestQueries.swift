import Foundation
import Postgres

/// The statements that several tests use.
extension Query where Row == Int {
    static func number(_ name: String, _ sql: String, _ parameters: [any ParameterConvertible] = []) -> Self {
        Query(name, sql, parameters) { row throws(PostgresError) in try row.get("n") }
    }

    /// Gives `value` back.
    static func echo(_ value: Int) -> Self { .number("echo", "SELECT $1::int AS n", [value]) }

    /// The server's process that serves the session.
    static var process: Self { .number("process", "SELECT pg_backend_pid() AS n") }

    /// How many sessions of this name run a statement that contains `text`.
    static func sessions(_ application: String, running text: String) -> Self {
        .number(
            "sessions",
            """
            SELECT count(*) AS n FROM pg_stat_activity
             WHERE application_name = $1 AND state = 'active' AND strpos(query, $2) > 0 AND pid <> pg_backend_pid()
            """, [application, text])
    }

    static func countOfRows(_ table: String) -> Self { .number("count_\(table)", "SELECT count(*) AS n FROM \(table)") }
}

extension Query where Row == Void {
    /// A command that needs no name of its own.
    static func command(_ sql: String) -> Self { Query("command_\(UUID().uuidString)", sql) }

    /// Ends a session and waits until it is gone.
    static func terminate(_ process: Int) -> Self {
        Query("terminate", "SELECT pg_terminate_backend($1::int, 10000)", [process])
    }

    static var sleepForAnHour: Self { Query("sleep", "SELECT pg_sleep(3600)") }
}
