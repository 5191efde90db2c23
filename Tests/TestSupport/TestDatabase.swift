internal import EventLoops
internal import Foundation
package import Logging
package import Postgres

/// Runs `body` with a database whose only schema is empty, and drops the schema afterwards.
///
/// The schema has a name of its own, so that tests run in parallel; they share one database, hence also its `NOTIFY`
/// channels and advisory locks. `adjust` changes the settings, such as the number of connections, which is 2.
@discardableResult
package func withTestSchema<Value>(
    logger: Logger = .silent, adjust: (inout DatabaseSettings) -> Void = { _ in },
    _ body: (Database) async throws -> Value
) async throws -> Value {
    let server = try TestServer.shared.get()
    let name = randomName("schema")
    return try await server.lend(create: "CREATE SCHEMA \(name)", drop: "DROP SCHEMA \(name) CASCADE") {
        var settings = server.settings()
        settings.searchPath = name
        adjust(&settings)
        return try await server.use(settings, logger: logger, body)
    }
}

/// Runs `body` with a database of its own. A migrated one is a copy of the files of a database that was migrated once, which
/// takes a small part of the time of the migrations.
@discardableResult
package func withTestDatabase<Value>(
    migrated: Bool = false, logger: Logger = .silent, adjust: (inout DatabaseSettings) -> Void = { _ in },
    _ body: (Database) async throws -> Value
) async throws -> Value {
    let server = try TestServer.shared.get()
    let name = randomName("database")
    let origin = migrated ? " TEMPLATE \(try await server.template.value) STRATEGY file_copy" : ""
    return try await server.lend(
        create: "CREATE DATABASE \(name)\(origin)", drop: "DROP DATABASE \(name) WITH (FORCE)"
    ) {
        var settings = server.settings(database: name)
        adjust(&settings)
        return try await server.use(settings, logger: logger, body)
    }
}

/// The keywords of an address as libpq reads it: of one that comes twice the last counts. It has no quotes.
package func connectionKeywords(_ connection: String) -> [String: String] {
    var words: [String: String] = [:]
    for pair in connection.split(separator: " ") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        if parts.count == 2 { words[String(parts[0])] = String(parts[1]) }
    }
    return words
}

/// The repository's `migrations/`.
package let migrationsFolder = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../migrations").standardizedFileURL.path(percentEncoded: false)

/// The release that tests migrate as.
package let testRelease = Release(0, 2, 0)

private func randomName(_ kind: String) -> String {
    "test_\(kind)_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
}

/// The PostgreSQL server that `script/test` starts for the tests.
private final class TestServer: Sendable {
    static let shared = Result { try TestServer() }

    /// A superuser's connection: `key=value` or a URI.
    private let connection: String
    private let loop: EventLoop
    private let administration: Database
    /// Keeps the tests that run at once within the server's `max_connections`.
    private let gate = Gate(places: 16)
    /// The name of a migrated database without sessions. It stays: the server ends with the tests.
    let template: Task<String, any Error>

    private init() throws {
        guard let connection = ProcessInfo.processInfo.environment["PICS_TEST_DATABASE_URL"], !connection.isEmpty else {
            throw MissingTestServer()
        }
        self.connection = connection
        loop = try EventLoop(name: "test-database")
        var settings = DatabaseSettings(connection: connection)
        settings.connectionsPerLoop = 2
        settings.waitLimit = .seconds(60)
        let (administration, loop) = (Database(settings, loops: [self.loop], logger: .silent), self.loop)
        self.administration = administration
        template = Task {
            let name = randomName("template")
            try await administration.execute(Query("create_template", "CREATE DATABASE \(name)"))
            let database = Database(Self.settings(connection, database: name), loops: [loop], logger: .silent)
            do {
                _ = try await Migrations.load(migrationsFolder).apply(to: database, as: testRelease)
            } catch {
                await database.close()
                throw error
            }
            await database.close()
            return name
        }
    }

    /// Settings for the server's own database or another one of it.
    func settings(database: String? = nil) -> DatabaseSettings { Self.settings(connection, database: database) }

    private static func settings(_ connection: String, database: String?) -> DatabaseSettings {
        var address = connection
        if let database {
            let isURI = connection.contains("://")
            address += isURI ? (connection.contains("?") ? "&" : "?") : " "
            address += "dbname=\(database)"
        }
        var settings = DatabaseSettings(connection: address)
        settings.connectionsPerLoop = 2
        settings.waitLimit = .seconds(60)
        return settings
    }

    func lend<Value>(create: String, drop: String, _ body: () async throws -> Value) async throws -> Value {
        await gate.enter()
        do {
            // A statement's name is prepared once per connection, so each text here needs its own.
            try await administration.execute(Query("create_\(UUID())", create))
            let value: Value
            do {
                value = try await body()
            } catch {
                try await administration.execute(Query("drop_\(UUID())", drop))
                throw error
            }
            try await administration.execute(Query("drop_\(UUID())", drop))
            await gate.leave()
            return value
        } catch {
            await gate.leave()
            throw error
        }
    }

    func use<Value>(
        _ settings: DatabaseSettings, logger: Logger, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        let database = Database(settings, loops: [loop], logger: logger)
        do {
            let value = try await body(database)
            await database.close()
            return value
        } catch {
            await database.close()
            throw error
        }
    }
}

/// Says what to do when there is no server to test with.
private struct MissingTestServer: Error, CustomStringConvertible {
    let description = "PICS_TEST_DATABASE_URL is not set: run script/test"
}

/// Lets a number of callers in at once; the others wait in their order.
private actor Gate {
    private var free: Int
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(places: Int) { free = places }

    func enter() async {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiters.append($0) } }
    }

    func leave() {
        if waiters.isEmpty { free += 1 } else { waiters.removeFirst().resume() }
    }
}
