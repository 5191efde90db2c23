internal import Crypto
internal import FoundationEssentials
internal import HTTP
internal import S3

/// Lists of a bucket's blobs, and the blobs that were set aside.
extension BlobBucket {
    // MARK: Lists

    /// The blobs whose digests start with the byte `shard`.
    func blobs(inShard shard: UInt8) async throws(BlobError) -> [ListedBlob] {
        try await list("\(options.prefix)blobs/\(Hex.encode([shard]))/")
    }

    /// The number of blobs; it lists all of them.
    func count() async throws(BlobError) -> Int {
        var count = 0
        try await eachPage(of: "\(options.prefix)blobs/") { count += Self.blobs(among: $0).count }
        return count
    }

    private func list(_ folder: String) async throws(BlobError) -> [ListedBlob] {
        var found: [ListedBlob] = []
        try await eachPage(of: folder) { found += Self.blobs(among: $0) }
        return found
    }

    /// Other names are not ours.
    private static func blobs(among objects: [S3List.Object]) -> [ListedBlob] {
        objects.compactMap { object in
            SHA256Digest(hex: String(object.key.split(separator: "/").last ?? "")).map {
                ListedBlob(digest: $0, bytes: object.bytes, stored: object.modified)
            }
        }
    }

    func eachPage(of folder: String, _ take: ([S3List.Object]) -> Void) async throws(BlobError) {
        var token: String?
        repeat {
            let answer = try await answer { [token] in $0.list(folder, after: token) }
            guard let list = answer.list else { throw error(answer) }
            take(list.objects)
            token = list.next
        } while token != nil
    }

    // MARK: lost+found

    func setAside(_ digest: SHA256Digest, storedBefore moment: Date) async throws(BlobError) -> Bool {
        guard let blob = try await look(digest), blob.stored < moment else { return false }
        try await move(key(digest), to: lostKey(digest))
        return true
    }

    func blobsSetAside() async throws(BlobError) -> [ListedBlob] { try await list("\(options.prefix)lost+found/") }

    func removeSetAside(_ digest: SHA256Digest) async throws(BlobError) -> Bool {
        guard try await look(digest, at: lostKey(digest)) != nil else { return false }
        try await delete(lostKey(digest))
        return true
    }

    /// Takes a blob back that was set aside.
    func restore(_ digest: SHA256Digest) async throws(BlobError) -> Bool {
        guard try await look(digest, at: lostKey(digest)) != nil else { return false }
        try await move(lostKey(digest), to: key(digest))
        return true
    }

    private func move(_ source: String, to target: String) async throws(BlobError) {
        try await copy(source, to: target)
        try await delete(source)
    }

    private func copy(_ source: String, to target: String) async throws(BlobError) {
        let fields = fields
        let answer = try await answer { $0.copy(source, to: target, fields: fields) }
        guard answer.isCopy else { throw error(answer) }
    }

    // MARK: Damaged objects

    /// Copies an object whose bytes are wrong aside, where there is one, before the right ones take its place.
    func setDamagedAside(_ digest: SHA256Digest) async throws(BlobError) {
        guard try await look(digest) != nil else { return }
        try await copy(key(digest), to: "\(options.prefix)damaged/\(DamagedName.of(digest))")
    }

    func removeDamaged(before moment: Date) async throws(BlobError) -> Int {
        var count = 0
        for object in try await objects(below: "damaged/") where object.modified < moment {
            try await deleteObject(object.name)
            count += 1
        }
        return count
    }
}
