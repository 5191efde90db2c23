import EventLoops
import FoundationEssentials
import Logging
import Postgres
import PostgresCluster
import Settings
import Store

/// The database of a Pics, with the PostgreSQL that it may have of its own: opened once, closed once.
struct OpenDatabase: Sendable {
    let cluster: Cluster?
    let database: Database
    let store: PicsStore

    /// How a command treats migrations that the database lacks.
    enum Schema {
        /// They are applied: `pics serve`, `pics work` and `pics migrate`.
        case migrated
        /// They are told: every other command.
        case checked
        /// Nobody looks: a restored backup brings a schema of its own.
        case untouched
    }

    /// Opens it, with the private PostgreSQL if no other is named.
    static func open(
        _ configuration: Configuration, name: String, folder: DataFolder, loops: [EventLoop],
        reserved: [EventLoop] = [], logger: Logger, schema: Schema
    ) async throws -> OpenDatabase {
        let (cluster, connection) = try await server(configuration, folder, logger)
        var settings = DatabaseSettings(connection: connection)
        settings.directConnection = cluster == nil ? configuration[PicsSettings.databaseDirectURL] : nil
        settings.applicationName = name
        settings.connectionsPerLoop = configuration[PicsSettings.databaseConnections]
        if let cluster {
            // The private PostgreSQL takes 64; some are left for other commands.
            settings.connectionsPerLoop = max(1, min(settings.connectionsPerLoop, 48 / loops.count))
            settings.beforeConnect = { _ = try await cluster.ensureRunning() }
        }
        let database = Database(settings, loops: loops, reserved: reserved, logger: logger)
        let replica = configuration[PicsSettings.databaseReplicaURL].map { address in
            var settings = settings
            (settings.connection, settings.directConnection, settings.beforeConnect) = (address, nil, nil)
            // Whoever waits for it could have been answered by the primary.
            settings.waitLimit = .seconds(1)
            settings.connectLimit = .seconds(2)
            return Replica(
                Database(settings, loops: loops, logger: logger), mostLag: configuration[PicsSettings.replicaLag])
        }
        let opened = OpenDatabase(
            cluster: cluster, database: database, store: PicsStore(database: database, replica: replica))
        do {
            try await opened.ready(schema, try migrations(configuration))
        } catch {
            await opened.close()
            throw error
        }
        return opened
    }

    private func ready(_ schema: Schema, _ migrations: Migrations) async throws {
        let release = try Self.release()
        switch schema {
        case .untouched: break
        case .migrated: _ = try await migrations.apply(to: database, as: release)
        case .checked:
            do {
                try await migrations.check(database, as: release)
            } catch .behind(let first, let count) {
                throw CommandFailure(
                    "The database is not up to date: \(MigrationError.behind(first: first, count: count)). "
                        + "Run `pics migrate`, or start `pics serve` or `pics work`, which do it too.")
            }
        }
    }

    /// Closes it; the private PostgreSQL stops with it if this process started it.
    func close() async {
        await store.replica?.database.close()
        await database.close()
        await cluster?.stop()
    }

    /// Opens the database for a command that needs nothing else, does `body`, and closes it whatever happened.
    static func with<Value>(
        _ configuration: Configuration, name: String, for purpose: Purpose = .database, schema: Schema = .checked,
        _ body: (PicsStore) async throws -> Value
    ) async throws -> Value {
        let folder = DataFolder(configuration)
        try folder.prepare(for: purpose, configuration)
        let opened = try await open(
            configuration, name: name, folder: folder, loops: [EventLoop(name: "work")], logger: Logger(configuration),
            schema: schema)
        do {
            let value = try await body(opened.store)
            await opened.close()
            return value
        } catch {
            await opened.close()
            throw error
        }
    }

    private static func server(
        _ configuration: Configuration, _ folder: DataFolder, _ logger: Logger
    ) async throws -> (Cluster?, String) {
        if let url = configuration[PicsSettings.databaseURL] { return (nil, url) }
        let cluster = Cluster(
            dataFolder: folder.path, inherited: Inheritance.current.cluster, logger: logger)
        return (cluster, try await cluster.ensureRunning().conninfo)
    }

    /// The program's.
    static func release() throws -> Release {
        guard let release = Release(version) else { throw CommandFailure("\(version) is no release.") }
        return release
    }

    static func migrations(_ configuration: Configuration) throws -> Migrations {
        try Migrations.load(try migrationsFolder(configuration))
    }

    /// The folder that is named, or `migrations` beside the program, above it, or here.
    private static func migrationsFolder(_ configuration: Configuration) throws -> String {
        if let named = configuration[PicsSettings.migrationsDir] { return named.text }
        var candidates = ["\(FileManager.default.currentDirectoryPath)/migrations"]
        var folder = URL(filePath: Program.path).deletingLastPathComponent()
        for _ in 0..<5 {
            candidates.append(folder.appending(path: "share/pics/migrations").path)
            candidates.append(folder.appending(path: "migrations").path)
            folder.deleteLastPathComponent()
        }
        let found = candidates.first { FileManager.default.fileExists(atPath: "\($0)/0001_create_photos.sql") }
        guard let found else {
            throw CommandFailure("The migrations are not found; name their folder in migrations_dir.")
        }
        return found
    }
}
