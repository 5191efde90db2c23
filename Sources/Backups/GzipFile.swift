internal import CZlib

/// A file of gzip (RFC 1952) that is written or read in one pass; its calls block.
final class GzipFile {
    private var file: gzFile?
    private let path: String

    enum Mode: String {
        case read = "rb"
        /// Text of tables becomes a quarter at the lowest level, at several times the speed of the usual one.
        case write = "wb1"
    }

    init(_ path: String, _ mode: Mode) throws(BackupError) {
        guard let file = gzopen(path, mode.rawValue) else { throw .file(path) }
        gzbuffer(file, 256 << 10)
        self.file = file
        self.path = path
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(BackupError) {
        guard bytes.isEmpty || gzwrite(file, bytes.baseAddress, UInt32(bytes.count)) == Int32(bytes.count) else {
            throw .file(path)
        }
    }

    /// The next bytes; nil at the end.
    func read() throws(BackupError) -> [UInt8]? {
        var failure = false
        let bytes = [UInt8](unsafeUninitializedCapacity: 256 << 10) { buffer, count in
            let read = gzread(file, buffer.baseAddress, UInt32(buffer.count))
            failure = read < 0
            count = max(0, Int(read))
        }
        guard !failure else { throw .damaged(path) }
        return bytes.isEmpty ? nil : bytes
    }

    /// Writes what is left and closes the file.
    func finish() throws(BackupError) {
        defer { file = nil }
        guard gzclose(file) == Z_OK else { throw .file(path) }
    }

    deinit { if let file { gzclose(file) } }
}

/// The lines of a file of gzip.
struct GzipLines {
    private let file: GzipFile
    private var rest: ArraySlice<UInt8> = []

    init(_ path: String) throws(BackupError) { file = try GzipFile(path, .read) }

    /// The next line without its end; nil behind the last.
    mutating func next() throws(BackupError) -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest = rest[(end + 1)...] }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            guard let more = try file.read() else { return nil }
            rest = ArraySlice(Array(rest) + more)
        }
    }
}
