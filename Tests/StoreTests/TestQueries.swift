import Postgres

extension Query where Row == Void {
    /// A command of a test, named for its text.
    static func statement(_ sql: String, _ parameters: [any ParameterConvertible] = []) -> Self {
        Query(statementName(sql), sql, parameters)
    }
}

extension Queryable {
    /// The one number that a query of one column gives.
    func number(_ sql: String, _ parameters: [any ParameterConvertible] = []) async throws(PostgresError) -> Int {
        try await one(
            Query(statementName(sql), "SELECT (\(sql))::bigint AS n", parameters) { row throws(PostgresError) in
                try row.get("n")
            })
    }

    /// The texts that a query of one column gives.
    func texts(_ sql: String, _ parameters: [any ParameterConvertible] = []) async throws(PostgresError) -> [String] {
        try await run(
            Query(statementName(sql), "SELECT t FROM (\(sql)) AS x(t)", parameters) { row throws(PostgresError) in
                try row.get("t")
            })
    }

    @discardableResult
    func change(_ sql: String, _ parameters: [any ParameterConvertible] = []) async throws(PostgresError) -> Int {
        try await execute(.statement(sql, parameters))
    }
}

private func statementName(_ sql: String) -> String { "test_\(sql.hashValue)" }
