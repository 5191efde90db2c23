package import Crypto
internal import EventLoops
internal import Glibc
internal import System

/// A file's digest and size; whether it is stored yet, the function that returns it says.
package struct HashedFile: Hashable, Sendable {
    /// The SHA-256 of the bytes, by which the blob is found.
    package let digest: SHA256Digest
    /// How many bytes.
    package let bytes: Int64
    /// The first 64 bytes, or fewer if there are fewer: enough to see the type.
    package let firstBytes: [UInt8]
}

/// Takes the bytes of one blob, in order; hashing and the disk happen on other threads.
///
/// One task at a time uses it. A writer that is let go without `finish` leaves nothing behind.
package final class BlobWriter {
    /// The bytes that are worth a thread's time: chunks as long go there as they are, shorter ones are collected first.
    static let blockSize = 32 << 10
    private static let firstBytesCount = 64

    private let store: BlobStore
    private let limit: Int64
    private let blob = Slot()

    private var folder: BlobFolder { store.folder }
    private var threads: BlockingThreads { store.threads }

    private var accepted: Int64 = 0
    private var buffer: [UInt8] = []
    private let ahead: WriteAhead
    /// The first 64 bytes of what was written so far, by which a file's type is known.
    package private(set) var firstBytes: [UInt8] = []

    init(store: BlobStore, limit: Int64) {
        self.store = store
        self.limit = limit
        ahead = WriteAhead(on: store.threads, places: store.writesAhead) {
            [blob, folder = store.folder] piece throws(BlobError) in
            try blob.append(piece, in: folder)
        }
    }

    /// The file goes where files are removed.
    deinit {
        ahead.drop()
        if !ahead.isIdle || !blob.hasNoFile { store.threads.start { [blob] in blob.end() } }
    }

    /// The bytes that were accepted and no thread has been given: less than `blockSize` whenever no call is under way.
    var heldBytes: Int { buffer.count }

    /// Accepts `chunk`, and waits for the disk when several blocks are on their way: a caller that reads a socket only after `write`
    /// returns never holds more than `WriteAhead.most` blocks on their way to the disk, another one, and one chunk. A chunk of a block's
    /// length or more is not copied.
    ///
    /// - Throws: `tooLarge`, `noSpace` or `system`, also of bytes that an earlier call has accepted; the bytes are dropped then, and the
    ///   writer has ended.
    package func write(_ chunk: ArraySlice<UInt8>) async throws(BlobError) {
        guard Int64(chunk.count) <= limit - accepted else {
            await abandon()
            throw .tooLarge(limit: limit)
        }
        accepted += Int64(chunk.count)
        firstBytes += chunk.prefix(Self.firstBytesCount - firstBytes.count)
        guard chunk.count < Self.blockSize else {
            if !buffer.isEmpty { try await append(takeBuffer()) }
            return try await append(chunk)
        }
        buffer += chunk
        if buffer.count >= Self.blockSize { try await append(takeBuffer()) }
    }

    /// Accepts all bytes of the file at `path`.
    ///
    /// - Throws: As `write`.
    func write(fileAt path: String) async throws(BlobError) {
        try await settle()
        let (blob, folder, rest, limit) = (blob, folder, takeBuffer(), limit)
        let (accepted, firstBytes) = (accepted, firstBytes)
        let added = try await threads.run { () throws(BlobError) in
            var (bytes, first) = (accepted, firstBytes)
            do throws(BlobError) {
                try blob.append(rest, in: folder)
                try Disk.readBlocks(of: try Disk.open(path, O_RDONLY)) { block throws(BlobError) in
                    bytes += Int64(block.count)
                    guard bytes <= limit else { throw .tooLarge(limit: limit) }
                    first += block.prefix(Self.firstBytesCount - first.count)
                    try blob.append(block, in: folder)
                }
            } catch {
                blob.end()
                throw error
            }
            return (bytes: bytes, firstBytes: first)
        }
        (self.accepted, self.firstBytes) = (added.bytes, added.firstBytes)
    }

    /// Ends the writing. The bytes stay a file of their own until `finish`, and go if that is never called.
    ///
    /// - Parameter expected: The digest that a client announced, if it did.
    /// - Returns: The blob that `finish` will store, and the file where it lies meanwhile.
    /// - Throws: `unexpectedDigest`, `noSpace`, `ended` or `system`; the bytes are dropped then.
    package func complete(
        expecting expected: SHA256Digest? = nil
    ) async throws(BlobError) -> (blob: HashedFile, path: String) {
        try await settle()
        let (blob, folder, firstBytes, rest) = (blob, folder, firstBytes, takeBuffer())
        return try await threads.run { () throws(BlobError) in
            try blob.append(rest, in: folder)
            return try blob.complete(expecting: expected, firstBytes: firstBytes, in: folder)
        }
    }

    /// Makes the bytes a durable blob. If the store has it already, that one stays.
    ///
    /// - Parameter expected: The digest that a client announced, if it did; not looked at after `complete`.
    /// - Returns: The stored blob, once it would survive a power failure.
    /// - Throws: `unexpectedDigest`, `noSpace`, `ended` or `system`; the bytes are dropped then.
    @discardableResult
    package func finish(expecting expected: SHA256Digest? = nil) async throws(BlobError) -> HashedFile {
        try await settle()
        let (blob, folder, firstBytes) = (blob, folder, firstBytes)
        let isCopy = store.keeper != nil
        if isCopy {
            if blob.complete == nil { _ = try await complete(expecting: expected) }
            guard let complete = blob.complete else { throw .ended }
            do throws(BlobError) {
                try await store.keep(fileAt: complete.path, as: complete.digest, bytes: complete.bytes)
            } catch {
                await abandon()
                throw error
            }
        }
        let rest = takeBuffer()
        return try await threads.run { () throws(BlobError) in
            if let stored = try blob.install(firstBytes: firstBytes, in: folder, isCopy: isCopy) { return stored }
            try blob.append(rest, in: folder)
            _ = try blob.complete(expecting: expected, firstBytes: firstBytes, in: folder)
            guard let stored = try blob.install(firstBytes: firstBytes, in: folder, isCopy: isCopy) else {
                throw .ended
            }
            return stored
        }
    }

    /// Drops the bytes.
    package func abandon() async {
        let blob = blob
        buffer = []
        ahead.drop()
        await threads.run { blob.end() }
    }

    /// Returns while a thread writes, where the store has few such writes: the next bytes come meanwhile.
    private func append(_ chunk: ArraySlice<UInt8>) async throws(BlobError) {
        try await ahead.makeRoom()
        if store.writesAhead.take() { return ahead.add(chunk) }
        try await settle()
        let (blob, folder) = (blob, folder)
        try await threads.run { () throws(BlobError) in try blob.append(chunk, in: folder) }
    }

    /// Waits for the writes that run ahead, and throws why one could not be made.
    func settle() async throws(BlobError) { try await ahead.wait(untilAtMost: 0) }

    private func takeBuffer() -> ArraySlice<UInt8> {
        defer { buffer = [] }
        return buffer[...]
    }

    /// The temporary blob, passed from thread to thread. Who drops it may wait for its lock, on a disk thread, while a write
    /// ends; nobody else does, as calls come one after another.
    private final class Slot: Sendable {
        private enum State: ~Copyable {
            case new
            case open(TemporaryBlob)
            case complete(CompleteBlob)
            case ended

            var isEmpty: Bool {
                switch self {
                case .new: true
                case .ended: true
                case .open: false
                case .complete: false
                }
            }

            /// Nil when it is not.
            var complete: (digest: SHA256Digest, bytes: Int64, path: String)? {
                switch self {
                case .complete(let blob): (blob.digest, blob.bytes, blob.path)
                case .new: nil
                case .open: nil
                case .ended: nil
                }
            }
        }

        private let state = Lock(State.new)

        func append(_ chunk: ArraySlice<UInt8>, in folder: BlobFolder) throws(BlobError) {
            try state.withLock { state throws(BlobError) in
                // It stays ended when something fails, which drops the file.
                var blob = try Self.take(&state, folder)
                try blob.append(chunk)
                state = .open(blob)
            }
        }

        func complete(
            expecting expected: SHA256Digest?, firstBytes: [UInt8], in folder: BlobFolder
        ) throws(BlobError) -> (blob: HashedFile, path: String) {
            try state.withLock { state throws(BlobError) in
                let complete = try Self.take(&state, folder).complete(expecting: expected)
                let blob = HashedFile(digest: complete.digest, bytes: complete.bytes, firstBytes: firstBytes)
                let path = complete.path
                state = .complete(complete)
                return (blob, path)
            }
        }

        /// Nil when it is not complete; then nothing has changed.
        func install(
            firstBytes: [UInt8], in folder: BlobFolder, isCopy: Bool
        ) throws(BlobError) -> HashedFile? {
            try state.withLock { state throws(BlobError) in
                guard state.complete != nil else { return nil }
                let old = exchange(&state, with: .ended)
                switch consume old {
                case .complete(let complete):
                    let stored = HashedFile(digest: complete.digest, bytes: complete.bytes, firstBytes: firstBytes)
                    try complete.install(in: folder, isCopy: isCopy)
                    return stored
                case .new: return nil
                case .open: return nil
                case .ended: return nil
                }
            }
        }

        func end() { state.withLock { $0 = .ended } }

        /// The file that has all bytes; nil when there is none.
        var complete: (digest: SHA256Digest, bytes: Int64, path: String)? { state.withLock { $0.complete } }

        /// Whether there is no file, or none any more.
        var hasNoFile: Bool { state.withLock { $0.isEmpty } }

        private static func take(_ state: inout State, _ folder: BlobFolder) throws(BlobError) -> TemporaryBlob {
            let old = exchange(&state, with: .ended)
            switch consume old {
            case .new: return try TemporaryBlob(in: folder)
            case .open(let blob): return blob
            case .complete: throw .ended
            case .ended: throw .ended
            }
        }
    }
}
