internal import Crypto
package import EventLoops
package import Foundation
package import HTTP
package import S3
internal import System

/// The bucket of an S3-compatible store in which blobs are kept: `PREFIXblobs/ab/<64 hexadecimal digits>`, as in a folder.
///
/// A request that fails on its way, or meets a store in trouble, is sent again a few times: each ends like one alone.
package struct BlobBucket: Sendable {
    /// What is written with each object.
    package struct Options: Sendable {
        /// Ends with a slash, or is empty.
        package var prefix = ""
        /// `AES256`, `aws:kms` or `aws:kms:KEY`; nil leaves it to the store.
        package var encryption: String?
        /// Files above go in parts of this size.
        package var partBytes: Int64 = 64 << 20
        /// Files are read in pieces of this size.
        package var pieceBytes: Int64 = 4 << 20

        package init() {}
    }

    /// Parts of one file that are on their way at once.
    private static let partsAtOnce = 3
    /// Pauses between tries of one request.
    private static let pauses: [Duration] = [.milliseconds(100), .milliseconds(400), .milliseconds(1600)]

    package let bucket: S3Bucket
    let options: Options
    private let keys: S3Keys
    private let transport: any Transport
    private let threads: BlockingThreads
    private let now: @Sendable () -> Date
    private let pause: @Sendable (Duration) async throws -> Void
    /// Bounds the memory that pieces take.
    private let pieces = AsyncSemaphore(count: 16)
    /// When a probe went well.
    private let probed = Lock<Date?>(nil)
    /// In seconds.
    private static let probeLife: TimeInterval = 60
    /// Whether the store keeps SHA-256 checksums; nil until it was asked.
    private let hasChecksums = Lock<Bool?>(nil)

    /// A bucket that is there; `threads` read and write files, `pause` waits before a request is sent again.
    package init(
        _ bucket: S3Bucket, _ options: Options = Options(), keys: S3Keys, over transport: any Transport,
        threads: BlockingThreads, now: @escaping @Sendable () -> Date = { Date() },
        pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.bucket = bucket
        self.options = options
        self.keys = keys
        self.transport = transport
        self.threads = threads
        self.now = now
        self.pause = pause
    }

    /// As people read it: `https://store.example/bucket/prefix`.
    package var shown: String { bucket.address(of: options.prefix) }

    // MARK: Keys

    func key(_ digest: SHA256Digest) -> String {
        "\(options.prefix)blobs/\(digest.hex.prefix(2))/\(digest.hex)"
    }
    func lostKey(_ digest: SHA256Digest) -> String { "\(options.prefix)lost+found/\(digest.hex)" }
    private var installationKey: String { "\(options.prefix)installation" }

    // MARK: Blobs

    /// Writes the file at `path` as the blob of its digest; it is durable when this returns, and young.
    ///
    /// The store compares what comes with the digest. Where it keeps checksums they are compared, else the size is.
    func put(fileAt path: String, as digest: SHA256Digest, bytes: Int64) async throws(BlobError) {
        guard bytes <= options.partBytes else { return try await putParts(ofFileAt: path, as: digest, bytes: bytes) }
        var fields = self.fields
        let hasChecksums = hasChecksums.withLock(\.self) == true
        if hasChecksums { fields.set("x-amz-checksum-sha256", Base64.encode(digest.bytes)) }
        let body = fields
        let answer = try await answer { requests in
            requests.put(
                .file(path: path, offset: 0, length: bytes), sha256: digest.hex, to: key(digest), fields: body)
        }
        guard answer.status.isSuccess else { throw error(answer) }
        if hasChecksums, let checksum = answer.response.fields["x-amz-checksum-sha256"] {
            guard checksum == Base64.encode(digest.bytes) else {
                throw .unavailable("the store has other bytes than were sent")
            }
        } else {
            try await confirm(digest, bytes)
        }
    }

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

    private func confirm(_ digest: SHA256Digest, _ bytes: Int64) async throws(BlobError) {
        guard try await look(digest)?.bytes == bytes else { throw .unavailable("the store lacks what was written") }
    }

    private func putParts(ofFileAt path: String, as digest: SHA256Digest, bytes: Int64) async throws(BlobError) {
        let fields = fields
        let begun = try await answer { $0.beginUpload(of: key(digest), fields: fields) }
        guard let upload = begun.uploadID else { throw error(begun) }
        do throws(BlobError) {
            let tags = try await putParts(ofFileAt: path, of: upload, to: key(digest), bytes: bytes)
            let answer = try await answer { $0.completeUpload(upload, of: key(digest), tags: tags) }
            // An answer that was lost: a look tells.
            guard answer.isCompletion || answer.code == "NoSuchUpload" else { throw error(answer) }
            try await confirm(digest, bytes)
        } catch {
            // What is left behind when this fails too, `abortUploads` finds.
            _ = try? await answer { $0.abortUpload(upload, of: key(digest)) }
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
    func get(_ digest: SHA256Digest, to path: String) async throws(BlobError) {
        do throws(BlobError) {
            let file = try await threads.run { () throws(BlobError) in
                try Disk.open(path, O_WRONLY | O_CREAT | O_EXCL)
            }
            guard try await read(digest, { block throws(BlobError) in try Disk.write(block, to: file) }) == digest
            else {
                throw BlobError.damaged(digest)
            }
        } catch {
            await threads.remove([path])
            throw error
        }
    }

    /// The digest of the bytes that are stored.
    ///
    /// - Throws: `notFound` or `unavailable`.
    func hash(_ digest: SHA256Digest) async throws(BlobError) -> SHA256Digest {
        try await read(digest) { _ throws(BlobError) in }
    }

    /// Reads a blob piece by piece; `take` is called on a disk thread, in order.
    private func read(
        _ digest: SHA256Digest, _ take: @escaping @Sendable (ArraySlice<UInt8>) throws(BlobError) -> Void
    ) async throws(BlobError) -> SHA256Digest {
        // Ranges of an object without bytes are refused.
        if digest == SHA256Digest(of: []), try await look(digest)?.bytes == 0 { return digest }
        let state = Lock(SHA256())
        var offset: Int64 = 0
        while true {
            let (piece, total) = try await piece(of: digest, from: offset)
            try await threads.run { () throws(BlobError) in
                try take(piece[...])
                state.withLock { $0.update(piece[...]) }
            }
            offset += Int64(piece.count)
            if offset >= total { return state.withLock { exchange(&$0, with: SHA256()).finish() } }
            guard !piece.isEmpty else { throw .damaged(digest) }
        }
    }

    /// Bytes of a blob, and how many it has in all.
    private func piece(of digest: SHA256Digest, from offset: Int64) async throws(BlobError) -> (
        bytes: [UInt8], total: Int64
    ) {
        await pieces.wait()
        defer { pieces.signal() }
        let end = offset + options.pieceBytes - 1
        let answer = try await answer { $0.get(key(digest), offset...end) }
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
        let answer = try await answer { $0.head(key) }
        if answer.status == .notFound { return nil }
        guard answer.status.isSuccess, let bytes = answer.response.fields["Content-Length"].flatMap({ Int64($0) }),
            let stored = answer.response.fields["Last-Modified"].flatMap({ HTTPDate($0)?.date })
        else { throw error(answer) }
        return ListedBlob(digest: digest, bytes: bytes, stored: stored)
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

    // MARK: The store

    /// Writes and removes a small object, and finds out whether the store keeps checksums; requests cost money, so that nothing is done for a
    /// minute after it went well.
    package func probe() async throws(BlobError) {
        if let last = probed.withLock(\.self), abs(now().timeIntervalSince(last)) < Self.probeLife { return }
        try await writeProbe()
        probed.withLock { $0 = now() }
    }

    private func writeProbe() async throws(BlobError) {
        let (key, digest) = ("\(options.prefix)temporary/\(Hex.encode(randomBytes(count: 16)))", SHA256Digest(of: [0]))
        var fields = self.fields
        let isKnown = hasChecksums.withLock(\.self) != nil
        if !isKnown { fields.set("x-amz-checksum-sha256", Base64.encode(digest.bytes)) }
        let sent = fields
        let put = try await answer { $0.put(.bytes([0]), sha256: digest.hex, to: key, fields: sent) }
        if !isKnown, put.status.code == 400 || put.status.code == 501 {
            // A store that has never heard of checksums.
            hasChecksums.withLock { $0 = false }
            return try await writeProbe()
        }
        guard put.status.isSuccess else { throw error(put) }
        if !isKnown {
            let look = try await answer { $0.head(key, fields: ["x-amz-checksum-mode": "ENABLED"]) }
            let kept = look.response.fields["x-amz-checksum-sha256"] == Base64.encode(digest.bytes)
            hasChecksums.withLock { $0 = kept }
        }
        try await delete(key)
    }

    /// Ends uploads in parts that nobody has ended since `moment`; returns how many.
    package func abortUploads(begunBefore moment: Date) async throws(BlobError) -> Int {
        let answer = try await answer { $0.listUploads(options.prefix) }
        guard let uploads = answer.uploads else { throw error(answer) }
        var count = 0
        for upload in uploads where upload.begun < moment {
            let ended = try await self.answer { $0.abortUpload(upload.id, of: upload.key) }
            if ended.status.isSuccess { count += 1 }
        }
        return count
    }

    /// The identifier of the installation; nil when none was written.
    func installation() async throws(BlobError) -> UUID? {
        let answer = try await answer { $0.get(installationKey, 0...63) }
        if answer.status == .notFound { return nil }
        guard answer.status.isSuccess else { throw error(answer) }
        let text = String(decoding: answer.response.body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let id = UUID(uuidString: text) else {
            throw .invalidInstallation(path: bucket.address(of: installationKey))
        }
        return id
    }

    func setInstallation(_ id: UUID) async throws(BlobError) {
        let bytes = Array("\(id.uuidString.lowercased())\n".utf8)
        let fields = fields
        let answer = try await answer {
            $0.put(.bytes(bytes), sha256: SHA256Digest(of: bytes).hex, to: installationKey, fields: fields)
        }
        guard answer.status.isSuccess else { throw error(answer) }
    }

    // MARK: Requests

    /// The answer to a request; trouble that passes is waited out for a moment.
    func answer(_ request: (S3Requests) -> OutgoingRequest) async throws(BlobError) -> S3Answer {
        var pauses = Self.pauses[...]
        while true {
            let result = await attempt(request)
            if case .success(let answer) = result, !answer.isTrouble { return answer }
            guard let next = pauses.popFirst(), !Task.isCancelled else { return try result.get() }
            do { try await pause(next) } catch { return try result.get() }
        }
    }

    private func attempt(_ request: (S3Requests) -> OutgoingRequest) async -> Result<S3Answer, BlobError> {
        let time = now()
        do {
            let credentials = try await keys.credentials(at: time)
            let requests = S3Requests(bucket, credentials, addresses: .any, at: time)
            return .success(S3Answer(try await transport.send(request(requests))))
        } catch {
            return .failure(.unavailable("\(error)"))
        }
    }

    func error(_ answer: S3Answer) -> BlobError {
        switch answer.code {
        case "QuotaExceeded", "XMinioStorageFull", "InsufficientStorage": .noSpace
        default: .unavailable(answer.words ?? "the store answered \(answer.status)")
        }
    }
}

extension S3Answer {
    /// Whether the same request may succeed in a moment.
    fileprivate var isTrouble: Bool {
        status.code >= 500 && code != "NotImplemented" || status.code == 429
            || ["SlowDown", "RequestTimeout", "InternalError", "BadDigest", "XAmzContentSHA256Mismatch"].contains(code)
    }
}
