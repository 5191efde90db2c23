package import Crypto
internal import EventLoops
internal import FoundationEssentials
internal import Glibc
internal import HTTP
internal import S3
internal import System

/// Objects of a bucket: files go there in parts, and come in pieces.
extension BlobBucket {
    /// Writes the file at `path` as the blob of its digest; it is durable when this returns, and young.
    ///
    /// The store compares what comes with the digest. Where it keeps checksums they are compared, else the size is.
    func put(fileAt path: String, as digest: SHA256Digest, bytes: Int64) async throws(BlobError) {
        try await put(fileAt: path, as: digest, bytes: bytes, to: Self.name(digest))
    }

    /// The same under a name of its own below the prefix.
    func put(
        fileAt path: String, as digest: SHA256Digest, bytes: Int64, to name: String
    ) async throws(BlobError) {
        let key = options.prefix + name
        guard bytes <= options.partBytes else {
            return try await putParts(ofFileAt: path, bytes: bytes, to: key)
        }
        var fields = self.fields
        let hasChecksums = hasChecksums.withLock(\.self) == true
        if hasChecksums { fields.set("x-amz-checksum-sha256", Base64.encode(digest.bytes)) }
        let body = fields
        let answer = try await answer { requests in
            requests.put(
                .file(path: path, offset: 0, length: bytes), sha256: digest.hex, to: key, fields: body)
        }
        guard answer.status.isSuccess else { throw error(answer) }
        if hasChecksums, let checksum = answer.response.fields["x-amz-checksum-sha256"] {
            guard checksum == Base64.encode(digest.bytes) else {
                throw .unavailable("the store has other bytes than were sent")
            }
        } else {
            try await confirm(key, bytes)
        }
    }

    /// The fields of every object that is written.
    var fields: HTTPFields {
        var fields: HTTPFields = ["Content-Type": "application/octet-stream"]
        switch options.encryption {
        case nil: break
        case let value? where value.hasPrefix("aws:kms:"):
            fields.set("x-amz-server-side-encryption", "aws:kms")
            fields.set("x-amz-server-side-encryption-aws-kms-key-id", String(value.dropFirst("aws:kms:".count)))
        case let value?: fields.set("x-amz-server-side-encryption", value)
        }
        return fields
    }

    private func confirm(_ key: String, _ bytes: Int64) async throws(BlobError) {
        guard try await look(key)?.bytes == bytes else { throw .unavailable("the store lacks what was written") }
    }

    private func putParts(ofFileAt path: String, bytes: Int64, to key: String) async throws(BlobError) {
        let fields = fields
        let begun = try await answer { $0.beginUpload(of: key, fields: fields) }
        guard let upload = begun.uploadID else { throw error(begun) }
        do throws(BlobError) {
            let tags = try await putParts(ofFileAt: path, of: upload, to: key, bytes: bytes)
            let answer = try await answer { $0.completeUpload(upload, of: key, tags: tags) }
            // An answer that was lost: a look tells.
            guard answer.isCompletion || answer.code == "NoSuchUpload" else { throw error(answer) }
            try await confirm(key, bytes)
        } catch {
            // The first error is the one to tell. An upload that cannot be aborted now is one that `abortUploads` finds.
            _ = try? await answer { $0.abortUpload(upload, of: key) }
            throw error
        }
    }

    private func putParts(
        ofFileAt path: String, of upload: String, to key: String, bytes: Int64
    ) async throws(BlobError) -> [String] {
        let count = Int((bytes + options.partBytes - 1) / options.partBytes)
        do {
            return try await withThrowingTaskGroup(of: (Int, String).self) { group in
                var tags = [String](repeating: "", count: count)
                for index in 0..<count {
                    if index >= Self.partsAtOnce, let (done, tag) = try await group.next() { tags[done] = tag }
                    let offset = Int64(index) * options.partBytes
                    let length = min(options.partBytes, bytes - offset)
                    group.addTask {
                        (index, try await putPart(index + 1, of: upload, to: key, from: path, at: offset, length))
                    }
                }
                for try await (done, tag) in group { tags[done] = tag }
                return tags
            }
        } catch let error as BlobError {
            throw error
        } catch {
            throw .unavailable("\(error)")
        }
    }

    private func putPart(
        _ number: Int, of upload: String, to key: String, from path: String, at offset: Int64, _ length: Int64
    ) async throws(BlobError) -> String {
        let hash = try await threads.run { () throws(BlobError) in
            try Disk.hash(of: try Disk.open(path, O_RDONLY), from: offset, count: length)
        }
        let answer = try await answer { requests in
            requests.put(
                .file(path: path, offset: offset, length: length), sha256: hash.hex, asPart: number, of: upload, to: key
            )
        }
        guard answer.status.isSuccess, let tag = answer.response.fields["ETag"] else { throw error(answer) }
        return tag
    }

    /// Writes a blob's bytes to a new file at `path`, and compares them with its digest. The file is not durable.
    ///
    /// - Throws: `notFound`, `damaged`, `unavailable` and what the disk says; the file is gone then.
    package func get(_ digest: SHA256Digest, to path: String) async throws(BlobError) {
        try await get(digest, named: Self.name(digest), to: path)
    }

    /// The same of bytes under a name of their own.
    func get(_ digest: SHA256Digest, named name: String, to path: String) async throws(BlobError) {
        do throws(BlobError) {
            let file = try await threads.run { () throws(BlobError) in
                try Disk.open(path, O_WRONLY | O_CREAT | O_EXCL)
            }
            let actual = try await read(digest, named: name) { block throws(BlobError) in
                try Disk.write(block, to: file)
            }
            guard actual == digest else { throw BlobError.damaged(digest) }
        } catch {
            await threads.remove([path])
            throw error
        }
    }

    /// Writes the bytes of an object that has a name of its own to a new file at `path`.
    ///
    /// - Returns: Their digest; nil when there is no such object.
    func get(named name: String, to path: String) async throws(BlobError) -> SHA256Digest? {
        guard let found = try await look(options.prefix + name) else { return nil }
        let nothing = SHA256Digest(of: [])
        let file = try await threads.run { () throws(BlobError) in
            try Disk.open(path, O_WRONLY | O_CREAT | O_EXCL)
        }
        guard found.bytes > 0 else { return nothing }
        do throws(BlobError) {
            return try await read(nothing, named: name) { block throws(BlobError) in try Disk.write(block, to: file) }
        } catch .notFound {
            return nil
        }
    }

    /// The digest of the bytes that are stored.
    ///
    /// - Throws: `notFound` or `unavailable`.
    func hash(_ digest: SHA256Digest) async throws(BlobError) -> SHA256Digest {
        try await read(digest, named: Self.name(digest)) { _ throws(BlobError) in }
    }

    /// Reads an object piece by piece; `take` is called on a disk thread, in order.
    private func read(
        _ digest: SHA256Digest, named name: String,
        _ take: @escaping @Sendable (ArraySlice<UInt8>) throws(BlobError) -> Void
    ) async throws(BlobError) -> SHA256Digest {
        // Ranges of an object without bytes are refused.
        if digest == SHA256Digest(of: []), try await look(options.prefix + name)?.bytes == 0 { return digest }
        let state = Lock(SHA256())
        var offset: Int64 = 0
        while true {
            let (piece, total) = try await piece(of: digest, named: name, from: offset)
            try await threads.run { () throws(BlobError) in
                try take(piece[...])
                state.withLock { $0.update(piece[...]) }
            }
            offset += Int64(piece.count)
            if offset >= total { return state.withLock { exchange(&$0, with: SHA256()).finish() } }
            guard !piece.isEmpty else { throw .damaged(digest) }
        }
    }

    /// Bytes of an object, and how many it has in all.
    private func piece(
        of digest: SHA256Digest, named name: String, from offset: Int64
    ) async throws(BlobError) -> (bytes: [UInt8], total: Int64) {
        await pieces.wait()
        defer { pieces.signal() }
        let end = offset + options.pieceBytes - 1
        let answer = try await answer { $0.get(options.prefix + name, offset...end) }
        switch answer.status.code {
        case 200:
            // A store without ranges sends all of it.
            guard offset == 0 else { throw error(answer) }
            return (answer.response.body, Int64(answer.response.body.count))
        case 206:
            guard let total = answer.response.fields["Content-Range"]?.split(separator: "/").last.flatMap({ Int64($0) })
            else {
                throw error(answer)
            }
            return (answer.response.body, total)
        case 404: throw .notFound(digest)
        // Shorter than it was.
        case 416: throw .damaged(digest)
        default: throw error(answer)
        }
    }

    /// A blob as the store lists it; nil when there is none.
    func look(_ digest: SHA256Digest) async throws(BlobError) -> ListedBlob? { try await look(digest, at: key(digest)) }

    func look(_ digest: SHA256Digest, at key: String) async throws(BlobError) -> ListedBlob? {
        try await look(key).map { ListedBlob(digest: digest, bytes: $0.bytes, stored: $0.modified) }
    }

    private func look(_ key: String) async throws(BlobError) -> (bytes: Int64, modified: Date)? {
        let answer = try await answer { $0.head(key) }
        if answer.status == .notFound { return nil }
        guard answer.status.isSuccess, let bytes = answer.response.fields["Content-Length"].flatMap({ Int64($0) }),
            let modified = answer.response.fields["Last-Modified"].flatMap({ HTTPDate($0)?.date })
        else { throw error(answer) }
        return (bytes, modified)
    }

    /// Removes a blob that was last stored before `moment`.
    ///
    /// - Returns: Whether there was one.
    func remove(_ digest: SHA256Digest, storedBefore moment: Date) async throws(BlobError) -> Bool {
        guard let blob = try await look(digest), blob.stored < moment else { return false }
        try await delete(key(digest))
        return true
    }

    func delete(_ key: String) async throws(BlobError) {
        let answer = try await answer { $0.delete(key) }
        guard answer.status.isSuccess || answer.status == .notFound else { throw error(answer) }
    }

    // MARK: Other objects

    /// Writes a small object.
    func putObject(_ bytes: [UInt8], to name: String) async throws(BlobError) {
        let fields = fields
        let answer = try await answer {
            $0.put(.bytes(bytes), sha256: SHA256Digest(of: bytes).hex, to: options.prefix + name, fields: fields)
        }
        guard answer.status.isSuccess else { throw error(answer) }
    }

    func deleteObject(_ name: String) async throws(BlobError) { try await delete(options.prefix + name) }

    /// The objects whose names begin so, in the order of names.
    func objects(below folder: String) async throws(BlobError) -> [(name: String, bytes: Int64, modified: Date)] {
        var found: [(name: String, bytes: Int64, modified: Date)] = []
        try await eachPage(of: options.prefix + folder) { page in
            found += page.map { (String($0.key.dropFirst(options.prefix.count)), $0.bytes, $0.modified) }
        }
        return found
    }
}
