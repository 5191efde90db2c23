internal import Foundation

/// The file that holds the sealing keys: one key of 32 bytes a line, in base64, the current one last.
///
/// Only its owner may read it (mode 0600). To rotate, append a line.
package enum KeyFile {
    /// The keys of the file at `path`; when there is no file, it is made with one new key.
    ///
    /// Its folder must exist. Any number of processes may call this at once, and any may stop at any instant: the file
    /// appears whole and durable, or not at all. It waits for the disk.
    ///
    /// - Throws: `keyFile`.
    package static func loadOrCreate(_ path: String) throws(CryptoError) -> KeyRing {
        if let ring = try load(path) { return ring }
        try create(path)
        guard let ring = try load(path) else { throw .keyFile(path: path, .system(call: "open", code: ENOENT)) }
        return ring
    }

    /// The keys of the file at `path`, `nil` when there is none.
    ///
    /// - Throws: `keyFile`.
    package static func load(_ path: String) throws(CryptoError) -> KeyRing? {
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
        guard count < buffer.count, let ring = ring(from: buffer.prefix(count)) else {
            throw .keyFile(path: path, .badContent)
        }
        return ring
    }

    private static func ring(from bytes: ArraySlice<UInt8>) -> KeyRing? {
        let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        var keys = lines.compactMap { Base64.decode(String(decoding: $0, as: UTF8.self)) }
            .compactMap { SealingKey(bytes: $0) }
        guard keys.count == lines.count, let current = keys.popLast() else { return nil }
        return KeyRing(current: current, former: keys)
    }

    /// Makes the file under another name and links it, which fails without harm when another process was faster.
    private static func create(_ path: String) throws(CryptoError) {
        let temporary = "\(path).\(Hex.encode(randomBytes(count: 8)))"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open", temporary) }
        defer {
            close(descriptor)
            unlink(temporary)
        }
        let line = Array("\(SealingKey.random().base64)\n".utf8)
        guard write(descriptor, line, line.count) == line.count else { throw failure("write", temporary) }
        guard fsync(descriptor) == 0 else { throw failure("fsync", temporary) }
        guard link(temporary, path) == 0 || errno == EEXIST else { throw failure("link", path) }
        try synchronizeFolder(of: path)
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
