internal import Glibc
internal import HTTP

/// Reads a request's body from its start to its end, and again after `rewind()`.
struct BodyReader {
    private enum Source {
        case bytes([UInt8])
        case file(OpenFile, offset: Int64, length: Int64)
    }

    /// In bytes; nil for a request without a body.
    let length: Int64?
    private let sources: [Source]
    private var current = 0
    private var position = 0

    /// Opens every file at once, so that a missing one is known before anything is sent.
    init(_ body: OutgoingBody) throws(TransportError) {
        length = body.length
        switch body {
        case .none:
            sources = []
        case .bytes(let bytes):
            sources = [.bytes(bytes)]
        case .parts(let parts):
            var sources: [Source] = []
            for part in parts {
                switch part {
                case .bytes(let bytes):
                    sources.append(.bytes(bytes))
                case .file(let path, let offset, let length):
                    sources.append(.file(try OpenFile(path), offset: offset, length: length))
                }
            }
            self.sources = sources
        }
    }

    mutating func rewind() {
        (current, position) = (0, 0)
    }

    /// Returns how many bytes it has written, 0 at the end; nil if a file fails or has become shorter.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while current < sources.count {
            let count: Int?
            switch sources[current] {
            case .bytes(let bytes):
                count = min(buffer.count, bytes.count - position)
                bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[position...].prefix(buffer.count))) }
            case .file(let file, let offset, let length):
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(length) - position))
                count = room.isEmpty ? 0 : file.read(into: room, at: offset + Int64(position))
            }
            guard let count else { return nil }
            position += count
            if count > 0 { return count }
            (current, position) = (current + 1, 0)
        }
        return 0
    }
}

/// A file that is open for reading.
private final class OpenFile {
    private let descriptor: Int32

    init(_ path: String) throws(TransportError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notSent("a file of the body cannot be opened: errno \(errno)") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns at least 1; nil on an error and at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int? {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count > 0 { return count }
            guard count < 0, errno == EINTR else { return nil }
        }
    }
}
