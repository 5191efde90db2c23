internal import Crypto
internal import EventLoops
package import FoundationEssentials
internal import Glibc
internal import System

/// Where blobs lie in the store's folder: `blobs/ab/<64 hexadecimal digits>`, and `temporary/` for what is not one yet.
///
/// All 256 folders are there from the start, so that storing a blob makes one name durable: the file's own.
struct BlobFolder: Sendable {
    let path: String

    var blobs: String { "\(path)/blobs" }
    var temporary: String { "\(path)/temporary" }
    /// For blobs that the database does not know, until they are removed.
    var lostAndFound: String { "\(path)/lost+found" }
    /// For files with other bytes than their digests say, which were put right.
    var damaged: String { "\(path)/damaged" }
    /// For uploads that come in parts.
    var uploads: String { "\(path)/uploads" }
    /// The file that names the installation.
    var installation: String { "\(path)/installation" }

    /// The folder of the blobs whose digests start with this byte.
    func shard(_ byte: UInt8) -> String { "\(blobs)/\(Hex.encode([byte]))" }

    func shard(of digest: SHA256Digest) -> String { "\(blobs)/\(digest.hex.prefix(2))" }

    func file(_ digest: SHA256Digest) -> String { "\(shard(of: digest))/\(digest.hex)" }

    func lostFile(_ digest: SHA256Digest) -> String { "\(lostAndFound)/\(digest.hex)" }

    /// A path in `temporary/` that nothing has yet.
    func newTemporary() -> String { "\(temporary)/\(Hex.encode(randomBytes(count: 16)))" }

    /// Makes a file whole or not at all: `write` fills it under another name, and returns the path that it then gets.
    func makeFile(
        isDurable: Bool, _ write: (OpenFile) throws(BlobError) -> String
    ) throws(BlobError) {
        let path = newTemporary()
        do throws(BlobError) {
            let file = try Disk.open(path, O_WRONLY | O_CREAT | O_EXCL)
            let target = try write(file)
            if isDurable { try Disk.synchronizeData(of: file) }
            try Disk.rename(path, to: target)
        } catch {
            _ = try Disk.remove(path)
            throw error
        }
    }

    func make() throws(BlobError) {
        for folder in [path, blobs, temporary] { try Disk.makeFolder(folder) }
        for byte in UInt8.min...UInt8.max { try Disk.makeFolder(shard(byte)) }
        for folder in [blobs, path] { try Disk.synchronizeFolder(folder) }
    }

    /// Makes the synchronized file at `source` the blob of `digest`, durably.
    ///
    /// It takes the place of a blob that is there: equal digests are equal bytes, and one that was damaged on the disk is whole again.
    func install(_ source: String, as digest: SHA256Digest) throws(BlobError) {
        let target = file(digest)
        // A sweeper spares what is young, and looks at it and removes it while it holds the folder alone.
        try Disk.holding(shard(of: digest), alone: false) { () throws(BlobError) in
            // The file may be old; what is stored now is young.
            _ = try Disk.touch(source)
            try Disk.rename(source, to: target)
        }
        try Disk.synchronizeFolder(shard(of: digest))
    }

    /// Moves a file whose bytes are wrong aside, where there is one, before the right ones take its place.
    func setDamagedAside(_ digest: SHA256Digest) throws(BlobError) {
        guard try Disk.status(of: file(digest)) != nil else { return }
        try Disk.makeFolder(damaged)
        try Disk.holding(shard(of: digest), alone: false) { () throws(BlobError) in
            try Disk.rename(file(digest), to: "\(damaged)/\(DamagedName.of(digest))")
        }
        try Disk.synchronizeFolder(damaged)
    }

    /// Does `body`, which takes a blob away, while nobody stores it, if it was last stored before `moment`.
    ///
    /// - Returns: Whether there was such a blob and `body` took it.
    func whileStored(
        _ digest: SHA256Digest, before moment: Date, _ body: () throws(BlobError) -> Bool
    ) throws(BlobError) -> Bool {
        guard try Disk.status(of: file(digest)) != nil else { return false }
        return try Disk.holding(shard(of: digest), alone: true) { () throws(BlobError) in
            guard let status = try Disk.status(of: file(digest)), status.modified < moment, try body() else {
                return false
            }
            try Disk.synchronizeFolder(shard(of: digest))
            return true
        }
    }
}

/// The identifier of the installation that the files belong to, in the file `installation` of the store's folder.
extension BlobStore {
    /// The identifier, nil when none was written yet.
    ///
    /// - Throws: `invalidInstallation` when the file holds none.
    package func installation() async throws(BlobError) -> UUID? {
        if let bucket = keeper { return try await bucket.installation() }
        let path = folder.installation
        return try await threads.run { () throws(BlobError) in
            guard try Disk.status(of: path) != nil else { return nil }
            var bytes: [UInt8] = []
            try Disk.readBlocks(of: try Disk.open(path, O_RDONLY)) { block in bytes += block.prefix(64) }
            let text = String(decoding: bytes, as: UTF8.self).trimmed
            guard let id = UUID(uuidString: text) else { throw .invalidInstallation(path: path) }
            return id
        }
    }

    /// Writes the identifier durably, in place of another; nil stands for the place where blobs are kept.
    package func setInstallation(_ id: UUID, in place: Place? = nil) async throws(BlobError) {
        if place ?? self.place == .bucket, let bucket { return try await bucket.setInstallation(id) }
        let folder = folder
        try await threads.run { () throws(BlobError) in
            try folder.makeFile(isDurable: true) { file throws(BlobError) in
                try Disk.write(Array("\(id.uuidString.lowercased())\n".utf8)[...], to: file)
                return folder.installation
            }
            try Disk.synchronizeFolder(folder.path)
        }
    }
}
