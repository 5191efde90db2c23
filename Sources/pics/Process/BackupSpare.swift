import Backups
import Blobs
import Crypto
import Logging
import Settings
import System

/// Whole copies of stored files, from the backups of the settings.
final class BackupSpare: Sendable {
    private let runtime: Runtime
    /// Opening one derives its key, which takes a while.
    private let opened = Lock<BackupPlace?>(nil)

    /// Nil where the settings name no place for backups.
    init?(_ runtime: Runtime) {
        guard runtime.configuration[PicsSettings.backupTo] != nil else { return nil }
        self.runtime = runtime
    }

    /// Writes a stored file to a new one at `path`; false when no backup has it whole, or none can be read now.
    func copy(_ digest: SHA256Digest, to path: String) async -> Bool {
        do {
            return try await place()?.copy(digest, to: path) ?? false
        } catch {
            runtime.logger.warning(
                "the backups could not be asked for a file", ["file": digest, "error": logText(of: error)])
            return false
        }
    }

    private func place() async throws -> BackupPlace? {
        if let place = opened.withLock(\.self) { return place }
        let files = try PicsSettings.backupFiles(nil, runtime.configuration, threads: runtime.threads)
        let place = try await BackupPlace.open(
            files, passphrase: runtime.configuration[PicsSettings.backupPassphrase].map(Secret.init),
            threads: runtime.threads, scratch: runtime.folder.copies)
        opened.withLock { $0 = place }
        return place
    }
}

extension Runtime {
    /// Further copies of stored files, where there are any.
    var spare: BlobStore.Spare? {
        BackupSpare(self).map { spare in { @Sendable digest, path in await spare.copy(digest, to: path) } }
    }
}
