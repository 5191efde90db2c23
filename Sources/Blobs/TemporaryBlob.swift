internal import Crypto
internal import Foundation

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
        try Disk.write(chunk, to: file.descriptor)
        hash.update(chunk)
        bytes += Int64(chunk.count)
        if let range = writeback.due(at: bytes) { Disk.beginWriting(range, of: file.descriptor) }
    }

    /// Makes the file durable, then a blob.
    consuming func install(
        expecting expected: SHA256Digest?, firstBytes: [UInt8], in folder: BlobFolder
    ) throws(BlobError) -> StoredBlob {
        let bytes = bytes
        let file = file
        let digest = hash.finish()
        if let expected, digest != expected { throw .unexpectedDigest(expected: expected, actual: digest) }
        try Disk.synchronizeData(of: file.descriptor)
        try folder.install(file.path, as: digest)
        return StoredBlob(digest: digest, bytes: bytes, firstBytes: firstBytes)
    }
}

/// An open file with a name of its own that is gone at the end, unless it was renamed.
private struct TemporaryFile: ~Copyable {
    let path: String
    let descriptor: Int32

    init(in folder: BlobFolder) throws(BlobError) {
        path = "\(folder.temporary)/\(Hex.encode(randomBytes(count: 16)))"
        descriptor = try Disk.open(path, O_WRONLY | O_CREAT | O_EXCL)
    }

    deinit {
        close(descriptor)
        // Nothing has this name any more after a rename. What a failure leaves, the sweep finds.
        unlink(path)
    }
}
