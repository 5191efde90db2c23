import Foundation
import Postgres
import TestSupport
import Testing

/// The log of the tests' PostgreSQL from now on.
struct ServerLog {
    private let path: String
    private let start: Int

    init() throws {
        let connection = try #require(ProcessInfo.processInfo.environment["PICS_TEST_DATABASE_URL"])
        let folder = try #require(connection.firstMatch(of: #/host=(\S+)/#)?.1)
        path = "\(folder)/log"
        start = try Data(contentsOf: URL(filePath: path)).count
    }

    /// How often each prepared statement was executed by these server processes.
    func statements(of backends: Set<Int32>) throws -> [String: Int] {
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)).dropFirst(start), as: UTF8.self)
        return text.matches(of: #/\[([0-9]+)\] LOG:  execute ([a-z_0-9]+)/#).reduce(into: [:]) { counts, found in
            guard let backend = Int32(found.1), backends.contains(backend) else { return }
            counts[String(found.2), default: 0] += 1
        }
    }
}

extension Query where Row == Void {
    /// Has the server log each statement of later sessions in this database.
    static func logStatements() -> Self {
        Query(
            "log_statements",
            """
            DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET log_statement = %L', current_database(), 'all'); END $$
            """)
    }
}

extension Query where Row == Int32 {
    /// The server processes of this database.
    static func backends() -> Self {
        Query("backends", "SELECT pid FROM pg_stat_activity WHERE datname = current_database()") {
            row throws(PostgresError) in try row.get("pid")
        }
    }
}
