package import Crypto
internal import EventLoops
package import FoundationEssentials
internal import System

/// The folder as a store of copies, and moving from one place to the other.
extension BlobStore {
    /// How long a copy stays after its last use whatever the bound, in seconds: a program may be reading it.
    private static let leastAge: TimeInterval = 600

    /// How long copies of an upload in parts stay after its last change, in seconds: another node may have ended it.
    private static let uploadAge: TimeInterval = 24 * 3600

    /// Removes copies of blobs that are kept in the bucket: those that nobody has used for `age`, and the longest unused until all have at most
    /// `bytes`. What the bucket lacks is written there first. Copies of uploads go after a day.
    ///
    /// - Returns: The number of copies that were removed, and the bytes of those that stay.
    @discardableResult
    package func trimCopies(
        to bytes: Int64, unusedFor age: Duration, now: Date = Date()
    ) async throws(BlobError) -> (removed: Int, bytes: Int64) {
        guard let bucket = keeper else { return (0, 0) }
        try await removeUploads(before: now.addingTimeInterval(-Self.uploadAge))
        var copies: [ListedBlob] = []
        for shard in UInt8.min...UInt8.max { copies += try await list(folder.shard(shard)) }
        copies.sort { $0.stored < $1.stored }
        var (total, removed) = (copies.reduce(0) { $0 + $1.bytes }, 0)
        let limit = now.addingTimeInterval(-(age / .seconds(1)))
        let youngest = now.addingTimeInterval(-Self.leastAge)
        for copy in copies {
            guard copy.stored < youngest, copy.stored < limit || total > bytes else { break }
            if try await bucket.look(copy.digest)?.bytes != copy.bytes {
                try await bucket.put(fileAt: path(of: copy.digest), as: copy.digest, bytes: copy.bytes)
            }
            // One that was used meanwhile stays.
            guard try await removeFile(copy.digest, storedBefore: youngest) else { continue }
            total -= copy.bytes
            removed += 1
        }
        return (removed, total)
    }

    private func removeUploads(before limit: Date) async throws(BlobError) {
        let folder = folder.uploads
        try await threads.run { () throws(BlobError) in
            for name in try Disk.names(in: folder) where UUID(uuidString: name) != nil {
                guard let status = try Disk.status(of: "\(folder)/\(name)"), !status.isFile, status.modified < limit
                else { continue }
                try Disk.removeFolder("\(folder)/\(name)")
            }
        }
    }

    /// The counts of a move.
    package struct Moved: Sendable, Equatable {
        /// Blobs that were copied now.
        package var copied = 0
        /// Blobs that were there already.
        package var known = 0
        /// Blobs whose bytes are not those of their digests.
        package var damaged: [SHA256Digest] = []
    }

    /// Copies the blobs whose digests start with `shard` from the other place to `target`, each compared with its digest; the others stay.
    ///
    /// - Throws: `unavailable`, `noSpace` or `system`; doing it again goes on.
    package func move(shard: UInt8, to target: Place) async throws(BlobError) -> Moved {
        guard let bucket else { return Moved() }
        let local = try await list(folder.shard(shard))
        let remote = try await bucket.blobs(inShard: shard)
        let sources = target == .bucket ? local : remote
        let sizes = Dictionary(
            (target == .bucket ? remote : local).map { ($0.digest, $0.bytes) }, uniquingKeysWith: { $1 })
        var moved = Moved()
        for blob in sources {
            if sizes[blob.digest] == blob.bytes {
                moved.known += 1
                continue
            }
            do throws(BlobError) {
                if target == .bucket {
                    try await checkFile(of: blob.digest)
                    try await bucket.put(fileAt: path(of: blob.digest), as: blob.digest, bytes: blob.bytes)
                } else {
                    try await fetch(blob.digest, isKept: true)
                }
                moved.copied += 1
            } catch {
                switch error {
                case .damaged: moved.damaged.append(blob.digest)
                // It was deleted meanwhile.
                case .notFound: break
                default: throw error
                }
            }
        }
        return moved
    }
}

/// Work on blobs that is under way, such as fetching one from the bucket: a caller that wants the same for a blob waits for it, and it is not done
/// twice at once.
final class BlobTasks: Sendable {
    private let running = Lock<[SHA256Digest: Task<Result<Void, BlobError>, Never>]>([:])

    /// Does `work`, unless somebody is doing it; it goes on when who asked is cancelled.
    func once(
        _ digest: SHA256Digest, _ work: @escaping @Sendable () async throws(BlobError) -> Void
    ) async throws(BlobError) {
        let task = running.withLock { running in
            if let task = running[digest] { return task }
            let task = Task {
                let result: Result<Void, BlobError>
                do throws(BlobError) { result = .success(try await work()) } catch { result = .failure(error) }
                self.running.withLock { $0[digest] = nil }
                return result
            }
            running[digest] = task
            return task
        }
        try await task.value.get()
    }
}
