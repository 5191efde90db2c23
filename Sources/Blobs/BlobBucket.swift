internal import Crypto
package import EventLoops
package import FoundationEssentials
package import HTTP
package import S3
internal import System

/// The bucket of an S3-compatible store in which blobs are kept: `PREFIXblobs/ab/<64 hexadecimal digits>`, as in a folder.
///
/// A request that fails on its way, or meets a store in trouble, is sent again a few times: each ends like one alone.
package struct BlobBucket: Sendable {
    /// The places and forms of objects.
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
    static let partsAtOnce = 3
    /// Pauses between tries of one request.
    private static let pauses: [Duration] = [.milliseconds(100), .milliseconds(400), .milliseconds(1600)]

    package let bucket: S3Bucket
    let options: Options
    private let keys: S3Keys
    private let transport: any Transport
    let threads: BlockingThreads
    private let now: @Sendable () -> Date
    private let pause: @Sendable (Duration) async throws -> Void
    /// Bounds the memory that pieces take.
    let pieces = AsyncSemaphore(count: 16)
    /// When a probe went well.
    private let probed = Lock<Date?>(nil)
    /// In seconds.
    private static let probeLife: TimeInterval = 60
    /// Whether the store keeps SHA-256 checksums; nil until it was asked.
    let hasChecksums = Lock<Bool?>(nil)

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

    func key(_ digest: SHA256Digest) -> String { "\(options.prefix)\(Self.name(digest))" }
    static func name(_ digest: SHA256Digest) -> String { "blobs/\(digest.hex.prefix(2))/\(digest.hex)" }
    func lostKey(_ digest: SHA256Digest) -> String { "\(options.prefix)lost+found/\(digest.hex)" }
    private var installationKey: String { "\(options.prefix)installation" }

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
        let text = String(decoding: answer.response.body, as: UTF8.self).trimmed
        guard let id = UUID(uuidString: text) else {
            throw .invalidInstallation(path: bucket.address(of: installationKey))
        }
        return id
    }

    func setInstallation(_ id: UUID) async throws(BlobError) {
        try await putObject(Array("\(id.uuidString.lowercased())\n".utf8), to: "installation")
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
