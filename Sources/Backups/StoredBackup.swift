package import Blobs
internal import Crypto
internal import EventLoops
internal import FoundationEssentials
package import Postgres
package import Store
internal import System

/// A finished backup: read, proven, and brought back.
package struct StoredBackup: Sendable {
    package let place: BackupPlace
    package let manifest: BackupManifest

    /// How far reading its files is.
    package struct Progress: Sendable, Equatable {
        package internal(set) var files = 0
        package internal(set) var allFiles = 0
        package internal(set) var bytes: Int64 = 0
        /// Digests of files that the backup lacks, or has other bytes of.
        package internal(set) var damaged: [String] = []
    }

    private static let atOnce = 4

    package init(_ manifest: BackupManifest, at place: BackupPlace) {
        self.manifest = manifest
        self.place = place
    }

    /// The content of the file of sealing keys; nil when it was left out.
    package func keyFile() async throws -> [UInt8]? {
        manifest.hasKey ? try await place.bytes(of: "\(BackupManifest.folder(manifest.id))secret.key") : nil
    }

    /// Reads all files, compares each with its digest, and puts those in `blobs`, if there is one, that it lacks.
    ///
    /// - Returns: What was read; files that were faulty already when the backup was made are none of its own.
    /// - Throws: `BackupError`, `BlobError`.
    package func readFiles(
        into blobs: BlobStore?, _ progress: @Sendable (Progress) async -> Void
    ) async throws -> Progress {
        let list = place.newPath()
        return try await place.threads.removing([list]) { () async throws in
            let name = "\(BackupManifest.folder(manifest.id))files.gz"
            guard try await place.get(name, to: list)?.hex == manifest.filesSHA256 else {
                throw BackupError.damaged(name)
            }
            var done = Progress()
            done.allFiles = manifest.files
            let faulty = Set(manifest.faulty)
            let lines = try await ListedFiles.open(list, threads: place.threads)
            while case let group = try await lines.next(64), !group.isEmpty {
                try Task.checkCancellation()
                for (digest, bytes) in try await read(group, into: blobs) {
                    done.files += 1
                    done.bytes += bytes ?? 0
                    if bytes == nil, !faulty.contains(digest.hex) { done.damaged.append(digest.hex) }
                }
                await progress(done)
            }
            return done
        }
    }

    private func read(
        _ digests: [SHA256Digest], into blobs: BlobStore?
    ) async throws -> [(SHA256Digest, Int64?)] {
        try await digests.concurrentMap(atMost: Self.atOnce) { ($0, try await self.read($0, into: blobs)) }
    }

    /// The size of a file; nil when the backup lacks it or has other bytes.
    private func read(_ digest: SHA256Digest, into blobs: BlobStore?) async throws -> Int64? {
        if let size = try await blobs?.size(of: digest) { return size }
        let path = place.newPath()
        return try await place.threads.removing([path]) { () async throws in
            do {
                guard try await place.get(place.name(ofBlob: digest), to: path) == digest else { return nil }
            } catch BackupError.damaged {
                return nil
            }
            guard let bytes = await place.threads.run({ FileSize.ofFile(at: path) }) else {
                throw BackupError.file(path)
            }
            if let blobs { _ = try await blobs.put(fileAt: path) }
            return bytes
        }
    }

    /// Fills an empty database: migrations up to the backup's, its rows, and the migrations that came since. Nothing is sent twice from it.
    ///
    /// - Throws: `BackupError.newer` for a backup of a later release, `damaged`, `MigrationError`, what PostgreSQL says.
    package func restore(into store: PicsStore, _ migrations: Migrations, as release: Release) async throws {
        guard migrations.all.count >= manifest.schema else { throw BackupError.newer(release: manifest.release) }
        _ = try await migrations.upTo(manifest.schema).apply(to: store.database, as: release)
        try await load(into: store.database.settings)
        _ = try await migrations.apply(to: store.database, as: release)
    }

    /// Fills an empty database whose schema is that of the backup.
    private func load(into database: DatabaseSettings) async throws {
        let manifest = manifest
        try await place.withFolder { folder in
            for table in manifest.tables {
                let name = table.file(in: manifest.id)
                guard try await place.get(name, to: "\(folder)/\(table.name)")?.hex == table.sha256 else {
                    throw BackupError.damaged(name)
                }
            }
            try await database.beforeConnect?()
            try await place.threads.run { () throws in
                let load = try DatabaseLoad(database)
                for table in manifest.tables { try load.fill(table, from: "\(folder)/\(table.name)") }
                try load.finish(
                    manifest.sequences, then: PicsStore.statementsAfterRestore(from: manifest.madeAt))
            }
        }
    }
}

extension StoredBackup {
    /// Sees that a database can be filled: nobody has used it, and its schema is not newer than the backup's.
    ///
    /// - Throws: `BackupError.notEmpty`, what PostgreSQL says.
    package func demandEmpty(_ database: DatabaseSettings) async throws {
        try await database.beforeConnect?()
        let schema = manifest.schema
        try await place.threads.run { () throws in
            let connection = try BlockingConnection(database)
            guard try connection.rows("SELECT 1 WHERE to_regclass('schema_migrations') IS NOT NULL").first != nil else {
                return
            }
            let newest = try connection.rows("SELECT max(version) FROM schema_migrations").first?[0].flatMap { Int($0) }
            if let newest, newest > schema {
                throw BackupError.notEmpty("The database was migrated by another release than the backup's.")
            }
            guard try connection.rows("SELECT 1 WHERE to_regclass('users') IS NOT NULL").first != nil else { return }
            if let users = try connection.rows("SELECT count(*) FROM users").first?[0].flatMap({ Int($0) }), users > 0 {
                throw BackupError.notEmpty("The database has \(users) user\(users == 1 ? "" : "s") already.")
            }
        }
    }
}
