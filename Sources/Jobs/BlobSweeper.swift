package import Blobs
internal import Crypto
internal import Domain
package import FoundationEssentials
package import Logging
package import Store
internal import System

/// Removes the files of photos that were deleted, and sets files aside that the database does not know.
///
/// A file is looked at when it was last stored more than a day ago. What is being stored is safe: storing makes a file young
/// before its row is written, and the row young in the transaction that refers to it.
///
/// The database may be the wrong one, or older than the files: a file that it does not know goes to `lost+found` and is removed weeks later, and while it
/// knows far fewer files than there are, nothing is removed at all.
package final class BlobSweeper: Sendable {
    /// How long nobody may have stored a blob again before it goes, in seconds: far more than any request takes.
    package static let age: TimeInterval = 24 * 3600
    /// How long a file stays in `lost+found`, in seconds.
    package static let lostAge: TimeInterval = 28 * 24 * 3600
    /// How old a census may be, in seconds: counting reads all names.
    private static let censusAge: TimeInterval = 3600
    /// The same where names are read in pages that cost money.
    private static let bucketCensusAge: TimeInterval = 24 * 3600
    /// Blobs that are taken away in one transaction.
    private static let batch = 20

    private let store: PicsStore
    private let blobs: BlobStore
    private let logger: Logger
    private let census = Lock<(taken: Date, isPlausible: Bool)?>(nil)

    package init(store: PicsStore, blobs: BlobStore, logger: Logger) {
        self.store = store
        self.blobs = blobs
        self.logger = logger
    }

    /// Sweeps the blobs whose digests start with `shard`: a 256th of all, so that no sweep is long.
    ///
    /// It goes by the earlier of this machine's clock and the database's, so that one that is ahead removes nothing early.
    ///
    /// - Returns: How many files were removed or set aside.
    @discardableResult
    package func sweep(shard: UInt8, now: Date? = nil) async throws -> Int {
        let now = if let now { now } else { min(Date(), try await store.currentTime()) }
        guard try await isPlausible(now: now) else { return 0 }
        let limit = now.addingTimeInterval(-Self.age)
        var removed = 0
        var forgotten = Self.batch
        while forgotten == Self.batch, !Task.isCancelled {
            forgotten = try await store.deleteBlobs(inShard: shard, before: limit, limit: Self.batch) { blob in
                if try await blobs.remove(blob.digest, storedBefore: limit) { removed += 1 }
            }
        }
        // Once in a round of all shards.
        if shard == 0, case let old = try await blobs.removeDamaged(before: now.addingTimeInterval(-Self.lostAge)),
            old > 0
        {
            logger.info("damaged files removed that were restored weeks ago", ["files": old])
        }
        let lost = try await setUnknownAside(inShard: shard, before: limit)
        let (back, expired) = try await sweepLost(inShard: shard, before: now.addingTimeInterval(-Self.lostAge))
        if removed > 0 {
            logger.info("files of deleted photos removed", ["shard": Hex.encode([shard]), "files": removed])
        }
        if lost > 0 {
            logger.warning(
                "files that the database does not know were set aside",
                ["files": lost, "folder": blobs.lostAndFound, "kept_days": Int(Self.lostAge / 86_400)])
        }
        if back > 0 {
            logger.warning("files that the database knows again were taken back", ["files": back])
        }
        if expired > 0 {
            logger.warning("files removed that were set aside weeks ago", ["files": expired])
        }
        return removed + lost
    }

    /// Whether the database can be the one that the files belong to: it knows most of them.
    ///
    /// Files that are unknown are few: uploads that ended between the disk and the database.
    package static func isPlausible(files: Int, known: Int) -> Bool {
        files == 0 || known > 0 && files - known <= max(16, files / 4)
    }

    private func isPlausible(now: Date) async throws -> Bool {
        let age = blobs.place == .bucket ? Self.bucketCensusAge : Self.censusAge
        if let census = census.withLock(\.self), abs(now.timeIntervalSince(census.taken)) < age {
            return census.isPlausible
        }
        let (files, known) = (try await blobs.count(), try await store.countBlobs())
        let isPlausible = Self.isPlausible(files: files, known: known)
        if !isPlausible {
            logger.error(
                "no file is removed: the database knows far fewer files than there are",
                ["files": files, "known": known])
        }
        census.withLock { $0 = (now, isPlausible) }
        return isPlausible
    }

    private func setUnknownAside(inShard shard: UInt8, before limit: Date) async throws -> Int {
        let old = try await blobs.blobs(inShard: shard).filter { $0.stored < limit }
        var count = 0
        for start in stride(from: 0, to: old.count, by: 1000) {
            let batch = old[start..<min(start + 1000, old.count)].map { BlobID($0.digest) }
            let known = try await store.knownBlobs(among: batch)
            for blob in batch where !known.contains(blob) {
                if try await blobs.setAside(blob.digest, storedBefore: limit) { count += 1 }
            }
        }
        return count
    }

    /// Takes back what was set aside and is known, as after a newer database was put in place, and removes what nobody has
    /// known for weeks.
    private func sweepLost(inShard shard: UInt8, before limit: Date) async throws -> (back: Int, expired: Int) {
        let lost = try await blobs.blobsSetAside().filter { $0.digest.bytes.first == shard }
        guard !lost.isEmpty else { return (0, 0) }
        let known = try await store.knownBlobs(among: lost.map { BlobID($0.digest) })
        var (back, expired) = (0, 0)
        for blob in lost {
            if known.contains(BlobID(blob.digest)) {
                if try await blobs.restore(blob.digest) { back += 1 }
            } else if blob.stored < limit, try await blobs.removeSetAside(blob.digest) {
                expired += 1
            }
        }
        return (back, expired)
    }
}
