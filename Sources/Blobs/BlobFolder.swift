internal import Crypto
internal import Foundation

/// Where blobs lie in the store's folder: `blobs/ab/<64 hexadecimal digits>`, and `temporary/` for what is not one yet.
///
/// All 256 folders are there from the start, so that storing a blob makes one name durable: the file's own.
struct BlobFolder: Sendable {
    let path: String

    var blobs: String { "\(path)/blobs" }
    var temporary: String { "\(path)/temporary" }

    /// The folder of the blobs whose digests start with this byte.
    func shard(_ byte: UInt8) -> String { "\(blobs)/\(Hex.encode([byte]))" }

    func shard(of digest: SHA256Digest) -> String { "\(blobs)/\(digest.hex.prefix(2))" }

    func file(_ digest: SHA256Digest) -> String { "\(shard(of: digest))/\(digest.hex)" }

    func make() throws(BlobError) {
        for folder in [path, blobs, temporary] { try Disk.makeFolder(folder) }
        for byte in UInt8.min...UInt8.max { try Disk.makeFolder(shard(byte)) }
        for folder in [blobs, path] { try Disk.synchronizeFolder(folder) }
    }

    /// Makes the synchronized file at `source` the blob of `digest`, durably; a whole blob that is already there stays.
    ///
    /// Equal digests are equal bytes, so that it does not matter which of several writers comes last.
    func install(_ source: String, as digest: SHA256Digest, bytes: Int64) throws(BlobError) {
        let target = file(digest)
        // A sweeper spares what is young, and looks at it and removes it while it holds the folder alone.
        try Disk.holding(shard(of: digest), alone: false) { () throws(BlobError) in
            let existing = try Disk.status(of: target)
            let isWhole = existing.map { $0.isFile && $0.bytes == bytes } ?? false
            let isKept = isWhole ? try Disk.touch(target) : false
            if !isKept {
                try Disk.rename(source, to: target)
                // What is moved here may be old, and what is stored now is young.
                _ = try Disk.touch(target)
            }
        }
        // Also when it was there: another writer's name may not be durable yet.
        try Disk.synchronizeFolder(shard(of: digest))
    }
}
