package import Blobs
internal import Domain
package import FoundationEssentials
package import Logging
package import Store

/// Forgets uploads whose time is over, with their files, and answers that were kept for a day.
package struct UploadSweeper: Sendable {
    /// How long an answer to an `Idempotency-Key` is kept, and how long a file that no upload knows is left alone.
    package static let age: Duration = .seconds(24 * 3600)

    private let store: PicsStore
    private let files: UploadFiles
    private let logger: Logger

    package init(store: PicsStore, files: UploadFiles, logger: Logger) {
        self.store = store
        self.files = files
        self.logger = logger
    }

    /// Sweeps once.
    ///
    /// - Returns: How many files were removed.
    @discardableResult
    package func sweep(now: Date = Date()) async throws -> Int {
        try await store.deleteOldResponses(olderThan: Self.age)
        var removed = 0
        while true {
            let expired = try await store.deleteExpiredUploads(limit: 100)
            for upload in expired { try await files.remove(upload.uuid) }
            removed += expired.count
            if expired.count < 100 { break }
        }
        let old = try await files.files(untouchedSince: now.addingTimeInterval(-(Self.age / .seconds(1))))
        let known = try await store.knownUploads(among: old)
        for file in old where !known.contains(UploadID(file)) {
            try await files.remove(file)
            removed += 1
        }
        if removed > 0 { logger.info("uploads forgotten", ["files": removed]) }
        return removed
    }
}
