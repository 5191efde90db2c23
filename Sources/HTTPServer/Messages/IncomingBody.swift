/// How far the body of a request has come: a pure value that says which of the received bytes are its data.
struct IncomingBody {
    private enum Rest {
        case nothing
        case sized(Int64)
        case chunked(ChunkedDecoder)
    }

    private var rest: Rest
    /// The bytes of data that it may have.
    var limit: Int64
    /// The bytes of data so far.
    private(set) var received: Int64 = 0
    /// Whether the client waits for a response to its expectation before it sends the body.
    private(set) var owesContinue: Bool
    /// Why it cannot be read to its end.
    var failure: BodyError?
    /// The nanoseconds that its readers have waited for it, up to the present wait.
    var waited: Int64 = 0

    init(_ framing: RequestLayout.Framing, limit: Int64, awaitsContinue: Bool = false) {
        self.limit = limit
        owesContinue = awaitsContinue
        switch framing {
        case .none: rest = .nothing
        case .sized(let length): rest = .sized(length)
        case .chunked: rest = .chunked(ChunkedDecoder())
        }
    }

    var isComplete: Bool { if case .nothing = rest { true } else { false } }

    /// The bytes still to come, nil when that is not known.
    var announcedRest: Int64? {
        switch rest {
        case .nothing: 0
        case .sized(let count): count
        case .chunked: nil
        }
    }

    /// Whether the announced length is more than it may have.
    var isAnnouncedTooLarge: Bool { if case .sized(let count) = rest { count > limit - received } else { false } }

    /// Whether the client has to be told now to send the body (RFC 9110, section 10.1.1): once, and not when it has begun to
    /// send, or to get the final response.
    mutating func takeContinue(hasBegun: Bool) -> Bool {
        guard owesContinue, failure == nil, !isComplete else { return false }
        owesContinue = false
        return !hasBegun
    }

    /// Counts data that came in frames of their own (HTTP/2), whose framing is not looked for in the bytes.
    mutating func receive(_ count: Int) throws(BodyError) {
        received += Int64(count)
        guard received <= limit else { throw .tooLarge(limit: limit) }
    }

    /// The frames have ended (HTTP/2).
    mutating func end() { rest = .nothing }

    /// Looks at the bytes that have come. Drops everything up to the next data from `inbound`.
    ///
    /// - Returns: The place of data at the front of `inbound`, which the caller takes or drops; nil when more has to come, or
    ///   the body is complete.
    mutating func advance(_ inbound: inout InboundBuffer) throws(BodyError) -> Range<Int>? {
        guard !inbound.isEmpty else { return nil }
        let data: Range<Int>
        switch rest {
        case .nothing: return nil
        case .sized(let count):
            data = 0..<Int(min(count, Int64(inbound.count)))
            rest = count > data.count ? .sized(count - Int64(data.count)) : .nothing
        case .chunked(var decoder):
            let step: ChunkedDecoder.Step
            do throws(ChunkedDecoder.Malformed) {
                step = try inbound.withBytes { bytes throws(ChunkedDecoder.Malformed) in
                    try decoder.next(bytes, from: 0)
                }
            } catch { throw .malformed }
            rest = .chunked(decoder)
            switch step {
            case .data(let range): data = range
            case .more:
                inbound.removeAll()
                return nil
            case .end(let end):
                inbound.consume(end)
                rest = .nothing
                return nil
            }
        }
        received += Int64(data.count)
        guard received <= limit else { throw .tooLarge(limit: limit) }
        return data
    }
}

/// Why a request's body cannot be read to its end.
///
/// A handler lets these pass: the server answers them itself and closes the connection.
package enum BodyError: Error, Equatable, CustomStringConvertible {
    /// The body is larger than `limit` bytes (413).
    case tooLarge(limit: Int64)
    /// The client went away, or ended its side, before the body's end (400, if anybody is there to read it).
    case incomplete
    /// The chunked coding was broken (400).
    case malformed
    /// The client sent too little for too long (408).
    case tooSlow
    /// The reading task was cancelled.
    case cancelled

    package var description: String {
        switch self {
        case .tooLarge(let limit): "the body is larger than \(limit) bytes"
        case .incomplete: "the body ended too early"
        case .malformed: "the chunked body is malformed"
        case .tooSlow: "the body came too slowly"
        case .cancelled: "reading the body was cancelled"
        }
    }
}
