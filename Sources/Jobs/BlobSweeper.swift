package import Blobs
internal import Crypto
internal import Domain
package import Foundation
package import Logging
package import Store

/// Removes the files of photos that were deleted or never stored.
///
/// A file goes when it was last stored more than a day ago and the database does not know it. What is being stored is
/// safe: storing makes a file young before its row is written, and the row young in the transaction that refers to it.
package struct BlobSweeper: Sendable {
    /// How long nobody may have stored a blob again before it goes: far more than any request takes.
    package static let age: TimeInterval = 24 * 3600

    private let store: Store
    private let blobs: BlobStore
    private let logger: Logger

    package init(store: Store, blobs: BlobStore, logger: Logger) {
        self.store = store
        self.blobs = blobs
        self.logger = logger
    }

    /// Sweeps the blobs whose digests start with `shard`: a 256th of all, so that no sweep is long.
    ///
    /// - Returns: How many files were removed.
    @discardableResult
    package func sweep(shard: UInt8, now: Date = Date()) async throws -> Int {
        let limit = now.addingTimeInterval(-Self.age)
        _ = try await store.forgetBlobs(inShard: shard, before: limit)
        let old = try await blobs.blobs(inShard: shard).filter { $0.stored < limit }
        var removed = 0
        for start in stride(from: 0, to: old.count, by: 1000) {
            let batch = old[start..<min(start + 1000, old.count)].compactMap { BlobID($0.digest.bytes) }
            let known = try await store.knownBlobs(among: batch)
            for blob in batch where !known.contains(blob) {
                guard let digest = SHA256Digest(bytes: blob.bytes) else { continue }
                if try await blobs.remove(digest, storedBefore: limit) { removed += 1 }
            }
        }
        if removed > 0 { logger.info("unused files removed", ["shard": Hex.encode([shard]), "files": removed]) }
        return removed
    }
}
