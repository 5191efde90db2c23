internal import Crypto
internal import Foundation

/// Where blobs lie in the store's folder: `blobs/ab/cd/<64 hexadecimal digits>`, and `temporary/` for what is not one
/// yet.
struct BlobFolder: Sendable {
    let path: String

    var blobs: String { "\(path)/blobs" }
    var temporary: String { "\(path)/temporary" }

    func outer(_ digest: SHA256Digest) -> String { "\(blobs)/\(digest.hex.prefix(2))" }

    func inner(_ digest: SHA256Digest) -> String { "\(outer(digest))/\(digest.hex.dropFirst(2).prefix(2))" }

    func file(_ digest: SHA256Digest) -> String { "\(inner(digest))/\(digest.hex)" }

    func make() throws(BlobError) {
        for folder in [path, blobs, temporary] { try Disk.makeFolder(folder) }
        try Disk.synchronizeFolder(path)
    }

    /// Makes the synchronized file at `source` the blob of `digest`, durably; a whole blob that is already there stays.
    ///
    /// Equal digests are equal bytes, so that it does not matter which of several writers comes last.
    func install(_ source: String, as digest: SHA256Digest, bytes: Int64) throws(BlobError) {
        let target = file(digest)
        try Disk.makeFolder(outer(digest))
        try Disk.makeFolder(inner(digest))
        // A sweeper spares what is young, and looks at it and removes it while it holds the folder alone.
        try Disk.holding(inner(digest), alone: false) { () throws(BlobError) in
            let existing = try Disk.status(of: target)
            let isWhole = existing.map { $0.isFile && $0.bytes == bytes } ?? false
            let isKept = isWhole ? try Disk.touch(target) : false
            if !isKept {
                try Disk.rename(source, to: target)
                // What is moved here may be old, and what is stored now is young.
                _ = try Disk.touch(target)
            }
        }
        // All three also when nothing was made here: another writer's folders and names may not be durable yet.
        for folder in [inner(digest), outer(digest), blobs] { try Disk.synchronizeFolder(folder) }
    }
}
