internal import CLinux
internal import EventLoops
internal import Glibc
internal import HTTP
internal import System

/// Gives a request's body from its start to its end, and again after `rewind()`. Confined to its transport's loop.
///
/// Files are opened on disk threads. What of them is in the page cache goes from there to libcurl; a disk thread reads the rest, a block at a time.
final class BodyReader {
    /// A part of the body.
    enum Source: Sendable {
        case bytes([UInt8])
        case file(OpenFile, offset: Int64, length: Int64)
    }

    /// The response to libcurl's question for more.
    enum ReadResult: Equatable {
        /// 0 at the end.
        case bytes(Int)
        /// The disk is behind; `receive` says when to ask again.
        case pause
        /// A file could not be read, or has become shorter.
        case failed
    }

    /// A block that a disk thread has read; nil bytes when it could not.
    struct Block: Sendable {
        fileprivate let round: Int
        fileprivate let bytes: [UInt8]?
    }

    /// In bytes: what a disk thread reads at once, for a file that is not in the page cache or whose file system does not tell.
    private static let blockSize = 256 << 10

    /// In bytes; nil for a request without a body.
    let length: Int64?
    private let sources: [Source]
    private let threads: BlockingThreads
    private let deliver: @Sendable (Block) -> Void

    /// The part that libcurl is given next, and how much of it was given.
    private var current = 0
    private var position: Int64 = 0
    /// The bytes that a disk thread has read and libcurl has not taken: a block at most, empty when there are none.
    private var block: ArraySlice<UInt8> = []
    private var isReading = false
    private var hasFailed = false
    /// How often the body began anew: blocks of an earlier round are dropped.
    private var round = 0

    /// Takes what `open` has opened. `deliver` is called on a disk thread with each block, for `receive` on the loop.
    init(
        _ body: OutgoingBody, _ sources: [Source], on threads: BlockingThreads,
        deliver: @escaping @Sendable (Block) -> Void
    ) {
        length = body.length
        self.sources = sources
        self.threads = threads
        self.deliver = deliver
    }

    /// Opens every file at once, so that a missing one is known before anything is sent.
    static func open(_ body: OutgoingBody, on threads: BlockingThreads) async throws(TransportError) -> [Source] {
        switch body {
        case .none: return []
        case .bytes(let bytes): return [.bytes(bytes)]
        case .parts(let parts):
            guard parts.contains(where: { if case .file = $0 { true } else { false } }) else {
                return try parts.map(open)
            }
            return try await threads.run { () throws(TransportError) in try parts.map(open) }
        }
    }

    private static func open(_ part: BodyPart) throws(TransportError) -> Source {
        switch part {
        case .bytes(let bytes): .bytes(bytes)
        case .file(let path, let offset, let length): .file(try OpenFile(path), offset: offset, length: length)
        }
    }

    /// Begins anew with the first byte.
    func rewind() {
        round += 1
        (current, position) = (0, 0)
        (block, isReading, hasFailed) = ([], false, false)
    }

    /// Copies what is there of the next bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        while current < sources.count {
            switch sources[current] {
            case .bytes(let bytes) where position < bytes.count:
                return .bytes(take(from: bytes[Int(position)...], into: buffer))
            case .file(let file, let offset, let length) where position < length:
                if hasFailed { return .failed }
                if !block.isEmpty {
                    let count = take(from: block, into: buffer)
                    block = block.dropFirst(count)
                    return .bytes(count)
                }
                if isReading { return .pause }
                let (start, rest) = (offset + position, length - position)
                let count = file.readCached(into: buffer, at: start, atMost: rest)
                if count > 0 {
                    position += count
                    return .bytes(Int(count))
                }
                // Also for a file that has become shorter: the thread tells it from one that is not cached.
                read(file, at: start, count: Int(min(Int64(Self.blockSize), rest)))
                return .pause
            default:
                (current, position) = (current + 1, 0)
            }
        }
        return .bytes(0)
    }

    private func take(from bytes: ArraySlice<UInt8>, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, bytes.count)
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        position += Int64(count)
        return count
    }

    // MARK: Disk threads

    private func read(_ file: OpenFile, at offset: Int64, count: Int) {
        isReading = true
        threads.start { [round, deliver] in
            deliver(Block(round: round, bytes: file.whole(count, at: offset)))
        }
    }

    /// Takes a block that was read. Returns whether libcurl waits for it, or for the failure.
    func receive(_ block: Block) -> Bool {
        guard block.round == round else { return false }
        isReading = false
        if let bytes = block.bytes { self.block = bytes[...] } else { hasFailed = true }
        return true
    }
}

extension OpenFile {
    /// Opens a file of a body.
    fileprivate convenience init(_ path: String) throws(TransportError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notSent("a file of the body cannot be opened: errno \(errno)") }
        self.init(owning: descriptor)
    }

    /// Copies what is in the page cache, at most so many bytes; not positive where nothing is.
    fileprivate func readCached(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, atMost count: Int64
    ) -> Int64 {
        pics_read_cached(descriptor, buffer.baseAddress, min(Int64(buffer.count), count), offset)
    }

    /// Exactly `count` bytes; nil on an error, and when the file ends before.
    fileprivate func whole(_ count: Int, at offset: Int64) -> [UInt8]? {
        let bytes = read(at: offset, atMost: count)
        return bytes?.count == count ? bytes : nil
    }
}
