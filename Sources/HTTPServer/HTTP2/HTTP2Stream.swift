internal import EventLoops
internal import HTTP
internal import System

/// One request and its response on an HTTP/2 connection. Confined to the connection.
final class HTTP2Stream: Exchange {
    let streamID: Int32
    var body: IncomingBody
    /// How far the response has come.
    var response = ResponseProgress.none
    /// The outcome of reading the header fields, until it is dealt with.
    var opening: Result<RequestStart, RequestFault>?
    /// The bytes of the body that were not taken; the stream's window bounds it.
    var pending: [UInt8] = []
    /// The part of the response's body that is still to be sent.
    var output = StreamOutput()
    /// The fields behind the response's body.
    var trailers: HTTPFields = [:]
    /// The response's body waits for its producer, and nghttp2 does not ask for it meanwhile.
    var isDeferred = false
    /// The response's body comes from a producer.
    var isStreamed = false
    /// The stream is gone: nothing more is sent or comes.
    var isClosed = false
    /// It was counted and logged.
    var isRecorded = false
    /// When the present wait began, or made progress.
    var since: Moment

    init(
        _ id: Int32, _ opening: Result<RequestStart, RequestFault>, isHead: Bool, hasEnded: Bool,
        in context: LoopContext
    ) {
        streamID = id
        self.opening = opening
        since = context.clock.now
        let framing = hasEnded ? RequestLayout.Framing.none : .chunked
        switch opening {
        case .success(let start):
            let layout = start.head.layout
            body = IncomingBody(framing, limit: start.bodyLimit, awaitsContinue: layout.expectation != .none)
            super.init(
                number: UInt64(id), id: start.head.sentID ?? context.makeRequestID(), method: start.method,
                path: start.target.shownPath, route: start.route, at: since)
        case .failure:
            body = IncomingBody(framing, limit: 0)
            super.init(
                number: UInt64(id), id: context.makeRequestID(), method: isHead ? .head : .get, path: "-",
                route: context.router.routes.count, at: since)
        }
    }

    /// The event that the stream waits for now.
    var wait: Wait {
        if bodyWaiter != nil { return .body }
        if status == 0 { return response.isStreaming ? .producer : .handler }
        return output.isEmpty && response.isStreaming ? .producer : .reader
    }
}

/// The body of a response on its way into DATA frames, in order.
struct StreamOutput {
    private var pieces: [BodyPiece] = []
    /// The bytes that have still to be sent, of those that are there.
    private(set) var count: Int64 = 0
    /// Nothing will be appended any more.
    var hasEnded = false

    var isEmpty: Bool { count == 0 }

    mutating func append(_ piece: BodyPiece) {
        guard piece.length > 0 else { return }
        pieces.append(piece)
        count += piece.length
    }

    mutating func removeAll() {
        pieces = []
        count = 0
    }

    /// Moves exactly `wanted` bytes into `output`; false when a file is shorter than it was said to be.
    mutating func move(_ wanted: Int, to output: OutputBuffer) -> Bool {
        var missing = wanted
        while missing > 0, let first = pieces.first {
            switch first {
            case .bytes(let bytes):
                let part = bytes.prefix(missing)
                output.append(part)
                missing -= part.count
                advance(part.count == bytes.count ? nil : .bytes(bytes.dropFirst(part.count)))
            case .file(let file):
                let part = Int(min(file.length, Int64(missing)))
                let isWhole = BlockingCall.cachedPages.permit {
                    output.append(file: file.file.descriptor, offset: file.offset, count: part)
                }
                guard isWhole else { return false }
                missing -= part
                let rest = FileBody(file.file, offset: file.offset + Int64(part), length: file.length - Int64(part))
                advance(rest.length == 0 ? nil : .file(rest))
            }
        }
        count -= Int64(wanted - missing)
        return missing == 0
    }

    private mutating func advance(_ rest: BodyPiece?) {
        if let rest { pieces[0] = rest } else { pieces.removeFirst() }
    }
}

/// The bounds of one HTTP/2 connection, beside `Limits`.
package struct HTTP2Limits: Sendable {
    /// Requests at a time, including those that the client has given up while their handlers run on.
    package var streams = 100
    /// The bytes of a body that may come before its handler has taken them.
    package var streamWindow: Int32 = 64 << 10
    /// The same for all bodies of a connection.
    package var connectionWindow: Int32 = 256 << 10
    /// The bytes of a streamed response that may wait; its producer waits for the rest.
    package var streamBacklog = 64 << 10
    /// The same for all streamed responses of a connection.
    package var connectionBacklog = 1 << 20
    /// How many requests a client may give up at once; more end the connection ("rapid reset", CVE-2023-44487).
    package var resets = 200
    /// The same for a second, later.
    package var resetsPerSecond = 20
    /// How many frames may come at once that neither begin a request nor bring a part of one; more end the connection. What is
    /// sent to the client earns it as many as it may have to answer with.
    package var controlFrames = 1_000
    /// The same for a second, later.
    package var controlFramesPerSecond = 200

    /// The defaults above.
    package init() {}
}

/// Lets a burst pass, and then so many a second.
struct FrameAllowance {
    private let burst: Double
    private let perNanosecond: Double
    private var tokens: Double
    private var filledAt: Moment

    init(burst: Int, perSecond: Int, at now: Moment) {
        self.burst = Double(burst)
        perNanosecond = Double(perSecond) / 1e9
        tokens = Double(burst)
        filledAt = now
    }

    /// Whether there was a token left.
    mutating func take(at now: Moment) -> Bool {
        give(Double(now.nanoseconds - filledAt.nanoseconds) * perNanosecond)
        filledAt = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Adds what was earned.
    mutating func give(_ count: Double) { tokens = min(burst, tokens + count) }
}
