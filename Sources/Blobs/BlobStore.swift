package import Crypto
package import EventLoops
internal import Glibc
package import System

/// Keeps byte strings, each once, found by its SHA-256: in a folder, or in a bucket whose blobs the folder holds copies of.
///
/// A blob appears whole and durable or not at all, whenever the process or the power ends. Blobs never change. All
/// calls to the disk are made on `BlockingThreads`.
package struct BlobStore: Sendable {
    /// The place in which blobs are kept for good.
    package enum Place: String, Sendable, CaseIterable {
        case folder
        case bucket
    }

    let folder: BlobFolder
    /// The bucket in which blobs are kept, or from or to which they are moved; nil: there is the folder alone.
    package let bucket: BlobBucket?
    package let place: Place
    package let threads: BlockingThreads
    /// For writes that are under way while their callers go on: each holds a piece more in memory.
    let writesAhead = AsyncSemaphore(count: 8)
    let noteFault: @Sendable (SHA256Digest, BlobFault) -> Void
    private let claim: @Sendable (SHA256Digest, Int64) async throws -> Void
    private let fetches = BlobTasks()
    private let checks = BlobTasks()
    /// For pieces on their way to the disk: enough for the threads, and a bound on memory however many uploads there
    /// are.
    package let places = AsyncSemaphore(count: 32)

    /// A store in `folder`, which is made when it does not exist; its parent must. It waits for the disk.
    ///
    /// - Parameters:
    ///   - folder: The path.
    ///   - bucket: A bucket, which is there.
    ///   - place: Where blobs are kept; what the other place alone has is found all the same.
    ///   - threads: For all calls to the disk.
    ///   - noteFault: Told of each blob that is asked for and found missing or damaged, on any thread.
    ///   - claim: Told of the digest and the bytes of each blob before it goes to the bucket, so that no sweeper takes it away again.
    /// - Throws: `noSpace` or `system`.
    package init(
        folder: String, bucket: BlobBucket? = nil, place: Place = .folder, threads: BlockingThreads,
        noteFault: @escaping @Sendable (SHA256Digest, BlobFault) -> Void = { _, _ in },
        claim: @escaping @Sendable (SHA256Digest, Int64) async throws -> Void = { _, _ in }
    ) throws(BlobError) {
        precondition(place == .folder || bucket != nil, "There is no bucket.")
        self.folder = BlobFolder(path: folder)
        self.bucket = bucket
        self.place = place
        self.threads = threads
        self.claim = claim
        self.noteFault = noteFault
        try self.folder.make()
    }

    /// The bucket, where blobs are kept there.
    var keeper: BlobBucket? { place == .bucket ? bucket : nil }

    /// Makes sure that a blob could be stored now: writes to a file where blobs begin, and removes it, and does the like in the bucket.
    ///
    /// - Throws: The error that a blob would be refused with.
    package func probe() async throws(BlobError) {
        let folder = folder
        try await threads.run { () throws(BlobError) in
            var blob = try TemporaryBlob(in: folder)
            try blob.append([0])
        }
        try await keeper?.probe()
    }

    /// The folder's path or the bucket's address, whichever keeps the blobs, for people.
    package var shown: String { keeper?.shown ?? folder.path }

    // MARK: Storing

    /// A writer for one blob of at most `limit` bytes.
    package func begin(limit: Int64 = .max) -> BlobWriter { BlobWriter(store: self, limit: limit) }

    /// Stores `bytes`.
    package func put(_ bytes: [UInt8]) async throws(BlobError) -> HashedFile {
        let writer = begin()
        try await writer.write(bytes[...])
        return try await writer.finish()
    }

    /// Stores a copy of the file at `path`, of at most `limit` bytes.
    package func put(fileAt path: String, limit: Int64 = .max) async throws(BlobError) -> HashedFile {
        let writer = begin(limit: limit)
        try await writer.write(fileAt: path)
        return try await writer.finish()
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
        try await keep(fileAt: path, as: examined.digest, bytes: examined.bytes)
        let folder = folder
        try await threads.run { () throws(BlobError) in
            try folder.install(path, as: examined.digest)
        }
    }

    /// Writes the file at `path` to the bucket, if that keeps the blobs; it is durable when this returns.
    ///
    /// - Throws: `unavailable` or `noSpace`.
    func keep(fileAt path: String, as digest: SHA256Digest, bytes: Int64) async throws(BlobError) {
        guard let bucket = keeper else { return }
        do { try await claim(digest, bytes) } catch { throw .unavailable("\(error)") }
        try await bucket.put(fileAt: path, as: digest, bytes: bytes)
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

    // MARK: Reading

    /// The path that a blob has or would have in the folder, for programs that read it themselves once `checkedPath` has brought it there.
    package func path(of digest: SHA256Digest) -> String { folder.file(digest) }

    /// The size of the blob in bytes, `nil` when there is none.
    package func size(of digest: SHA256Digest) async throws(BlobError) -> Int64? {
        let path = folder.file(digest)
        let size = try await threads.run { () throws(BlobError) in try Disk.status(of: path)?.bytes }
        if let size { return size }
        return try await bucket?.look(digest)?.bytes
    }

    /// Opens a blob for reading.
    ///
    /// - Parameters:
    ///   - digest: Which blob.
    ///   - bytes: The size it must have, if it is known.
    /// - Returns: The open file, which closes itself when it is let go.
    /// - Throws: `notFound`, `damaged`, `unavailable` or `system`.
    package func open(_ digest: SHA256Digest, expecting bytes: Int64? = nil) async throws(BlobError) -> OpenBlob {
        try await notingFaults(of: digest) { () throws(BlobError) in
            do throws(BlobError) {
                return try await openFile(digest, expecting: bytes)
            } catch {
                guard bucket != nil, BlobFault(error) != nil else { throw error }
                try await fetch(digest)
                return try await openFile(digest, expecting: bytes)
            }
        }
    }

    private func openFile(_ digest: SHA256Digest, expecting bytes: Int64?) async throws(BlobError) -> OpenBlob {
        let (path, isCopy) = (folder.file(digest), place == .bucket)
        return try await threads.run { () throws(BlobError) in
            let blob = try OpenBlob(path, digest)
            guard bytes == nil || blob.bytes == bytes else { throw .damaged(digest) }
            if isCopy { Disk.noteUse(of: path) }
            return blob
        }
    }

    /// Brings a blob from the bucket, once however many ask at once. It takes the place of a file that is damaged.
    func fetch(_ digest: SHA256Digest, isKept: Bool? = nil) async throws(BlobError) {
        guard let bucket else { throw .notFound(digest) }
        let (folder, threads, isKept) = (folder, threads, isKept ?? (place == .folder))
        try await fetches.once(digest) { () throws(BlobError) in
            let path = folder.newTemporary()
            do throws(BlobError) {
                try await bucket.get(digest, to: path)
            } catch {
                // A sweeper may have set it aside in the moment in which it was stored again.
                guard case .notFound = error, try await bucket.restore(digest) else { throw error }
                try await bucket.get(digest, to: path)
            }
            try await threads.run { () throws(BlobError) in
                if isKept {
                    try Disk.synchronizeData(of: try Disk.open(path, O_RDONLY))
                    try folder.setDamagedAside(digest)
                }
                try folder.install(path, as: digest)
            }
        }
    }

    private func notingFaults<Value>(
        of digest: SHA256Digest, _ body: () async throws(BlobError) -> Value
    ) async throws(BlobError) -> Value {
        do throws(BlobError) {
            return try await body()
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

    /// The path of a blob whose bytes were compared with its digest just now; reads all of them, once for those who ask meanwhile.
    ///
    /// - Throws: `notFound`, `damaged`, `unavailable` or `system`.
    package func checkedPath(of digest: SHA256Digest) async throws(BlobError) -> String {
        try await notingFaults(of: digest) { () throws(BlobError) in
            try await checks.once(digest) { () throws(BlobError) in
                do throws(BlobError) {
                    try await checkFile(of: digest)
                } catch {
                    guard bucket != nil, BlobFault(error) != nil else { throw error }
                    // Bytes from the bucket are compared on their way.
                    try await fetch(digest)
                }
            }
            return path(of: digest)
        }
    }

    /// The fault of a file in the folder; reads all of it.
    ///
    /// - Returns: Nil when there is none.
    func localFault(of digest: SHA256Digest) async throws(BlobError) -> BlobFault? {
        do throws(BlobError) {
            try await checkFile(of: digest)
            return nil
        } catch {
            guard let fault = BlobFault(error) else { throw error }
            return fault
        }
    }

    /// Compares a file in the folder with its digest.
    ///
    /// - Throws: `notFound`, `damaged` or `system`.
    func checkFile(of digest: SHA256Digest) async throws(BlobError) {
        let path = folder.file(digest)
        try await threads.run { () throws(BlobError) in
            guard try OpenBlob(path, digest).hash() == digest else { throw .damaged(digest) }
        }
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
    package init?(_ error: BlobError) {
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
