import Backups
import Blobs
import Crypto
import Domain
import FoundationEssentials
import HTTP
import Jobs
import Logging
import Postgres
import Settings
import Store

/// `pics restore`: brings a backup back.
enum RestoreCommand: Command {
    static let name = "restore"
    static let summary = "Restores a backup into an empty place."
    static let help = """
        pics restore [PLACE] [--at ID] [--without-key]
        pics restore --recovered-to TIME

        Restores the newest backup, or the one of that name, into the data folder and the database of the settings, which must be empty; Pics must
        not run. PLACE is a folder or s3://BUCKET/FOLDER; without it, the one of backup_to. An interrupted restore goes on when it is called again.
        The key file comes from the backup if it is in there; else it must lie at its place in the data folder. With --without-key a new key is made,
        and every account has to be connected again.
        Posts that had not ended when the backup was made may have been sent since: the services are asked first, and where none can say, a person
        decides. Photos that came after the backup are lost.

        With --recovered-to the database is one that PostgreSQL itself has brought back to a moment, such as 2026-11-27T14:05:00Z, from its archive or a
        snapshot. Nothing is copied: posts that had not ended then are looked for first, as above. Call it before Pics starts again.
        """
    static let options: Set<String> = ["at", "recovered-to"]
    static let flags: Set<String> = ["without-key"]
    static let wordLimit = 1

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        if let moment = arguments["recovered-to"] { return try await goOn(from: moment, arguments, configuration) }
        return try await BackupCommand.withPlace(arguments.words.first, configuration) { place in
            let backup = StoredBackup(try await place.manifest(arguments["at"]), at: place)
            return try await restore(backup, configuration, hasNoKey: arguments.flags.contains("without-key"))
        }
    }

    private static func goOn(
        from text: String, _ arguments: Arguments, _ configuration: Configuration
    ) async throws -> Int32 {
        guard arguments.words.isEmpty, arguments["at"] == nil, arguments.flags.isEmpty else {
            throw UsageError("--recovered-to takes neither a place nor other options.")
        }
        guard let moment = Timestamp(text)?.date, moment <= Date() else {
            throw UsageError("--recovered-to must be a moment that is past, such as 2026-11-27T14:05:00Z, not \(text).")
        }
        return try await OpenDatabase.with(configuration, name: "pics restore", schema: .migrated) { store in
            let running = try await store.goOn(from: moment)
            guard running.isEmpty else {
                throw CommandFailure(
                    "\(running.joined(separator: ", ")) is at work on this database, or was within the last minute. Stop it first."
                )
            }
            let state = try await store.restoredState()
            Terminal.say(BackupCommand.sentence(state))
            sayWhatIsLookedFor(state)
            return 0
        }
    }

    private static func sayWhatIsLookedFor(_ state: RestoredState) {
        guard state.postsToLookFor > 0 else { return }
        Terminal.say(
            "\(BackupCommand.count(state.postsToLookFor, "post")) may have been sent since: the services are asked first."
        )
    }

    private static func restore(
        _ backup: StoredBackup, _ configuration: Configuration, hasNoKey: Bool
    ) async throws -> Int32 {
        let manifest = backup.manifest
        Terminal.say("restoring \(manifest.id) of Pics \(manifest.release)")
        let folder = DataFolder(configuration)
        try folder.prepare(for: .beginning, configuration)
        try await placeKey(of: backup, at: folder.keyPath(configuration), hasNoKey: hasNoKey)
        return try await Runtime.with(
            configuration, name: "pics restore", for: .beginning, schema: .untouched,
            logger: BackupCommand.logger(configuration)
        ) { runtime in
            try await backup.demandEmpty(runtime.database.settings)
            let blobs = try runtime.openUnpairedBlobs()
            // What an interrupted restore has brought is of the same installation.
            if let other = try await blobs.installation() {
                guard other == manifest.installation else {
                    throw BackupError.notEmpty("\(blobs.shown) has the files of another Pics.")
                }
            } else if case let count = try await blobs.count(), count > 0 {
                throw BackupError.notEmpty("\(blobs.shown) has \(count) files.")
            }
            if let installation = manifest.installation { try await blobs.setInstallation(installation) }
            let shown = BackupCommand.Progress()
            let files = try await backup.readFiles(into: blobs) { done in
                shown.show(done.files, of: done.allFiles, "files restored")
            }
            // Last, and at once: until then no Pics starts here.
            try await backup.restore(
                into: runtime.store, try OpenDatabase.migrations(configuration), as: try OpenDatabase.release())
            if hasNoKey { try await runtime.store.setSealingKey(runtime.keys.current.id.bytes) }
            for digest in files.damaged + manifest.faulty {
                if let digest = SHA256Digest(hex: digest) {
                    try await runtime.store.setFault(.missing, of: BlobID(digest))
                }
                Terminal.complain("missing or damaged in the backup: \(digest)")
            }
            let state = try await runtime.store.restoredState()
            Terminal.say(
                "restored \(BackupCommand.sentence(state)), "
                    + BackupCommand.count(files.files - files.damaged.count, "file"))
            sayWhatIsLookedFor(state)
            let set = manifest.settings.filter { $0.key != PicsSettings.dataDir.name }
            if !set.isEmpty { Terminal.say("settings of the Pics that was backed up:") }
            for (name, value) in set.sorted(by: { $0.key < $1.key }) { Terminal.say("  \(name) = \(value)".printable) }
            Terminal.say("Start it with `pics serve`.")
            return files.damaged.isEmpty ? 0 : 1
        }
    }

    private static func placeKey(of backup: StoredBackup, at path: String, hasNoKey: Bool) async throws {
        if hasNoKey {
            _ = try KeyFile.loadOrCreate(path)
            return
        }
        guard let id = backup.manifest.sealingKey, let bytes = Hex.decode(id) else {
            _ = try KeyFile.loadOrCreate(path)
            return
        }
        if let keys = try KeyFile.load(path) {
            guard keys.holds(bytes) else { throw BackupError.notEmpty("\(path) has another key than \(id).") }
            return
        }
        guard let content = try await backup.keyFile() else { throw BackupError.noKey(id: id, path: path) }
        try KeyFile.create(path, of: content)
    }
}
