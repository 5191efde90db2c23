/// The bytes that a connection has received and not used yet.
///
/// An idle connection owns no memory here: it receives into an array that its loop lends it for a turn. Only a rest that
/// stays over the turn is copied into an array of its own. The bytes of a body come straight into fresh arrays, which are
/// handed on as slices.
struct InboundBuffer {
    private var storage: [UInt8] = []
    private var start = 0
    private var end = 0
    private var isLent = false

    var isEmpty: Bool { start == end }
    var count: Int { end - start }
    /// Whether the last receive may have left something in the socket.
    var isFull: Bool { end == storage.count }

    func withBytes<Result, Failure: Error>(_ use: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
        try use(storage.span.extracting(start..<end))
    }

    /// Receives behind what is there, or into `scratch` when nothing is.
    mutating func receive(_ socket: some ByteSource, lending buffers: TurnBuffers) -> ReceivedBytes {
        if isEmpty, !isLent {
            swap(&storage, &buffers.scratch)
            (start, end, isLent) = (0, 0, true)
        } else if !isLent, storage.count - end < Self.room {
            makeRoom()
        }
        guard end < storage.count else { return .blocked }
        let received = storage.withUnsafeMutableBytes { bytes in
            socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
        }
        if case .bytes(let count) = received { end += count }
        return received
    }

    /// Receives into a fresh array; only when empty and settled.
    mutating func receiveFresh(_ socket: some ByteSource, atMost capacity: Int) -> ReceivedBytes {
        assert(isEmpty && !isLent)
        var received = ReceivedBytes.blocked
        let fresh = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            received = socket.receive(into: UnsafeMutableRawBufferPointer(buffer))
            if case .bytes(let number) = received { count = number }
        }
        if case .bytes = received { (storage, start, end) = (fresh, 0, fresh.count) }
        return received
    }

    /// Drops bytes from the front.
    mutating func consume(_ count: Int) {
        start += count
        assert(start <= end)
    }

    /// Takes a part out, counted from the front, and drops all before its end; only when settled.
    mutating func take(_ range: Range<Int>) -> ArraySlice<UInt8> {
        assert(!isLent)
        let slice = storage[(start + range.lowerBound)..<(start + range.upperBound)]
        consume(range.upperBound)
        releaseIfEmpty()
        return slice
    }

    mutating func removeAll() {
        start = end
        if !isLent { releaseIfEmpty() }
    }

    /// Gives a lent array back; a rest moves into an array of its own.
    mutating func settle(returning buffers: TurnBuffers) {
        guard isLent else { return releaseIfEmpty() }
        let rest = isEmpty ? [] : Array(storage[start..<end])
        swap(&storage, &buffers.scratch)
        (storage, start, end, isLent) = (rest, 0, rest.count, false)
    }

    /// The least that is worth a call.
    private static let room = 4 << 10

    private mutating func makeRoom() {
        var larger = [UInt8]()
        larger.reserveCapacity(2 * count + Self.room)
        larger += storage[start..<end]
        larger += repeatElement(0, count: count + Self.room)
        (end, start) = (count, 0)
        storage = larger
    }

    private mutating func releaseIfEmpty() {
        if isEmpty { (storage, start, end) = ([], 0, 0) }
    }
}

/// Where a connection's bytes come from.
protocol ByteSource {
    /// Receives what is there, at most as much as fits; never waits.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> ReceivedBytes
}

/// The outcome of a receive.
enum ReceivedBytes: Equatable {
    case bytes(Int)
    /// Nothing is there now.
    case blocked
    /// The peer has ended its side.
    case end
    case failed
}
