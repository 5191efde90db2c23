package import Crypto
package import EventLoops
package import Foundation

/// Keeps byte strings in a folder, each once, found by its SHA-256.
///
/// A blob appears whole and durable or not at all, whenever the process or the power ends. Blobs never change. All
/// calls to the disk are made on `BlockingThreads`.
package struct BlobStore: Sendable {
    let folder: BlobFolder
    let threads: BlockingThreads
    /// For pieces on their way to the disk: enough for the threads, and a bound on memory however many uploads there
    /// are.
    package let places = AsyncSemaphore(count: 32)

    /// A store in `folder`, which is made when it does not exist; its parent must. It waits for the disk.
    package init(folder: String, threads: BlockingThreads) throws(BlobError) {
        self.folder = BlobFolder(path: folder)
        self.threads = threads
        try self.folder.make()
    }

    /// Makes sure that a blob could be stored now: writes to a file where blobs begin, and removes it.
    ///
    /// - Throws: The error that a blob would be refused with.
    package func probe() async throws(BlobError) {
        let folder = folder
        try await threads.run { () throws(BlobError) in
            var blob = try TemporaryBlob(in: folder)
            try blob.append([0])
        }
    }

    /// A writer for one blob of at most `limit` bytes.
    package func begin(limit: Int64 = .max) -> BlobWriter {
        BlobWriter(folder: folder, threads: threads, limit: limit)
    }

    /// Stores `bytes`.
    package func put(_ bytes: [UInt8]) async throws(BlobError) -> StoredBlob {
        let folder = folder
        return try await threads.run { () throws(BlobError) in
            var blob = try TemporaryBlob(in: folder)
            try blob.append(bytes[...])
            return try blob.install(expecting: nil, firstBytes: Array(bytes.prefix(64)), in: folder)
        }
    }

    /// Stores a copy of the file at `path`, of at most `limit` bytes.
    package func put(fileAt path: String, limit: Int64 = .max) async throws(BlobError) -> StoredBlob {
        let folder = folder
        return try await threads.run { () throws(BlobError) in
            let source = try Disk.open(path, O_RDONLY)
            defer { close(source) }
            var blob = try TemporaryBlob(in: folder)
            var bytes: Int64 = 0
            var firstBytes: [UInt8] = []
            try Disk.readBlocks(of: source) { block throws(BlobError) in
                bytes += Int64(block.count)
                guard bytes <= limit else { throw .tooLarge(limit: limit) }
                firstBytes += block.prefix(64 - firstBytes.count)
                try blob.append(block)
            }
            return try blob.install(expecting: nil, firstBytes: firstBytes, in: folder)
        }
    }

    /// Makes the file at `path` a blob by moving it here. It must lie on the same file system, and nobody may write to
    /// it any more; it stays where it is when this throws.
    package func put(movingFileAt path: String) async throws(BlobError) -> StoredBlob {
        let folder = folder
        return try await threads.run { () throws(BlobError) in
            let source = try Disk.open(path, O_RDONLY)
            defer { close(source) }
            var hash = SHA256()
            var bytes: Int64 = 0
            var firstBytes: [UInt8] = []
            try Disk.readBlocks(of: source) { block in
                bytes += Int64(block.count)
                firstBytes += block.prefix(64 - firstBytes.count)
                hash.update(block)
            }
            let digest = hash.finish()
            try Disk.synchronizeData(of: source)
            try folder.install(path, as: digest, bytes: bytes)
            // It is still there when the store had the blob already.
            _ = try Disk.remove(path)
            return StoredBlob(digest: digest, bytes: bytes, firstBytes: firstBytes)
        }
    }

    /// Where the blob is or would be, for programs that read it themselves.
    package func path(of digest: SHA256Digest) -> String { folder.file(digest) }

    /// The size of the blob in bytes, `nil` when there is none.
    package func size(of digest: SHA256Digest) async throws(BlobError) -> Int64? {
        let path = folder.file(digest)
        return try await threads.run { () throws(BlobError) in try Disk.status(of: path)?.bytes }
    }

    /// Opens a blob for reading.
    ///
    /// - Parameters:
    ///   - digest: Which blob.
    ///   - bytes: The size it must have, if it is known.
    /// - Returns: The open file, which closes itself when it is let go.
    /// - Throws: `notFound`, `damaged` or `system`.
    package func open(_ digest: SHA256Digest, expecting bytes: Int64? = nil) async throws(BlobError) -> OpenBlob {
        let path = folder.file(digest)
        return try await threads.run { () throws(BlobError) in
            let blob = try OpenBlob(path, digest)
            guard bytes == nil || blob.bytes == bytes else { throw .damaged(digest) }
            return blob
        }
    }

    /// Whether the blob's bytes still have its digest; reads all of them.
    ///
    /// - Throws: `notFound`, `damaged` (when it is no file) or `system`.
    package func verify(_ digest: SHA256Digest) async throws(BlobError) -> Bool {
        let path = folder.file(digest)
        return try await threads.run { () throws(BlobError) in
            let blob = try OpenBlob(path, digest)
            var hash = SHA256()
            try Disk.readBlocks(of: blob.descriptor) { block in hash.update(block) }
            return hash.finish() == digest
        }
    }

    /// Removes a blob, but not one that was stored, or stored again, after `moment`; who has it open can read it to its
    /// end.
    ///
    /// - Returns: Whether it was removed.
    package func remove(_ digest: SHA256Digest, storedBefore moment: Date = .distantFuture) async throws(BlobError)
        -> Bool
    {
        let folder = folder
        return try await threads.run { () throws(BlobError) in
            guard try Disk.status(of: folder.file(digest)) != nil else { return false }
            return try Disk.holding(folder.shard(of: digest), alone: true) { () throws(BlobError) in
                guard let status = try Disk.status(of: folder.file(digest)), status.modified < moment,
                    try Disk.remove(folder.file(digest))
                else { return false }
                try Disk.synchronizeFolder(folder.shard(of: digest))
                return true
            }
        }
    }

    /// The bytes that still fit on the disk.
    package func availableBytes() async throws(BlobError) -> Int64 {
        let path = folder.path
        return try await threads.run { () throws(BlobError) in try Disk.availableBytes(at: path) }
    }
}
