package import Postgres

/// Everything Pics keeps in PostgreSQL. SQL stands in the `…Queries.swift` files, one query a function.
package struct Store: Sendable {
    package let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Runs `body` and sorts PostgreSQL's errors by what a caller does next.
    func attempt<Value>(_ body: () async throws(PostgresError) -> Value) async throws(StoreError) -> Value {
        do {
            return try await body()
        } catch {
            throw StoreError(error)
        }
    }

    func rows<Row>(_ query: Query<Row>) async throws(StoreError) -> [Row] {
        try await attempt { () async throws(PostgresError) in try await database.run(query) }
    }

    func first<Row>(_ query: Query<Row>) async throws(StoreError) -> Row? {
        try await attempt { () async throws(PostgresError) in try await database.first(query) }
    }

    func one<Row>(_ query: Query<Row>) async throws(StoreError) -> Row {
        try await attempt { () async throws(PostgresError) in try await database.one(query) }
    }

    @discardableResult
    func execute(_ command: Query<Void>) async throws(StoreError) -> Int {
        try await attempt { () async throws(PostgresError) in try await database.execute(command) }
    }
}
