package import Domain
import Postgres

extension PicsStore {
    /// Begins an import that the caller runs itself; its run has the number 1.
    package func beginImport(_ id: ImportID, named name: String, of owner: UserID) async throws(StoreError) {
        try await execute(
            .insertImport(id, owner: owner, name: Self.short(name), state: .running, run: 1),
            audited: AuditEntry(.importStarted, of: owner))
    }

    /// Adds an import of archives that are stored; whoever is first takes it on.
    ///
    /// - Returns: False when the owner has one that has not ended.
    package func addImport(
        _ id: ImportID, named name: String, of archives: [(blob: BlobID, bytes: Int64)], owner: UserID
    ) async throws(StoreError) -> Bool {
        try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                try await transaction.execute(.lockUploads(of: owner))
                guard try await transaction.run(.openImports(of: owner)).first == 0 else { return false }
                for archive in archives {
                    try await transaction.execute(
                        .insertBlob(archive.blob, bytes: archive.bytes, mediaType: "application/zip"))
                }
                try await transaction.execute(
                    .insertImport(id, owner: owner, name: Self.short(name), state: .waiting, run: 0))
                try await transaction.execute(.insertImportArchives(archives.map(\.blob), of: id))
                try await transaction.execute(.audit(AuditEntry(.importStarted, of: owner)))
                return true
            }
        }
    }

    /// Whether the owner has an import of archives that has not ended.
    package func hasOpenImport(of owner: UserID) async throws(StoreError) -> Bool {
        try await one(Query<Int64>.openImports(of: owner)) > 0
    }

    private static func short(_ name: String) -> String {
        let text = String(String.UnicodeScalarView(name.unicodeScalars.filter { $0.value != 0 }.prefix(1000)))
        return text.isEmpty ? "-" : text
    }

    /// Takes on the import that has waited longest, or whose process has said nothing for `silence`.
    package func claimImport(silentFor silence: Duration) async throws(StoreError) -> ClaimedImport? {
        try await first(.claimImport(silentFor: silence))
    }

    /// Notes how far a run is.
    ///
    /// - Returns: False when another run has taken over.
    package func noteImport(
        _ id: ImportID, run: Int, source: ImportSource?, _ counts: ImportCounts
    ) async throws(StoreError) -> Bool {
        try await first(.noteImport(id, run: run, source: source, counts)) ?? false
    }

    /// Forgets the failures of earlier runs, unless another run has taken over.
    package func clearFailures(of id: ImportID, run: Int) async throws(StoreError) {
        try await execute(.clearFailures(of: id, run: run))
    }

    /// Keeps what failed, from `place` on; what is kept there already stays.
    package func add(_ failures: [ImportFailure], from place: Int, of id: ImportID) async throws(StoreError) {
        try await execute(.insertFailures(failures, from: place, of: id))
    }

    /// Ends a run; its archives are needed no longer.
    package func endImport(_ id: ImportID, run: Int, problem: ImportProblem?) async throws(StoreError) {
        try await execute(.endImport(id, run: run, problem: problem))
    }

    /// Lets an import be taken on again after a pause.
    package func releaseImport(_ id: ImportID, run: Int, for pause: Duration) async throws(StoreError) {
        try await execute(.releaseImport(id, run: run, for: pause))
    }

    /// What an item of the owner's has become; nil when it is new, or its photo was deleted.
    package func imported(_ key: [UInt8], of owner: UserID) async throws(StoreError) -> ImportedItem? {
        try await first(.imported(key, of: owner))
    }

    /// Puts a photo of an import that is in no album into one.
    package func fillAlbum(_ album: String, of photo: PhotoID, importedBy id: ImportID) async throws(StoreError) {
        try await execute(.fillAlbum(album, of: photo, importedBy: id))
    }

    /// The owner's newest imports with what failed in them.
    package func imports(
        of owner: UserID, limit: Int, failures: Int
    ) async throws(StoreError) -> [(run: PhotoImport, failures: [ImportFailure])] {
        let imports = try await rows(Query<PhotoImport>.imports(of: owner, limit: limit))
        let failed = try await rows(
            Query<(ImportID, ImportFailure)>.failures(of: imports.map(\.id), owner: owner, limit: failures))
        let byImport = Dictionary(grouping: failed) { $0.0 }
        return imports.map { run in (run, (byImport[run.id] ?? []).map(\.1)) }
    }

    /// Ends runs of commands that have died, and forgets reports that are older than `age`.
    package func pruneImports(age: Duration, silence: Duration) async throws(StoreError) {
        try await execute(.endSilentImports(after: silence))
        try await execute(.pruneImports(age: age))
    }
}
