internal import Crypto
internal import Foundation
package import System

/// A blob that is open for reading.
package struct OpenBlob: Sendable {
    /// The open file; closed when its last owner lets it go.
    package let file: OpenFile
    /// The size.
    package let bytes: Int64

    init(_ path: String, _ digest: SHA256Digest) throws(BlobError) {
        do {
            file = OpenFile(owning: try Disk.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK))
        } catch .system(_, ENOENT) {
            throw .notFound(digest)
        }
        let status = try Disk.status(of: file.descriptor)
        guard status.isFile else { throw .damaged(digest) }
        bytes = status.bytes
    }

    /// Opens a file that is no blob, and removes its name: its bytes go with the last owner.
    init(removing path: String) throws(BlobError) {
        file = OpenFile(owning: try Disk.open(path, O_RDONLY | O_NOFOLLOW))
        unlink(path)
        bytes = try Disk.status(of: file.descriptor).bytes
    }

    /// The digest of its bytes from the descriptor's position on.
    func hash() throws(BlobError) -> SHA256Digest {
        var hash = SHA256()
        try Disk.readBlocks(of: file.descriptor) { block in hash.update(block) }
        return hash.finish()
    }
}
