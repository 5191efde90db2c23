internal import Glibc

/// The file that holds the sealing keys: one key of 32 bytes a line, in base64, the current one last.
///
/// Only its owner may read it (mode 0600).
package enum KeyFile {
    /// The keys of the file at `path`; when there is no file, it is made with one new key.
    ///
    /// Its folder must exist. Any number of processes may call this at once, and any may stop at any instant: the file
    /// appears whole and durable, or not at all. It waits for the disk.
    ///
    /// - Throws: `keyFile`.
    package static func loadOrCreate(_ path: String) throws(CryptoError) -> KeyRing {
        if let ring = try load(path) { return ring }
        try create(path, [SealingKey.random().base64])
        guard let ring = try load(path) else { throw .keyFile(path: path, .system(call: "open", code: ENOENT)) }
        return ring
    }

    /// The keys of the file at `path`, `nil` when there is none. The ring sees when the file is replaced.
    ///
    /// - Throws: `keyFile`.
    package static func load(_ path: String) throws(CryptoError) -> KeyRing? {
        try WatchedKeyFile(path).map(KeyRing.init)
    }

    /// Whether the content of a key file has the key of this identifier.
    package static func holds(_ id: [UInt8], in content: [UInt8]) -> Bool {
        guard let keys = keys(from: content[...]) else { return false }
        return keys.all.contains { $0.id.bytes == id }
    }

    /// Makes the file at `path` of the content of another, unless there is one.
    ///
    /// - Throws: `keyFile`, also when these are no keys.
    package static func create(_ path: String, of content: [UInt8]) throws(CryptoError) {
        guard keys(from: content[...]) != nil else { throw .keyFile(path: path, .badContent) }
        try create(path, lines(of: content[...]).map { String(decoding: $0, as: UTF8.self) })
    }

    /// Adds a new key, which is the current one from now on. Rotations at the same time follow each other.
    ///
    /// - Throws: `keyFile`.
    package static func addKey(_ path: String) throws(CryptoError) {
        try change(path) { $0.append(SealingKey.random().base64) }
    }

    /// Forgets all keys but the current one: what they have sealed can never be opened again.
    ///
    /// - Throws: `keyFile`.
    package static func deleteFormerKeys(_ path: String) throws(CryptoError) {
        try change(path) { $0 = $0.suffix(1) }
    }

    /// Replaces the file by one with other lines, whole and durable, while nobody else does.
    private static func change(_ path: String, _ edit: (inout [String]) -> Void) throws(CryptoError) {
        let descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open", "\(path).lock") }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0 else { throw failure("flock", "\(path).lock") }
        guard let bytes = try content(path), keys(from: bytes) != nil else { throw .keyFile(path: path, .badContent) }
        var lines = lines(of: bytes).map { String(decoding: $0, as: UTF8.self) }
        edit(&lines)
        let temporary = try write(lines, beside: path)
        guard rename(temporary, path) == 0 else {
            let error = failure("rename", path)
            unlink(temporary)
            throw error
        }
        try synchronizeFolder(of: path)
    }

    /// The keys of the file at `path` as they are now, `nil` when there is none.
    static func keys(_ path: String) throws(CryptoError) -> SealingKeys? {
        guard let bytes = try content(path) else { return nil }
        guard let keys = keys(from: bytes) else { throw .keyFile(path: path, .badContent) }
        return keys
    }

    private static func content(_ path: String) throws(CryptoError) -> ArraySlice<UInt8>? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 && errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("fstat", path) }
        let isOurs = status.st_uid == geteuid() || status.st_uid == 0
        guard status.st_mode & S_IFMT == S_IFREG, isOurs else { throw .keyFile(path: path, .notOurs) }
        guard status.st_mode & 0o077 == 0 else { throw .keyFile(path: path, .openToOthers) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw failure("read", path) }
        guard count < buffer.count else { throw .keyFile(path: path, .badContent) }
        return buffer.prefix(count)
    }

    private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    }

    private static func keys(from bytes: ArraySlice<UInt8>) -> SealingKeys? {
        let lines = lines(of: bytes)
        var keys = lines.compactMap { Base64.decode(String(decoding: $0, as: UTF8.self)) }
            .compactMap { SealingKey(bytes: $0) }
        guard keys.count == lines.count, let current = keys.popLast() else { return nil }
        return SealingKeys(current: current, former: keys)
    }

    /// Makes the file under another name and links it, which fails without harm when another process was faster.
    private static func create(_ path: String, _ lines: [String]) throws(CryptoError) {
        let temporary = try write(lines, beside: path)
        defer { unlink(temporary) }
        guard link(temporary, path) == 0 || errno == EEXIST else { throw failure("link", path) }
        try synchronizeFolder(of: path)
    }

    /// Writes a file of its own beside `path`, durably; its name.
    private static func write(_ lines: [String], beside path: String) throws(CryptoError) -> String {
        let temporary = "\(path).\(Hex.encode(randomBytes(count: 8)))"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open", temporary) }
        defer { close(descriptor) }
        let bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
            let error = failure("write", temporary)
            unlink(temporary)
            throw error
        }
        return temporary
    }

    private static func synchronizeFolder(of path: String) throws(CryptoError) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        let descriptor = open(String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", String(folder)) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("fsync", String(folder)) }
    }

    private static func failure(_ call: String, _ path: String) -> CryptoError {
        .keyFile(path: path, .system(call: call, code: errno))
    }
}
