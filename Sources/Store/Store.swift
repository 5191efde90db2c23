internal import Domain
package import Postgres

/// Everything Pics keeps in PostgreSQL. SQL stands in the `…Queries.swift` files, one query a function.
package struct Store: Sendable {
    package let database: Database
    let photos: Batches<PhotoKey, PhotoView>
    let tokens: Batches<[UInt8], TokenMatch>
    let submissions: Batches<PhotoID, [Submission]>

    package init(database: Database) {
        self.database = database
        photos = Batches(database.loops) { keys throws(StoreError) in
            let views = try await Store.rows(.photos(keys), in: database)
            return Dictionary(views, uniquingKeysWith: { first, _ in first })
        }
        tokens = Batches(database.loops) { hashes throws(StoreError) in
            let matches = try await Store.rows(.tokens(hashes: hashes), in: database)
            return Dictionary(matches.map { ($0.hash, $0) }, uniquingKeysWith: { first, _ in first })
        }
        submissions = Batches(database.loops) { photos throws(StoreError) in
            Dictionary(grouping: try await Store.rows(.submissions(of: photos), in: database), by: \.photo)
        }
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
        try await Store.rows(query, in: database)
    }

    private static func rows<Row>(_ query: Query<Row>, in database: Database) async throws(StoreError) -> [Row] {
        do throws(PostgresError) { return try await database.run(query) } catch { throw StoreError(error) }
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
