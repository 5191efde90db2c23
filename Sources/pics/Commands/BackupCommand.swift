import Backups
import Blobs
import Crypto
import EventLoops
import FoundationEssentials
import Logging
import Postgres
import PostgresCluster
import Settings
import Store
internal import System
import System

/// `pics backup`: makes, lists and proves backups.
enum BackupCommand: Command {
    static let name = "backup"
    static let summary = "Makes, lists and verifies backups."
    static let help = """
        pics backup [PLACE]                      makes a backup while Pics runs
        pics backup list [PLACE]                 lists the backups
        pics backup verify [PLACE] [--at ID]     proves the newest backup, or the one of that name

        PLACE is a folder or s3://BUCKET/FOLDER; without it, the one of backup_to. A backup is one state of the database and the files that it
        names; files that an earlier backup has copied are not copied again. backup_every, backup_days, backup_weeks and backup_months tell how
        often a running Pics makes one and how many are kept; backup_passphrase encrypts them. secret.key is in them only with
        `--backup-with-key true`: keep a copy of it elsewhere otherwise.
        verify reads and compares every file, and restores the database into a PostgreSQL of its own, which it removes again.
        Exit status: 0 when the backup is whole, else 1. `pics restore` brings one back.
        """
    static let options: Set<String> = ["at"]
    static let wordLimit = 2

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        switch arguments.words.first {
        case "list": return try await list(arguments.words.dropFirst().first, configuration)
        case "verify":
            return try await verify(arguments.words.dropFirst().first, arguments["at"], configuration)
        case let place:
            if arguments.words.count > 1 { throw UsageError.tooMany(arguments.words[1], after: "backup") }
            return try await make(place, configuration)
        }
    }

    private static func make(_ place: String?, _ configuration: Configuration) async throws -> Int32 {
        try await Runtime.with(
            configuration, name: "pics backup", for: .photos, logger: logger(configuration)
        ) { runtime in
            let shown = Progress()
            let maker = BackupMaker(runtime: runtime, blobs: try await runtime.openBlobs())
            let result = try await maker.make(at: place) { done in
                shown.show(done.files, of: done.allFiles, "files, \(done.copied) copied")
            }
            guard let result else {
                throw CommandFailure("Another backup is being made. `pics doctor` says when the last one was.")
            }
            let manifest = result.manifest
            Terminal.say(
                "backup \(manifest.id): \(count(manifest.rows(of: "photos"), "photo")), \(count(manifest.files, "file")), "
                    + "\(result.progress.copied) of them copied (\(FileSize.text(result.progress.copiedBytes)))")
            if !manifest.hasKey {
                Terminal.say(
                    "secret.key is not in it: keep a copy of \(runtime.folder.keyPath(configuration)) elsewhere.")
            }
            for id in result.thinned { Terminal.say("removed the old backup \(id)") }
            for digest in manifest.faulty { Terminal.complain("missing or damaged here, not in the backup: \(digest)") }
            return manifest.faulty.isEmpty ? 0 : 1
        }
    }

    private static func list(_ place: String?, _ configuration: Configuration) async throws -> Int32 {
        try await withPlace(place, configuration) { place in
            for id in try await place.backups() {
                let manifest = try await place.manifest(id)
                Terminal.say(
                    "\(id)  Pics \(manifest.release)  \(count(manifest.rows(of: "photos"), "photo"))  "
                        + "\(count(manifest.files, "file"))  \(FileSize.text(manifest.bytes))"
                        + (manifest.hasKey ? "  with key" : ""))
            }
            return 0
        }
    }

    private static func verify(_ place: String?, _ id: String?, _ configuration: Configuration) async throws -> Int32 {
        try await withPlace(place, configuration) { place in
            let backup = StoredBackup(try await place.manifest(id), at: place)
            let manifest = backup.manifest
            Terminal.say("backup \(manifest.id) of Pics \(manifest.release)")
            let shown = Progress()
            let files = try await backup.readFiles(into: nil) { done in
                shown.show(done.files, of: done.allFiles, "files compared")
            }
            for digest in files.damaged { Terminal.complain("missing or damaged: \(digest)") }
            for digest in manifest.faulty {
                Terminal.say("missing or damaged already when the backup was made: \(digest)")
            }
            Terminal.say("\(files.files - files.damaged.count) of \(files.allFiles) files are whole")
            let state = try await restoredState(of: backup, configuration)
            Terminal.say(
                "the database is whole: \(sentence(state))")
            let key = try await key(of: backup, configuration)
            Terminal.say(key.sentence)
            Terminal.say(
                "\(count(manifest.settings.count, "setting")): \(manifest.settings.keys.sorted().joined(separator: ", "))"
            )
            let isWhole = files.damaged.isEmpty && state.photosWithoutFile == 0 && key.isThere
            if state.photosWithoutFile > 0 { Terminal.complain("\(state.photosWithoutFile) photos have no file") }
            Terminal.say(isWhole ? "The backup is whole." : "The backup is not whole.")
            return isWhole ? 0 : 1
        }
    }

    /// Restores the database of a backup into a PostgreSQL that lives as long as this call.
    private static func restoredState(
        of backup: StoredBackup, _ configuration: Configuration
    ) async throws -> RestoredState {
        let folder = newFolder("verify")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let logger = logger(configuration)
        let cluster = Cluster(dataFolder: folder, logger: logger)
        let loop = try EventLoop(name: "verify")
        defer { loop.stop() }
        var settings = DatabaseSettings(connection: try await cluster.ensureRunning().conninfo)
        settings.connectionsPerLoop = 1
        let database = Database(settings, loops: [loop], logger: logger)
        do {
            let store = PicsStore(database: database)
            try await backup.restore(
                into: store, try OpenDatabase.migrations(configuration), as: try OpenDatabase.release())
            let state = try await store.restoredState()
            await database.close()
            await cluster.stop()
            return state
        } catch {
            await database.close()
            await cluster.stop()
            throw error
        }
    }

    private static func key(
        of backup: StoredBackup, _ configuration: Configuration
    ) async throws -> (isThere: Bool, sentence: String) {
        guard let id = backup.manifest.sealingKey, let bytes = Hex.decode(id) else {
            return (true, "the database belongs to no key yet")
        }
        if backup.manifest.hasKey {
            let isThere = try await backup.keyFile().map { KeyFile.holds(bytes, in: $0) } ?? false
            return (isThere, isThere ? "its key \(id) is in it" : "the key that is in it is not \(id)")
        }
        let path = DataFolder(configuration).keyPath(configuration)
        let isThere = try KeyFile.load(path)?.holds(bytes) ?? false
        return (
            isThere,
            isThere
                ? "its key \(id) is not in it, and is in \(path): keep a copy of that file elsewhere"
                : "its key \(id) is not in it, and not in \(path)"
        )
    }

    /// Opens a place that has backups, for commands that change nothing.
    static func withPlace<Value>(
        _ named: String?, _ configuration: Configuration, _ body: (BackupPlace) async throws -> Value
    ) async throws -> Value {
        let threads = BlockingThreads(name: "backup", count: 8)
        defer { threads.stop() }
        let files = try PicsSettings.backupFiles(named, configuration, threads: threads)
        let scratch = newFolder("backup")
        try FileManager.default.createDirectory(
            atPath: scratch, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        let place = try await BackupPlace.open(
            files, passphrase: configuration[PicsSettings.backupPassphrase].map(Secret.init), threads: threads,
            scratch: scratch)
        guard let place else { throw BackupError.notFound(files.shown) }
        return try await body(place)
    }

    /// The path of a folder for temporary files that nobody has made yet.
    private static func newFolder(_ purpose: String) -> String {
        FileManager.default.temporaryDirectory.path(percentEncoded: false)
            + "pics-\(purpose)-\(UUID().uuidString.prefix(8))"
    }

    /// Such as `1 photo`, `2 photos`.
    static func count(_ number: some BinaryInteger, _ thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }

    /// Tells of trouble alone, unless the settings want to hear more: what these commands do, they say.
    static func logger(_ configuration: Configuration) -> Logger {
        let isChosen = configuration.source(of: PicsSettings.logLevel) != .standard
        return Logger(
            threshold: isChosen ? configuration[PicsSettings.logLevel] : .warning,
            format: configuration[PicsSettings.logFormat])
    }

    /// The words about a database.
    static func sentence(_ state: RestoredState) -> String {
        [
            count(state.photos, "photo"), count(state.shortLinks, "short link"), count(state.likes, "like"),
            count(state.accounts, "account"), count(state.users, "user"),
        ].joined(separator: ", ")
    }

    /// Lines about long work: one for each tenth of it.
    final class Progress: Sendable {
        private let tenths = Lock(0)

        func show(_ done: Int, of all: Int, _ what: String) {
            let now = all > 0 ? done * 10 / all : 10
            let isNew = tenths.withLock { tenths in
                guard now > tenths else { return false }
                tenths = now
                return true
            }
            if isNew { Terminal.say("\(now * 10)%: \(done) \(what)") }
        }
    }
}
