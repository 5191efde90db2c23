import Actions
import Backups
import Blobs
import Crypto
import EventLoops
import FoundationEssentials
import Logging
import Postgres
import Settings
import Store
import System

/// Makes backups of a running Pics, one at a time however many processes it has, and thins the old ones.
struct BackupMaker: Sendable {
    let runtime: Runtime
    let blobs: BlobStore

    struct Result {
        let manifest: BackupManifest
        let progress: Backup.Progress
        let thinned: [String]
    }

    /// Makes one.
    ///
    /// - Parameters:
    ///   - named: The place; nil is that of the settings.
    ///   - every: Nil makes one now; else only when the last was begun so long ago.
    ///   - progress: Told after each few files.
    /// - Returns: Nil when it is not due, or another is being made.
    /// - Throws: Why there is none; it is in the database, too.
    func make(
        at named: String? = nil, every: Duration? = nil,
        _ progress: @Sendable (Backup.Progress) async -> Void = { _ in }
    ) async throws -> Result? {
        let (configuration, store) = (runtime.configuration, runtime.store)
        let files = try PicsSettings.backupFiles(named, configuration, threads: runtime.threads)
        var moment = Date()
        var isBegun = try await store.beginBackup(BackupManifest.id(of: moment), at: files.shown, every: every)
        if !isBegun, every == nil {
            // Another of this very second has its name.
            try await runtime.workLoop.sleep(for: .seconds(1))
            moment = Date()
            isBegun = try await store.beginBackup(BackupManifest.id(of: moment), at: files.shown)
        }
        guard isBegun else { return nil }
        let id = BackupManifest.id(of: moment)
        do {
            let place = try await BackupPlace.begin(
                files, for: try await store.installation(),
                passphrase: configuration[PicsSettings.backupPassphrase].map(Secret.init), threads: runtime.threads,
                scratch: runtime.folder.copies)
            let noted = Lock(moment)
            let begun = moment
            let backup = Backup(
                to: place, of: store, at: runtime.database.settings, blobs, release: version,
                settings: configuration.chosen, keyFile: try await keyFile())
            let (manifest, done) = try await backup.make(at: begun) { done in
                await progress(done)
                // A process that is killed says no more, and another begins a few minutes later.
                let isDue = noted.withLock { last in
                    guard last.timeIntervalSinceNow < -20 else { return false }
                    last = Date()
                    return true
                }
                if isDue { await note(id, done) }
            }
            await note(id, done)
            // No other begins meanwhile, whose files would be taken for unused.
            let thinned = await thin(place, at: begun) { await note(id, done) }
            try await store.endBackup(id, problem: nil, faulty: manifest.faulty.count)
            return Result(manifest: manifest, progress: done, thinned: thinned)
        } catch {
            // Also when the task was cancelled.
            let problem = logText(of: error)
            await Task { await noteEnd(id, problem) }.value
            throw error
        }
    }

    /// One that is due by the settings; a failure is in the log, the database and the doctor's findings.
    var tasks: [PeriodicTask] {
        let (configuration, every) = (runtime.configuration, runtime.configuration[PicsSettings.backupEvery])
        guard configuration[PicsSettings.backupTo] != nil, every > .zero else { return [] }
        return [
            PeriodicTask("make-backup", every: .seconds(60), atStart: true) {
                guard let result = try await make(every: every) else { return }
                runtime.logger.notice(
                    "backup made",
                    [
                        "backup": result.manifest.id, "files": result.manifest.files, "copied": result.progress.copied,
                        "bytes": result.progress.copiedBytes, "faulty": result.manifest.faulty.count,
                    ])
            }
        ]
    }

    /// Removes old backups; one that cannot be read leaves all of them there.
    private func thin(
        _ place: BackupPlace, at moment: Date, _ goesOn: @Sendable () async -> Void
    ) async -> [String] {
        do {
            let schedule = PicsSettings.backupSchedule(runtime.configuration)
            return try await place.thin(schedule, at: moment, goesOn)
        } catch {
            runtime.logger.warning("old backups not removed", ["error": logText(of: error)])
            return []
        }
    }

    private func keyFile() async throws -> [UInt8]? {
        guard runtime.configuration[PicsSettings.backupWithKey] else { return nil }
        let path = runtime.folder.keyPath(runtime.configuration)
        return try await runtime.threads.run { [UInt8](try Data(contentsOf: URL(filePath: path))) }
    }

    private func note(_ id: String, _ done: Backup.Progress) async {
        do {
            try await runtime.store.noteBackup(id, files: done.files, bytes: done.copiedBytes)
        } catch {
            runtime.logger.warning("progress of the backup not written", ["error": logText(of: error)])
        }
    }

    private func noteEnd(_ id: String, _ problem: String) async {
        do {
            try await runtime.store.endBackup(id, problem: problem)
        } catch {
            runtime.logger.warning("end of the backup not written", ["error": logText(of: error)])
        }
    }
}
