package import Blobs
internal import Crypto
internal import Domain
internal import EventLoops
package import FoundationEssentials
package import Postgres
package import Store
internal import Synchronization

/// One backup in the making: the database as it is at one moment, and the files that it names.
package struct Backup: Sendable {
    /// How far it is; also how it ended.
    package struct Progress: Sendable, Equatable {
        package internal(set) var files = 0
        package internal(set) var allFiles = 0
        /// Files that were not there from an earlier backup, and their bytes.
        package internal(set) var copied = 0
        package internal(set) var copiedBytes: Int64 = 0
    }

    /// Files on their way at once.
    private static let atOnce = 4

    private let place: BackupPlace
    private let store: PicsStore
    private let database: DatabaseSettings
    private let blobs: BlobStore
    private let release: String
    private let settings: [String: String]
    /// The content of the file of sealing keys, if it is to be in the backup.
    private let keyFile: [UInt8]?

    /// - Parameters:
    ///   - place: Where it is put.
    ///   - store: The database, which may be in use.
    ///   - database: How it is reached.
    ///   - blobs: The files.
    ///   - release: The program's.
    ///   - settings: Those that are no secrets, for whoever sets the restored Pics up.
    ///   - keyFile: The content of the file of sealing keys; nil leaves it out.
    package init(
        to place: BackupPlace, of store: PicsStore, at database: DatabaseSettings, _ blobs: BlobStore, release: String,
        settings: [String: String],
        keyFile: [UInt8]?
    ) {
        (self.place, self.store, self.database, self.blobs) = (place, store, database, blobs)
        (self.release, self.settings, self.keyFile) = (release, settings, keyFile)
    }

    /// Makes it. What an interrupted one has copied is not copied again.
    ///
    /// - Parameters:
    ///   - moment: Now; the backup is named by it.
    ///   - progress: Told after each few files.
    /// - Returns: The manifest, and what was copied.
    /// - Throws: `BackupError`, `BlobError`, `PostgresError`, `CancellationError`. No backup is there then.
    package func make(
        at moment: Date, _ progress: @Sendable (Progress) async -> Void
    ) async throws -> (BackupManifest, Progress) {
        let id = BackupManifest.id(of: moment)
        var manifest = BackupManifest(
            id: id, madeAt: moment, release: release, hasKey: keyFile != nil, settings: settings)
        let list = place.newPath()
        let result = try await place.threads.removing([list]) { () async throws in
            try await dump(into: &manifest, files: list)
            if let keyFile { try await place.put(keyFile, as: "\(BackupManifest.folder(id))secret.key") }
            let result = try await copyFiles(of: list, &manifest, progress)
            try await place.put(fileAt: list, as: "\(BackupManifest.folder(id))files.gz")
            return result
        }
        // What makes it a backup comes last.
        try await place.put(try manifest.serialized(), as: BackupManifest.name(id))
        return (manifest, result)
    }

    private func dump(into manifest: inout BackupManifest, files list: String) async throws {
        let begun = manifest
        manifest = try await place.withFolder { folder in
            var (manifest, tables) = try await dump(begun, in: folder, files: list)
            for (table, path) in tables {
                try Task.checkCancellation()
                try await place.put(fileAt: path, as: table.file(in: manifest.id))
                manifest.tables.append(table)
            }
            return manifest
        }
    }

    /// Writes the tables into a folder.
    private func dump(
        _ begun: BackupManifest, in folder: String, files list: String
    ) async throws -> (BackupManifest, [(BackupManifest.Table, String)]) {
        let database = database
        try await database.beforeConnect?()
        let isCancelled = Flag()
        return try await withTaskCancellationHandler {
            try await place.threads.run { () throws in
                var manifest = begun
                var tables: [(BackupManifest.Table, String)] = []
                let dump = try DatabaseDump(database) { isCancelled.isSet }
                try dump.describe(&manifest)
                try dump.eachTable(in: folder) { tables.append(($0, $1)) }
                (manifest.files, manifest.bytes) = try dump.writeFiles(to: list)
                manifest.filesSHA256 = try NamedFiles.hash(fileAt: list).0.hex
                return (manifest, tables)
            }
        } onCancel: {
            isCancelled.set()
        }
    }

    /// Copies the files that the place lacks.
    private func copyFiles(
        of list: String, _ manifest: inout BackupManifest, _ progress: @Sendable (Progress) async -> Void
    ) async throws -> Progress {
        var done = Progress()
        done.allFiles = manifest.files
        let lines = try await ListedFiles.open(list, threads: place.threads)
        var shard: (byte: UInt8, names: Set<String>)?
        while case let group = try await lines.next(64), !group.isEmpty {
            try Task.checkCancellation()
            var lacking: [SHA256Digest] = []
            for digest in group {
                if shard?.byte != digest.bytes[0] {
                    let names = try await place.files.list(BackupPlace.shard(digest.bytes[0])).map(\.name)
                    shard = (digest.bytes[0], Set(names))
                }
                if shard?.names.contains(place.name(ofBlob: digest)) != true { lacking.append(digest) }
            }
            for (digest, bytes) in try await copy(lacking) {
                if let bytes {
                    done.copied += 1
                    done.copiedBytes += bytes
                } else if try await !store.knownBlobs(among: [BlobID(digest)]).isEmpty {
                    manifest.faulty.append(digest.hex)
                }
            }
            done.files += group.count
            await progress(done)
        }
        return done
    }

    /// Copies files, each compared with its digest; nil bytes: it is missing or damaged, or was deleted meanwhile.
    private func copy(_ digests: [SHA256Digest]) async throws -> [(SHA256Digest, Int64?)] {
        try await digests.concurrentMap(atMost: Self.atOnce) { ($0, try await copy($0)) }
    }

    private func copy(_ digest: SHA256Digest) async throws -> Int64? {
        do {
            guard let bucket = blobs.bucket, blobs.place == .bucket else {
                return try await put(try await blobs.checkedPath(of: digest), digest)
            }
            // Past the copies, which others use.
            let path = place.newPath()
            return try await place.threads.removing([path]) { () async throws in
                try await bucket.get(digest, to: path)
                return try await put(path, digest)
            }
        } catch let error as BlobError {
            guard BlobFault(error) != nil else { throw error }
            return nil
        }
    }

    private func put(_ path: String, _ digest: SHA256Digest) async throws -> Int64 {
        try await place.put(fileAt: path, as: place.name(ofBlob: digest))
        return try await blobs.bytes(ofFileAt: path)
    }
}

/// Set once, from any thread.
private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
