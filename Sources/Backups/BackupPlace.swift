package import Blobs
package import Crypto
package import EventLoops
package import FoundationEssentials
internal import Glibc
internal import System

/// The place of backups: a folder or a bucket, encrypted or not.
///
/// `pics-backups.json` says which; `backups/ID/` is one backup; `blobs/ab/…` are the files of all of them, each once, by the digest or, when
/// encrypted, by a code of it.
package struct BackupPlace: Sendable {
    /// For people.
    package var shown: String { files.shown }

    let files: NamedFiles
    let threads: BlockingThreads
    /// For files on their way; this user's own.
    let scratch: String
    /// Nil where nothing is encrypted.
    private let key: SealingKey?
    private let installation: UUID?

    private static let head = "pics-backups.json"
    private static let chunk = 1 << 20

    private struct Head: Codable {
        var form = 1
        /// Base64 of the salt of the passphrase; nil where nothing is encrypted.
        var salt: String?
        /// The identifier of the key that comes of passphrase and salt.
        var key: String?
        /// The Pics whose backups these are.
        var installation: UUID?
    }

    private init(
        files: NamedFiles, threads: BlockingThreads, scratch: String, key: SealingKey? = nil, installation: UUID? = nil
    ) {
        (self.files, self.threads, self.scratch) = (files, threads, scratch)
        (self.key, self.installation) = (key, installation)
    }

    /// Opens a place that has backups.
    ///
    /// - Returns: Nil where there is none.
    /// - Throws: `BackupError.locked`, `wrongPassphrase`, `plain`, `BlobError`.
    package static func open(
        _ files: NamedFiles, passphrase: Secret<String>?, threads: BlockingThreads, scratch: String
    ) async throws -> BackupPlace? {
        let plain = BackupPlace(files: files, threads: threads, scratch: scratch)
        guard let bytes = try await plain.plainBytes(of: head) else { return nil }
        // Any fault of the JSON is damage.
        guard let head = try? JSONDecoder().decode(Head.self, from: Data(bytes)) else {
            throw BackupError.damaged(head)
        }
        guard head.form == 1 else { throw BackupError.newer(release: "a later release") }
        guard let salt = head.salt.flatMap({ Base64.decode($0) }) else {
            // Whoever may write there could put backups of their own in the place of encrypted ones.
            guard passphrase == nil else { throw BackupError.plain(files.shown) }
            return BackupPlace(
                files: files, threads: threads, scratch: scratch, installation: head.installation)
        }
        guard let passphrase else { throw BackupError.locked }
        let key = try await threads.run { () throws(CryptoError) in
            try SealingKey(passphrase: passphrase, salt: salt)
        }
        guard key.id.description == head.key else { throw BackupError.wrongPassphrase }
        return BackupPlace(
            files: files, threads: threads, scratch: scratch, key: key, installation: head.installation)
    }

    /// Opens a place for the backups of a Pics, or begins one, which is encrypted if there is a passphrase.
    ///
    /// - Throws: As `open`; `BackupError.ofAnother`.
    package static func begin(
        _ files: NamedFiles, for installation: UUID?, passphrase: Secret<String>?, threads: BlockingThreads,
        scratch: String
    ) async throws -> BackupPlace {
        if let place = try await open(files, passphrase: passphrase, threads: threads, scratch: scratch) {
            if let other = place.installation, other != installation { throw BackupError.ofAnother(files.shown) }
            return place
        }
        var begun = Head(installation: installation)
        if let passphrase {
            let salt = randomBytes(count: 16)
            let key = try await threads.run { () throws(CryptoError) in
                try SealingKey(passphrase: passphrase, salt: salt)
            }
            (begun.salt, begun.key) = (Base64.encode(salt), key.id.description)
        }
        try await files.put([UInt8](try JSONEncoder().encode(begun)), as: head)
        guard let place = try await open(files, passphrase: passphrase, threads: threads, scratch: scratch) else {
            throw BackupError.notFound(files.shown)
        }
        return place
    }

    // MARK: Backups

    /// The finished backups, the newest first.
    ///
    /// - Throws: `BlobError`.
    package func backups() async throws -> [String] {
        try await files.list("backups/").compactMap { file in
            let parts = file.name.split(separator: "/")
            return parts.count == 3 && parts[2] == "manifest.json" ? String(parts[1]) : nil
        }.sorted(by: >)
    }

    /// The manifest of a backup, or of the newest.
    ///
    /// - Throws: `BackupError`, `BlobError`.
    package func manifest(_ id: String? = nil) async throws -> BackupManifest {
        guard let id = try await backups().first(where: { id == nil || $0 == id }) else {
            throw BackupError.notFound(id.map { "\(shown) of \($0)" } ?? shown)
        }
        let name = BackupManifest.name(id)
        guard let bytes = try await bytes(of: name) else { throw BackupError.damaged(name) }
        return try BackupManifest(parsing: bytes, named: name)
    }

    // MARK: Files

    /// Writes the stored file of this digest to a new one at `path`.
    ///
    /// - Returns: False when there is none with these bytes: then nothing is at `path`.
    /// - Throws: `BlobError`.
    package func copy(_ digest: SHA256Digest, to path: String) async throws -> Bool {
        let found: SHA256Digest?
        do {
            found = try await get(name(ofBlob: digest), to: path)
        } catch BackupError.damaged {
            found = nil
        }
        if found != digest { await threads.remove([path]) }
        return found == digest
    }

    /// The name of a stored file. The first byte of the digest is told in any case: files are looked for by it.
    func name(ofBlob digest: SHA256Digest) -> String {
        let name = key.map { Hex.encode($0.authenticationCode(of: digest.bytes, context: "blob of a backup")) }
        return "\(Self.shard(digest.bytes[0]))\(name ?? digest.hex)"
    }

    static func shard(_ byte: UInt8) -> String { "blobs/\(Hex.encode([byte]))/" }

    /// Writes a copy of the file at `path`.
    func put(fileAt path: String, as name: String) async throws {
        guard let key else { return try await files.put(fileAt: path, as: name) }
        let sealed = newPath()
        try await threads.removing([sealed]) { () async throws in
            try await threads.run { try Self.seal(path, to: sealed, as: name, key) }
            try await files.put(fileAt: sealed, as: name)
        }
    }

    /// Writes a small file.
    func put(_ bytes: [UInt8], as name: String) async throws {
        let path = newPath()
        try await threads.removing([path]) { () async throws in
            try await threads.run { try Data(bytes).write(to: URL(filePath: path)) }
            try await put(fileAt: path, as: name)
        }
    }

    /// Writes the bytes of a file to a new one at `path`.
    ///
    /// - Returns: Their digest; nil when there is no such file.
    /// - Throws: `BackupError.damaged` for an encrypted file that is not what was written, `BlobError`.
    func get(_ name: String, to path: String) async throws -> SHA256Digest? {
        guard let key else { return try await files.get(name, to: path) }
        let sealed = newPath()
        return try await threads.removing([sealed]) { () async throws in
            guard try await files.get(name, to: sealed) != nil else { return nil }
            return try await threads.run { try Self.open(sealed, to: path, as: name, key) }
        }
    }

    /// A small file; nil when there is none.
    func bytes(of name: String) async throws -> [UInt8]? {
        guard key != nil else { return try await plainBytes(of: name) }
        let path = newPath()
        return try await threads.removing([path]) { () async throws in
            guard try await get(name, to: path) != nil else { return nil }
            return try await threads.run { [UInt8](try Data(contentsOf: URL(filePath: path))) }
        }
    }

    private func plainBytes(of name: String) async throws -> [UInt8]? {
        let path = newPath()
        return try await threads.removing([path]) { () async throws in
            guard try await files.get(name, to: path) != nil else { return nil }
            return try await threads.run { [UInt8](try Data(contentsOf: URL(filePath: path))) }
        }
    }

    /// A path for a file on its way that nothing has yet.
    func newPath() -> String { "\(scratch)/backup-\(Hex.encode(randomBytes(count: 8)))" }

    /// Runs `body` with a folder for files on their way, which is removed afterwards.
    func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = newPath()
        try await threads.run { () throws in
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body(folder)) } catch { result = .failure(error) }
        // One that stays is removed with other old copies.
        await threads.run { try? FileManager.default.removeItem(atPath: folder) }
        return try result.get()
    }

    // MARK: Encryption

    // A file is a row of pieces: their length in 4 bytes, and at most a mebibyte, sealed for the file's name, the piece's place, and
    // whether it is the last. So nobody can swap files, or take pieces away.

    private static func context(_ name: String, _ index: Int, isLast: Bool) -> String {
        "backup/\(name)/\(index)/\(isLast ? "last" : "more")"
    }

    private static func newFile(_ path: String) throws(BackupError) -> OpenFile {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path) }
        return OpenFile(owning: descriptor)
    }

    private static func seal(_ path: String, to target: String, as name: String, _ key: SealingKey) throws {
        var source = try FileReader(path)
        let file = try newFile(target)
        var piece = try source.next(chunk)
        var index = 0
        while true {
            let following = piece.isEmpty ? [] : try source.next(chunk)
            let sealed = try key.seal(piece, context: context(name, index, isLast: following.isEmpty))
            let count = withUnsafeBytes(of: UInt32(sealed.count).bigEndian) { Array($0) }
            guard file.write((count + sealed)[...]) else { throw BackupError.file(target) }
            if following.isEmpty { return }
            (piece, index) = (following, index + 1)
        }
    }

    private static func open(
        _ path: String, to target: String, as name: String, _ key: SealingKey
    ) throws -> SHA256Digest {
        var source = try FileReader(path)
        let file = try newFile(target)
        func sealedPiece() throws -> [UInt8]? {
            let head = try source.next(4)
            guard !head.isEmpty else { return nil }
            let count = head.reduce(0) { $0 << 8 | Int($1) }
            guard head.count == 4, count <= chunk + 64, case let sealed = try source.next(count), sealed.count == count
            else { throw BackupError.damaged(name) }
            return sealed
        }
        var hash = SHA256()
        var index = 0
        guard var sealed = try sealedPiece() else { throw BackupError.damaged(name) }
        while true {
            let following = try sealedPiece()
            let piece: [UInt8]
            do throws(CryptoError) {
                piece = try key.open(sealed, context: context(name, index, isLast: following == nil))
            } catch {
                throw BackupError.damaged(name)
            }
            hash.update(piece)
            guard file.write(piece[...]) else { throw BackupError.file(target) }
            guard let following else { return hash.finish() }
            (sealed, index) = (following, index + 1)
        }
    }
}

/// Reads a file from its beginning.
private struct FileReader {
    private let path: String
    private let file: OpenFile
    private var offset: Int64 = 0

    init(_ path: String) throws(BackupError) {
        guard let file = OpenFile(reading: path) else { throw .file(path) }
        (self.path, self.file) = (path, file)
    }

    /// As many bytes, fewer at the end of the file.
    mutating func next(_ count: Int) throws(BackupError) -> [UInt8] {
        guard let bytes = file.read(at: offset, atMost: count) else { throw .file(path) }
        offset += Int64(bytes.count)
        return bytes
    }
}
