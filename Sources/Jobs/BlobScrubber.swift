package import Blobs
internal import Domain
package import FoundationEssentials
package import Logging
package import Store

/// Compares stored files with their digests, a few at a time, so that a damaged or missing one is known before somebody needs it.
package struct BlobScrubber: Sendable {
    /// How often each file is compared, in seconds.
    package static let age: TimeInterval = 30 * 24 * 3600
    /// How often a file with a fault is looked at again, in seconds: it may have been restored.
    package static let faultyAge: TimeInterval = 3600
    /// How much one round reads, in bytes; the last file of a round may go beyond.
    package static let roundBytes: Int64 = 256 << 20
    private static let batch = 16

    private let store: PicsStore
    private let blobs: BlobStore
    private let readsAll: Bool
    private let spare: BlobStore.Spare?
    private let logger: Logger

    /// A scrubber that reads all of what is in a bucket with `readsAll`, else asks for its size: reading costs money, and stores compare what
    /// they keep by themselves. `spare` has further copies, as those of backups.
    package init(
        store: PicsStore, blobs: BlobStore, readsAll: Bool = false, spare: BlobStore.Spare? = nil, logger: Logger
    ) {
        self.store = store
        self.blobs = blobs
        self.readsAll = readsAll
        self.spare = spare
        self.logger = logger
    }

    /// Compares files that are due, up to `roundBytes`.
    ///
    /// - Returns: The number of files that were compared.
    @discardableResult
    package func scrub(now: Date = Date()) async throws -> Int {
        try await scrub(
            faultyBefore: now.addingTimeInterval(-Self.faultyAge), othersBefore: now.addingTimeInterval(-Self.age))
    }

    private func scrub(faultyBefore: Date, othersBefore: Date) async throws -> Int {
        let again = try await store.claimBlobsToCheck(faulty: true, before: faultyBefore, limit: Self.batch)
        for blob in again { try await check(blob) }
        var (count, bytes) = (again.count, Int64(0))
        while bytes < Self.roundBytes, !Task.isCancelled {
            let due = try await store.claimBlobsToCheck(before: othersBefore, limit: Self.batch)
            guard !due.isEmpty else { break }
            for blob in due {
                try await check(blob)
                bytes += blob.bytes
            }
            count += due.count
        }
        return count
    }

    /// Compares files that were last compared before `moment`, up to `roundBytes`.
    ///
    /// - Returns: The number of files that were compared; 0 when all were.
    package func scrub(all moment: Date) async throws -> Int {
        try await scrub(faultyBefore: moment, othersBefore: moment)
    }

    private func check(_ known: BlobToCheck) async throws {
        let finding = try await blobs.check(
            known.blob.digest, expecting: known.bytes, readsAll: readsAll, spare: spare)
        var fault: BlobFault?
        switch finding {
        case .whole: break
        case .healed(let former):
            try await store.noteHealed(known.blob)
            logger.warning("a stored file was \(former.rawValue) and is restored from a copy", ["file": known.blob])
            return
        case .faulty(let found): fault = found
        }
        if fault == .missing, try await blobs.restore(known.blob.digest) {
            logger.notice("a file that was set aside is back", ["file": known.blob])
            fault = nil
        }
        let found = fault.map { $0 == .missing ? FileFault.missing : .damaged }
        if found != nil {
            // A picture that was made of another file can be made again.
            try await store.deleteRenditionsOf(withFile: known.blob)
        }
        guard found != known.fault else { return }
        try await store.setFault(found, of: known.blob)
        if let found {
            logger.error("a stored file is \(found.rawValue)", ["file": known.blob])
        } else {
            logger.notice("a stored file is whole again", ["file": known.blob])
        }
    }
}
