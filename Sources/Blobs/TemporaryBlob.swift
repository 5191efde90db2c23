internal import Crypto
internal import Glibc
internal import System

/// A file in `temporary/` on its way to become a blob; it disappears when it does not.
struct TemporaryBlob: ~Copyable {
    private let file: TemporaryFile
    private var hash = SHA256()
    private var bytes: Int64 = 0
    private var writeback = EarlyWriteback()

    init(in folder: BlobFolder) throws(BlobError) {
        file = try TemporaryFile(in: folder)
    }

    mutating func append(_ chunk: ArraySlice<UInt8>) throws(BlobError) {
        try Disk.write(chunk, to: file.file)
        hash.update(chunk)
        bytes += Int64(chunk.count)
        if let range = writeback.due(at: bytes) { Disk.beginWriting(range, of: file.file) }
    }

    /// No more bytes come.
    ///
    /// - Throws: `unexpectedDigest`.
    consuming func complete(expecting expected: SHA256Digest? = nil) throws(BlobError) -> CompleteBlob {
        let bytes = bytes
        let file = file
        let digest = hash.finish()
        if let expected, digest != expected { throw .unexpectedDigest(expected: expected, actual: digest) }
        return CompleteBlob(file: file, digest: digest, bytes: bytes)
    }
}

/// A file in `temporary/` that has all its bytes; it disappears when it does not become a blob.
struct CompleteBlob: ~Copyable {
    private let file: TemporaryFile
    let digest: SHA256Digest
    let bytes: Int64

    /// The path of the bytes.
    var path: String { file.path }

    fileprivate init(file: consuming TemporaryFile, digest: SHA256Digest, bytes: Int64) {
        self.file = file
        self.digest = digest
        self.bytes = bytes
    }

    /// Makes the file durable, unless it is a copy of what is kept elsewhere, then a blob.
    consuming func install(in folder: BlobFolder, isCopy: Bool) throws(BlobError) {
        if !isCopy { try Disk.synchronizeData(of: file.file) }
        try folder.install(file.path, as: digest)
    }
}

/// An open file with a name of its own that is gone at the end, unless it was renamed.
private struct TemporaryFile: ~Copyable {
    let path: String
    let file: OpenFile

    init(in folder: BlobFolder) throws(BlobError) {
        path = folder.newTemporary()
        file = try Disk.open(path, O_WRONLY | O_CREAT | O_EXCL)
    }

    deinit {
        // Nothing has this name any more after a rename. The sweep finds the files of a failure.
        unlink(path)
    }
}

/// The ranges of a growing file that the disk should begin to write while more comes, so that the sync at its end finds
/// little.
///
/// Without it the disk rests while bytes arrive, and the processor rests while the disk writes them.
struct EarlyWriteback {
    /// In bytes: long enough for few and large writes, short enough that little of a photo is left at its end.
    static let stride: Int64 = 1 << 20

    private var begun: Int64 = 0

    /// All whole strides of the first `bytes` bytes that were not given before.
    mutating func due(at bytes: Int64) -> Range<Int64>? {
        let end = bytes - bytes % Self.stride
        guard end > begun else { return nil }
        defer { begun = end }
        return begun..<end
    }
}
