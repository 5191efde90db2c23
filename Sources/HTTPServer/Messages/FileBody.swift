internal import CLinux
internal import EventLoops
package import System

/// A part of a file as the body of a response. Pages in the page cache go from there to the socket without passing through
/// the process; other parts are read by disk threads.
///
/// The part must exist for as long as it is sent; a file that shrinks meanwhile cuts the connection.
package struct FileBody: Sendable {
    package let file: OpenFile
    package let offset: Int64
    package let length: Int64

    /// Takes `length` bytes from `offset` on.
    package init(_ file: OpenFile, offset: Int64 = 0, length: Int64) {
        self.file = file
        self.offset = offset
        self.length = length
    }
}

/// Keeps the disk off the event loops: what the page cache holds is sent from there, the rest by way of disk threads.
extension HTTPResponse {
    /// The same response; a file that may have to be read from the disk becomes a stream.
    var withoutDisk: HTTPResponse {
        switch body {
        case .empty, .bytes, .stream: return self
        case .file, .pieces:
            var response = self
            response.body = body.withoutDisk
            return response
        }
    }
}

extension ResponseBody {
    var withoutDisk: ResponseBody {
        switch self {
        case .file(let file) where !file.isCached:
            .stream(length: file.length) { writer in try await file.send(to: writer) }
        case .pieces(let pieces) where !pieces.allSatisfy(\.isCached):
            .stream(length: pieces.reduce(0) { $0 + $1.length }) { writer in
                for piece in pieces {
                    switch piece {
                    case .bytes(let bytes): try await writer.write(bytes)
                    case .file(let file): try await file.send(to: writer)
                    }
                }
            }
        case .file, .pieces, .empty, .bytes, .stream: self
        }
    }
}

extension BodyPiece {
    fileprivate var isCached: Bool { if case .file(let file) = self { file.isCached } else { true } }
}

extension FileBody {
    /// In bytes: a larger part takes too long to be sent for its beginning to say anything of its end.
    private static let cachedLimit: Int64 = 32 << 20
    /// In bytes: the kernel reads ahead, and forgets, about so much at once.
    private static let sampleDistance: Int64 = 256 << 10
    /// In bytes: the memory that a client holds while it takes nothing.
    private static let blockSize: Int64 = 32 << 10
    private static let threads = BlockingThreads(name: "files", count: 4)

    struct Failure: Error {}

    /// Whether the part lies in the page cache, as far as samples tell. No, where the file system does not tell without waiting.
    var isCached: Bool {
        guard length <= Self.cachedLimit else { return false }
        var sample = offset
        while sample < offset + length {
            guard pics_is_cached(file.descriptor, sample) else { return false }
            sample += Self.sampleDistance
        }
        return length == 0 || pics_is_cached(file.descriptor, offset + length - 1)
    }

    fileprivate func send(to writer: BodyWriter) async throws {
        var (offset, rest) = (offset, length)
        while rest > 0 {
            let block = try await Self.threads.run { [file, offset, rest] () throws(Failure) in
                let bytes = file.read(at: offset, atMost: Int(min(rest, Self.blockSize)))
                // A file that ends before its part does has shrunk.
                guard let bytes, !bytes.isEmpty else { throw Failure() }
                return bytes
            }
            try await writer.write(block)
            offset += Int64(block.count)
            rest -= Int64(block.count)
        }
    }
}
