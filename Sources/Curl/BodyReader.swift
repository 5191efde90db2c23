internal import EventLoops
internal import Glibc
internal import HTTP
internal import System

/// Gives a request's body from its start to its end, and again after `rewind()`. Confined to its transport's loop.
///
/// Files are opened and read on disk threads, at most `ahead` blocks in advance of what libcurl has taken.
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

    /// In bytes: large enough that a disk thread is asked seldom, small enough that a hundred uploads fit in memory.
    static let blockSize = 256 << 10
    private static let ahead = 2

    /// In bytes; nil for a request without a body.
    let length: Int64?
    private let sources: [Source]
    private let threads: BlockingThreads
    private let deliver: @Sendable (Block) -> Void

    /// The part that libcurl is given next, and how much of it was given.
    private var current = 0
    private var position: Int64 = 0
    /// The part that is read next, and how much of it was read.
    private var next = 0
    private var nextPosition: Int64 = 0
    private var blocks: [ArraySlice<UInt8>] = []
    private var isReading = false
    private var hasFailed = false
    private var isPaused = false
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
        readAhead()
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
        (current, position, next, nextPosition) = (0, 0, 0, 0)
        (blocks, isReading, hasFailed, isPaused) = ([], false, false, false)
        readAhead()
    }

    /// Copies what is there of the next bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        while current < sources.count {
            switch sources[current] {
            case .bytes(let bytes):
                let count = take(from: bytes[Int(position)...], into: buffer)
                if count > 0 { return .bytes(count) }
            case .file(_, _, let length) where position < length:
                guard let block = blocks.first else {
                    isPaused = !hasFailed
                    return hasFailed ? .failed : .pause
                }
                let count = take(from: block, into: buffer)
                if count == block.count { blocks.removeFirst() } else { blocks[0] = block.dropFirst(count) }
                readAhead()
                return .bytes(count)
            case .file: break
            }
            (current, position) = (current + 1, 0)
        }
        return .bytes(0)
    }

    private func take(from bytes: ArraySlice<UInt8>, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, bytes.count)
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        position += Int64(count)
        return count
    }

    // MARK: Reading ahead

    /// Takes a block that was read. Returns whether libcurl waits for it, or for the failure.
    func receive(_ block: Block) -> Bool {
        guard block.round == round else { return false }
        isReading = false
        if let bytes = block.bytes {
            blocks.append(bytes[...])
            readAhead()
        } else {
            hasFailed = true
        }
        defer { isPaused = false }
        return isPaused
    }

    /// Lets a disk thread read the next block, one at a time.
    private func readAhead() {
        guard !isReading, !hasFailed, blocks.count < Self.ahead else { return }
        while next < sources.count {
            if case .file(let file, let offset, let length) = sources[next], nextPosition < length {
                let (start, count) = (offset + nextPosition, Int(min(Int64(Self.blockSize), length - nextPosition)))
                nextPosition += Int64(count)
                isReading = true
                return threads.start { [round, deliver] in
                    deliver(Block(round: round, bytes: file.whole(count, at: start)))
                }
            }
            (next, nextPosition) = (next + 1, 0)
        }
    }
}

extension OpenFile {
    /// Opens a file of a body.
    fileprivate convenience init(_ path: String) throws(TransportError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notSent("a file of the body cannot be opened: errno \(errno)") }
        self.init(owning: descriptor)
    }

    /// Exactly `count` bytes; nil on an error, and when the file ends before.
    fileprivate func whole(_ count: Int, at offset: Int64) -> [UInt8]? {
        let bytes = read(at: offset, atMost: count)
        return bytes?.count == count ? bytes : nil
    }
}
