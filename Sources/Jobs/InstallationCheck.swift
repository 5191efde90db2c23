package import Blobs
internal import Domain
package import FoundationEssentials
package import Store

/// The pairing of a database with the store of its files: both carry the identifier of one installation.
///
/// Without it a mistyped address of the database, or a database that was lost, would make a new Pics of which all files look unused.
package struct InstallationCheck: Sendable {
    /// Why the two must not be used together.
    package enum Mismatch: Error, Equatable {
        /// Each names another installation.
        case different(files: UUID, database: UUID)
        /// There are files, and the database knows none of them, or hardly any.
        case unknownFiles(count: Int)
        /// The database knows files, and none of them is there, or hardly any.
        case missingFiles(count: Int)
        /// The database has a store already, and this is another, empty one.
        case anotherStore(database: UUID)
    }

    /// The number of files that are looked for where no identifier was written yet; up to twice as many.
    private static let sampleSize = 32

    private let store: PicsStore
    private let blobs: BlobStore

    package init(store: PicsStore, blobs: BlobStore) {
        self.store = store
        self.blobs = blobs
    }

    /// Lets the two be used if they belong together, and writes the identifier down where it is missing: in a new installation, or
    /// one from before there were identifiers.
    ///
    /// The store gets it first: a crash between leaves two that can be paired.
    ///
    /// - Throws: `Mismatch`; nothing is changed then. `BlobError`, `StoreError`.
    package func pair() async throws {
        let (files, database) = (try await blobs.installation(), try await store.installation())
        switch (files, database) {
        case (let files?, let database?):
            guard files == database else { throw Mismatch.different(files: files, database: database) }
        case (let files?, nil):
            try await compare()
            try await bind(files)
        case (nil, let database?):
            // A store that has lost its identifier, such as files that were copied by hand.
            guard try await blobs.count() > 0 else { throw Mismatch.anotherStore(database: database) }
            try await compare()
            try await blobs.setInstallation(database)
        case (nil, nil):
            try await compare()
            let id = UUID()
            try await blobs.setInstallation(id)
            try await bind(id)
        }
    }

    /// Pairs the two whatever they hold.
    ///
    /// - Returns: The number of files that are there, and of those that the database knows.
    package func adopt() async throws -> (files: Int, known: Int) {
        let id = try await store.setInstallation(try await blobs.installation() ?? UUID())
        try await blobs.setInstallation(id)
        return (try await blobs.count(), try await store.countBlobs())
    }

    private func bind(_ id: UUID) async throws {
        let kept = try await store.setInstallation(id)
        // Another store came first.
        guard kept == id else { throw Mismatch.different(files: id, database: kept) }
    }

    /// Compares what is there with what the database knows, by counts and by a sample.
    private func compare() async throws {
        let (files, known) = (try await blobs.count(), try await store.countBlobs())
        if files > 0, known == 0 { throw Mismatch.unknownFiles(count: files) }
        let sample = try await store.sampleBlobs(limit: Self.sampleSize)
        var found = 0
        for blob in sample where try await blobs.size(of: blob.digest) != nil { found += 1 }
        guard found * 2 >= sample.count else {
            throw files == 0 ? Mismatch.missingFiles(count: known) : .unknownFiles(count: files)
        }
        guard BlobSweeper.isPlausible(files: files, known: known) else { throw Mismatch.unknownFiles(count: files) }
    }
}
