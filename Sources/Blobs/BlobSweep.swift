package import Crypto
internal import EventLoops
package import Foundation

/// A blob as a sweeper sees it.
package struct ListedBlob: Hashable, Sendable {
    /// Which blob.
    package let digest: SHA256Digest
    /// Its size.
    package let bytes: Int64
    /// When it was last stored; storing it again makes it young again.
    package let stored: Date
}

extension BlobStore {
    /// The blobs whose digests start with the byte `shard`, in no order: a 256th of all, so that a sweep needs little
    /// memory.
    package func blobs(inShard shard: UInt8) async throws(BlobError) -> [ListedBlob] {
        let folder = folder.shard(shard)
        return try await threads.run { () throws(BlobError) in
            var found: [ListedBlob] = []
            for name in try Disk.names(in: folder) {
                // Another process may remove it meanwhile; other names are not ours.
                guard let digest = SHA256Digest(hex: name), let status = try Disk.status(of: "\(folder)/\(name)"),
                    status.isFile
                else { continue }
                found.append(ListedBlob(digest: digest, bytes: status.bytes, stored: status.modified))
            }
            return found
        }
    }

    /// Removes what interrupted writers left in `temporary/` and nobody has written to for `age`.
    ///
    /// - Returns: How many files were removed.
    package func sweepTemporary(olderThan age: Duration) async throws(BlobError) -> Int {
        let folder = folder.temporary
        let limit = Date().addingTimeInterval(-(age / .seconds(1)))
        return try await threads.run { () throws(BlobError) in
            var removed = 0
            for name in try Disk.names(in: folder) {
                guard let status = try Disk.status(of: "\(folder)/\(name)"), status.modified <= limit else { continue }
                if try Disk.remove("\(folder)/\(name)") { removed += 1 }
            }
            return removed
        }
    }
}
