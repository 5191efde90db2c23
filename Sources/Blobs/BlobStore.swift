package import Crypto
package import EventLoops
internal import Foundation
package import System

/// Keeps byte strings in a folder, each once, found by its SHA-256.
///
/// A blob appears whole and durable or not at all, whenever the process or the power ends. Blobs never change. All
/// calls to the disk are made on `BlockingThreads`.
package struct BlobStore: Sendable {
    let folder: BlobFolder
    package let threads: BlockingThreads
    private let noteFault: @Sendable (SHA256Digest, BlobFault) -> Void
    /// For pieces on their way to the disk: enough for the threads, and a bound on memory however many uploads there
    /// are.
    package let places = AsyncSemaphore(count: 32)

    /// A store in `folder`, which is made when it does not exist; its parent must. It waits for the disk.
    ///
    /// - Parameters:
    ///   - folder: The path.
    ///   - threads: For all calls to the disk.
    ///   - noteFault: Told of each blob that is asked for and found missing or damaged, on any thread.
    /// - Throws: `noSpace` or `system`.
    package init(
        folder: String, threads: BlockingThreads,
        noteFault: @escaping @Sendable (SHA256Digest, BlobFault) -> Void = { _, _ in }
    ) throws(BlobError) {
        self.folder = BlobFolder(path: folder)
        self.threads = threads
        self.noteFault = noteFault
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
    package func put(_ bytes: [UInt8]) async throws(BlobError) -> HashedFile {
        let folder = folder
        return try await threads.run { () throws(BlobError) in
            var blob = try TemporaryBlob(in: folder)
            try blob.append(bytes[...])
            let complete = try blob.complete()
            let stored = HashedFile(
                digest: complete.digest, bytes: complete.bytes, firstBytes: Array(bytes.prefix(64)))
            try complete.install(in: folder)
            return stored
        }
    }

    /// Stores a copy of the file at `path`, of at most `limit` bytes.
    package func put(fileAt path: String, limit: Int64 = .max) async throws(BlobError) -> HashedFile {
        let folder = folder
        return try await threads.run { () throws(BlobError) in
            let source = try Disk.open(path, O_RDONLY)
            var blob = try TemporaryBlob(in: folder)
            var bytes: Int64 = 0
            var firstBytes: [UInt8] = []
            try Disk.readBlocks(of: source) { block throws(BlobError) in
                bytes += Int64(block.count)
                guard bytes <= limit else { throw .tooLarge(limit: limit) }
                firstBytes += block.prefix(64 - firstBytes.count)
                try blob.append(block)
            }
            let complete = try blob.complete()
            let stored = HashedFile(digest: complete.digest, bytes: complete.bytes, firstBytes: firstBytes)
            try complete.install(in: folder)
            return stored
        }
    }

    /// The digest of the file at `path`, once its bytes would survive a power failure.
    func examine(fileAt path: String) async throws(BlobError) -> HashedFile {
        try await threads.run { () throws(BlobError) in
            let source = try Disk.open(path, O_RDONLY)
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
            return HashedFile(digest: digest, bytes: bytes, firstBytes: firstBytes)
        }
    }

    /// Makes the file at `path`, which was examined, a blob by moving it here. It must lie on the same file system, and nobody may write
    /// to it any more; it stays where it is when this throws.
    func install(movingFileAt path: String, as examined: HashedFile) async throws(BlobError) {
        let folder = folder
        try await threads.run { () throws(BlobError) in
            try folder.install(path, as: examined.digest)
        }
    }

    /// The size of the file at `path` in bytes, 0 when there is none.
    package func bytes(ofFileAt path: String) async throws(BlobError) -> Int64 {
        try await threads.run { () throws(BlobError) in try Disk.status(of: path)?.bytes ?? 0 }
    }

    /// Makes the file at `path` a blob by moving it here, as `install(movingFileAt:as:)` does.
    package func put(movingFileAt path: String) async throws(BlobError) -> HashedFile {
        let examined = try await examine(fileAt: path)
        try await install(movingFileAt: path, as: examined)
        return examined
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
        do {
            return try await threads.run { () throws(BlobError) in
                let blob = try OpenBlob(path, digest)
                guard bytes == nil || blob.bytes == bytes else { throw .damaged(digest) }
                return blob
            }
        } catch {
            if let fault = BlobFault(error) { noteFault(digest, fault) }
            throw error
        }
    }

    /// Opens a file that was made to be sent once, and removes its name.
    package func open(removing path: String) async throws(BlobError) -> OpenBlob {
        try await threads.run { () throws(BlobError) in try OpenBlob(removing: path) }
    }

    /// Removes files that were made on the way to a blob; those that are not there do no harm.
    package func remove(filesAt paths: [String]) async {
        await threads.run { for path in paths { unlink(path) } }
    }

    /// The path of a blob whose bytes were compared with its digest just now; reads all of them.
    ///
    /// - Throws: `notFound`, `damaged` or `system`.
    package func checkedPath(of digest: SHA256Digest) async throws(BlobError) -> String {
        switch try await fault(of: digest) {
        case .missing: throw .notFound(digest)
        case .damaged: throw .damaged(digest)
        case nil: return path(of: digest)
        }
    }

    /// Compares a blob's bytes with its digest; reads all of them.
    ///
    /// - Returns: Nil when they agree.
    /// - Throws: `system` when the disk does not say.
    package func fault(of digest: SHA256Digest) async throws(BlobError) -> BlobFault? {
        let path = folder.file(digest)
        let fault: BlobFault?
        do {
            let actual = try await threads.run { () throws(BlobError) in try OpenBlob(path, digest).hash() }
            fault = actual == digest ? nil : .damaged
        } catch {
            fault = BlobFault(error)
            if fault == nil { throw error }
        }
        if let fault { noteFault(digest, fault) }
        return fault
    }

    /// The bytes that still fit on the disk.
    package func availableBytes() async throws(BlobError) -> Int64 {
        let path = folder.path
        return try await threads.run { () throws(BlobError) in try Disk.availableBytes(at: path) }
    }
}

/// A difference between a stored file and its digest.
package enum BlobFault: String, Sendable {
    /// There is no file.
    case missing
    /// The file has other bytes, or cannot be read.
    case damaged

    /// The fault that an error of a read tells of; nil when it is about something else.
    init?(_ error: BlobError) {
        switch error {
        case .notFound: self = .missing
        case .damaged, .system("read", EIO): self = .damaged
        default: return nil
        }
    }
}

/// A blob that is open for reading.
package struct OpenBlob: Sendable {
    /// The open file; closed when its last owner lets it go.
    package let file: OpenFile
    /// The size.
    package let bytes: Int64

    init(_ path: String, _ digest: SHA256Digest) throws(BlobError) {
        do {
            file = try Disk.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch .system(_, ENOENT) {
            throw .notFound(digest)
        }
        let status = try Disk.status(of: file)
        guard status.isFile else { throw .damaged(digest) }
        bytes = status.bytes
    }

    /// Opens a file that is no blob, and removes its name: its bytes go with the last owner.
    init(removing path: String) throws(BlobError) {
        file = try Disk.open(path, O_RDONLY | O_NOFOLLOW)
        unlink(path)
        bytes = try Disk.status(of: file).bytes
    }

    /// The digest of its bytes from the descriptor's position on.
    func hash() throws(BlobError) -> SHA256Digest {
        var hash = SHA256()
        try Disk.readBlocks(of: file) { block in hash.update(block) }
        return hash.finish()
    }
}
