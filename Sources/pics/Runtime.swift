import Blobs
import Crypto
import Curl
import Domain
import EventLoops
import Foundation
import HTTP
import Logging
import Media
import Postgres
import PostgresCluster
import Settings
import Store
import Submitters

/// What every command that touches data works with: opened once, closed once.
struct Runtime: Sendable {
    let configuration: Configuration
    let logger: Logger
    let folder: DataFolder
    /// For clients; at least one.
    let loops: [EventLoop]
    /// For the queue and outgoing requests.
    let workLoop: EventLoop
    let threads: BlockingThreads
    let cluster: PostgresCluster?
    let database: Database
    let store: Store
    let keys: KeyRing
    let registry: Registry
    let transport: CurlTransport

    /// Opens everything, with the private PostgreSQL if no other is named, and applies pending migrations.
    static func open(_ configuration: Configuration, name: String) async throws -> Runtime {
        let logger = Logger(
            threshold: configuration[PicsSettings.logLevel], format: configuration[PicsSettings.logFormat])
        let folder = try DataFolder(configuration)
        let count = configuration[PicsSettings.eventLoops]
        let loops = try (0..<(count > 0 ? count : ProcessInfo.processInfo.activeProcessorCount)).map {
            try EventLoop(name: "loop-\($0)")
        }
        let workLoop = try EventLoop(name: "work")
        let threads = BlockingThreads(name: "disk", count: 4)
        let (cluster, connection) = try await server(configuration, folder, logger)
        var settings = DatabaseSettings(connection: connection)
        settings.applicationName = name
        settings.connectionsPerLoop = configuration[PicsSettings.databaseConnections]
        if cluster != nil {
            // The private PostgreSQL takes 64; some are left for other commands.
            settings.connectionsPerLoop = max(1, min(settings.connectionsPerLoop, 48 / (loops.count + 1)))
        }
        if let cluster { settings.beforeConnect = { _ = try await cluster.ensureRunning() } }
        let database = Database(settings, loops: loops + [workLoop], logger: logger)
        do {
            _ = try await Migrations.load(try migrationsFolder(configuration)).apply(to: database)
            return Runtime(
                configuration: configuration, logger: logger, folder: folder, loops: loops, workLoop: workLoop,
                threads: threads, cluster: cluster, database: database, store: Store(database: database),
                keys: try await keys(configuration, folder, Store(database: database)),
                registry: registry(configuration, folder: folder, threads: threads),
                transport: try CurlTransport(on: workLoop, options: CurlOptions(userAgent: "Pics/\(version)")))
        } catch {
            await database.close()
            await cluster?.stop()
            throw error
        }
    }

    /// The key that seals credentials. A new one is made only where nothing is sealed yet: with another key no account
    /// could be used.
    private static func keys(
        _ configuration: Configuration, _ folder: DataFolder, _ store: Store
    ) async throws -> KeyRing {
        let path = configuration[PicsSettings.secretKey]?.text ?? folder.key
        if let keys = try KeyFile.load(path) { return keys }
        guard try await store.hasConnections() == false else {
            throw CommandFailure(
                "There is no key at \(path), and the database holds credentials that were sealed with one. "
                    + "Put that key there, or name it in secret_key_file.")
        }
        return try KeyFile.loadOrCreate(path)
    }

    /// The services, as the settings allow them.
    static func registry(_ configuration: Configuration, folder: DataFolder, threads: BlockingThreads) -> Registry {
        .standard(
            SubmitterConfiguration(
                archive: configuration[PicsSettings.archiveDir]?.text ?? "\(folder.path)/archive", threads: threads,
                servers: configuration[PicsSettings.privateServers] ? .any : .publicOnly))
    }

    private static func server(
        _ configuration: Configuration, _ folder: DataFolder, _ logger: Logger
    ) async throws -> (PostgresCluster?, String) {
        if let url = configuration[PicsSettings.databaseURL] { return (nil, url) }
        let cluster = PostgresCluster(dataFolder: folder.path, logger: logger)
        return (cluster, try await cluster.ensureRunning().conninfo)
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

    func openBlobs() throws -> BlobStore { try BlobStore(folder: folder.blobs, threads: threads) }

    func openMedia() -> MediaPool {
        let program =
            configuration[PicsSettings.mediaProgram]?.text
            ?? URL(filePath: Program.path).deletingLastPathComponent().appending(path: "pics-media").path
        return MediaPool(
            MediaPool.Configuration(
                program: program, children: configuration[PicsSettings.mediaChildren],
                deadline: configuration[PicsSettings.mediaTime],
                limits: MediaLimits(memoryBytes: configuration[PicsSettings.mediaMemory].bytes)),
            logger: logger)
    }

    /// Closes what was opened; the private PostgreSQL stops with it if this process started it.
    func close() async {
        await database.close()
        await cluster?.stop()
        threads.stop()
    }

    /// Opens everything, does `body`, and closes whatever happened.
    static func with<Value>(
        _ configuration: Configuration, name: String, _ body: (Runtime) async throws -> Value
    ) async throws -> Value {
        let runtime = try await open(configuration, name: name)
        do {
            let value = try await body(runtime)
            await runtime.close()
            return value
        } catch {
            await runtime.close()
            throw error
        }
    }
}

/// The running program.
enum Program {
    /// Its file, links resolved.
    static let path: String = {
        let link = "/proc/self/exe"
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? CommandLine.arguments[0]
    }()
}
