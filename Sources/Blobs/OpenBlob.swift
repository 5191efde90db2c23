internal import Crypto
internal import Foundation

/// A blob that is open for reading; its descriptor closes when the last owner lets it go.
///
/// Several readers may share it if they read at offsets of their own (`pread`, `sendfile` with an offset).
package final class OpenBlob: Sendable {
    /// The open file; the owner must not close it.
    package let descriptor: Int32
    /// The size.
    package let bytes: Int64

    init(_ path: String, _ digest: SHA256Digest) throws(BlobError) {
        do {
            descriptor = try Disk.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch .system(_, ENOENT) {
            throw .notFound(digest)
        }
        let status: FileStatus
        do {
            status = try Disk.status(of: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        guard status.isFile else {
            close(descriptor)
            throw .damaged(digest)
        }
        bytes = status.bytes
    }

    /// Opens a file that is no blob, and removes its name: its bytes go with the last owner.
    init(removing path: String) throws(BlobError) {
        descriptor = try Disk.open(path, O_RDONLY | O_NOFOLLOW)
        unlink(path)
        do { bytes = try Disk.status(of: descriptor).bytes } catch {
            close(descriptor)
            throw error
        }
    }

    /// The digest of its bytes from the descriptor's position on.
    func hash() throws(BlobError) -> SHA256Digest {
        var hash = SHA256()
        try Disk.readBlocks(of: descriptor) { block in hash.update(block) }
        return hash.finish()
    }

    deinit { close(descriptor) }
}
