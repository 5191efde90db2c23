/// The bytes that a connection of HTTP/1.1 has received and not used; heads and bodies are taken from their front.
struct HTTP1Input {
    private var buffer = InboundBuffer()
    private var parser = RequestParser()
    /// Whether another receive is worth a call: the last one filled its memory.
    var mayHaveMore = false
    /// The client has ended its side.
    private(set) var hasEnded = false

    var isEmpty: Bool { buffer.isEmpty }
    var count: Int { buffer.count }

    // MARK: Receiving

    /// Receives what is there, into memory that is lent until `settle`.
    mutating func receive(from source: some ByteSource, lending buffers: TurnBuffers) -> ReceivedBytes {
        let received = buffer.receive(source, lending: buffers)
        if case .bytes = received { mayHaveMore = buffer.isFull } else { mayHaveMore = false }
        if received == .end { hasEnded = true }
        return received
    }

    /// Receives into memory of its own, in which bodies are handed on; only when empty and settled.
    mutating func receiveBody(from source: some ByteSource, atMost wanted: Int) -> ReceivedBytes {
        let received = buffer.receiveFresh(source, atMost: wanted)
        mayHaveMore = received == .bytes(wanted)
        if received == .end { hasEnded = true }
        return received
    }

    /// Gives lent memory back; what is left moves into memory of its own.
    mutating func settle(returning buffers: TurnBuffers) { buffer.settle(returning: buffers) }

    mutating func removeAll() { buffer.removeAll() }

    /// Hands over everything.
    mutating func takeAll() -> [UInt8] {
        defer { buffer.removeAll() }
        return buffer.withBytes { bytes in bytes.withUnsafeBufferPointer { Array($0) } }
    }

    // MARK: Heads

    /// The head at the front; nil when more of it has to come.
    mutating func nextHead(_ limits: RequestParser.Limits) throws(RequestFault) -> RequestHead? {
        // A copy outside of `self`, which the closure may change.
        var parser = parser
        defer { self.parser = parser }
        let found = try buffer.withBytes { bytes throws(RequestFault) -> (head: RequestHead, length: Int)? in
            guard let layout = try parser.parse(bytes, limits) else { return nil }
            return (RequestHead(copying: bytes, layout), layout.length)
        }
        guard let found else { return nil }
        buffer.consume(found.length)
        parser = RequestParser()
        return found.head
    }

    /// Whether the request line at the front has come and says HEAD: then no response has a body, whatever is wrong with the rest.
    var isHeadRequest: Bool { buffer.withBytes { parser.isHead(in: $0) } }

    /// Whether the first line is what a client of HTTP/2 begins with (RFC 9113, section 3.4).
    var isHTTP2: Bool {
        let preface: StaticString = "PRI * HTTP/2.0\r\n"
        let count = preface.utf8CodeUnitCount
        return buffer.withBytes { $0.count >= count && $0.holds(preface, in: 0..<count) }
    }

    // MARK: Bodies

    /// The next data of `body`; nil when more has to come, or it is complete. Only when settled.
    mutating func take(of body: inout IncomingBody) throws(BodyError) -> ArraySlice<UInt8>? {
        guard let range = try body.advance(&buffer) else { return nil }
        return buffer.take(range)
    }

    /// Drops all data of `body` that is there. Returns the number of bytes.
    mutating func drop(of body: inout IncomingBody) throws(BodyError) -> Int64 {
        var count: Int64 = 0
        while let range = try body.advance(&buffer) {
            buffer.consume(range.upperBound)
            count += Int64(range.count)
        }
        return count
    }
}
