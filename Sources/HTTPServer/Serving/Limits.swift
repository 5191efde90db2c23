/// The bounds of every client. Every default is meant for the open internet.
package struct Limits: Sendable {
    /// The longest request line in bytes; longer is 414. RFC 9112, section 3, advises 8000 or more.
    package var requestLine = 8 << 10
    /// All header fields of a request in bytes; more is 431.
    package var headerBytes = 32 << 10
    /// The number of header fields of a request; more is 431.
    package var headerCount = 100
    /// The body of a request in bytes, unless its route says otherwise; more is 413.
    package var body: Int64 = 1 << 20

    /// From the first byte of a request to the end of its head; longer is 408.
    package var headerTime: Duration = .seconds(10)
    /// How long a body that is being read may bring nothing; longer is 408.
    package var bodyStall: Duration = .seconds(30)
    /// The bytes a second that a body has to bring on average, while it is waited for, after the first `bodyStall`; slower
    /// is 408. 0 sets no rate.
    package var bodyRate = 500
    /// How long a response may wait for the client to take some of it; longer cuts the connection.
    package var writeStall: Duration = .seconds(30)
    /// How long a connection may wait for its first or next request.
    package var idle: Duration = .seconds(75)
    /// From a request's head to the beginning of its response; longer is 503, and the handler's task is cancelled. Nil sets no bound.
    package var handlerTime: Duration? = .seconds(60)
    /// How long a handler goes on for a client that has ended its side; it may still read, or be gone.
    package var halfClosed: Duration = .seconds(5)
    /// How long, after the last response, the rest of what the client sends is read and dropped, so that the response arrives.
    package var linger: Duration = .seconds(2)
    /// The bytes that are read and dropped for that purpose.
    package var lingerBytes: Int64 = 16 << 20
    /// The bytes of an unread body that are dropped to keep the connection; a larger rest closes it.
    package var drainedBody: Int64 = 256 << 10

    /// Open connections in all; more are answered with 503 and closed. Lowered at the start to what there are descriptors for.
    package var connections = 10_000
    /// Open connections of one address (of IPv6, its first 64 bits); more are answered with 503 and closed. A trusted proxy
    /// brings the connections of many and has just the limit of all.
    package var connectionsPerAddress = 256
    /// Requests on one connection; the last response closes it.
    package var requestsPerConnection = 10_000

    /// The bounds of HTTP/2 beside these.
    package var http2 = HTTP2Limits()

    /// The defaults above.
    package init() {}
}

/// The event that a connection waits for; each has its limit.
enum Wait {
    /// The next request.
    case request
    /// The rest of a request's head.
    case head
    case handler
    /// A handler whose client has ended its side.
    case abandonedHandler
    /// The next bytes of a body that somebody reads.
    case body
    /// The client, to take what was written.
    case reader
    /// The producer of a streamed response: it may take as long as it likes.
    case producer
    /// The rest of a body that nobody reads.
    case rest
    /// The client's end.
    case end
}

/// The bounds of a connection, computed once from `Limits`.
final class ConnectionLimits: Sendable {
    let parser: RequestParser.Limits
    let requests: Int
    let drainedBody: Int64
    let lingerBytes: Int64
    let speaksHTTP2: Bool
    // The waits, in nanoseconds.
    private let request, head, abandonedHandler, reader, rest, end: Int64
    private let handler: Int64?
    private let bodyStall: Int64
    private let bodyRate: Int

    init(_ limits: Limits, speaksHTTP2: Bool = true) {
        parser = RequestParser.Limits(
            line: limits.requestLine, fieldBytes: limits.headerBytes, fieldCount: limits.headerCount)
        requests = limits.requestsPerConnection
        drainedBody = limits.drainedBody
        lingerBytes = limits.lingerBytes
        self.speaksHTTP2 = speaksHTTP2
        request = Self.nanoseconds(limits.idle)
        head = Self.nanoseconds(limits.headerTime)
        handler = limits.handlerTime.map(Self.nanoseconds)
        abandonedHandler = Self.nanoseconds(limits.halfClosed)
        reader = Self.nanoseconds(limits.writeStall)
        rest = Self.nanoseconds(limits.bodyStall)
        end = Self.nanoseconds(limits.linger)
        bodyStall = Self.nanoseconds(limits.bodyStall)
        bodyRate = limits.bodyRate
    }

    /// How long something may be waited for, in nanoseconds; nil if there is no bound. `body` is the one that somebody reads.
    func limit(of wait: Wait, _ body: IncomingBody? = nil) -> Int64? {
        switch wait {
        case .request: request
        case .head: head
        case .handler: handler
        case .abandonedHandler: abandonedHandler
        case .body: body.map { self.body(received: $0.received, waited: $0.waited) }
        case .reader: reader
        case .producer: nil
        case .rest: rest
        case .end: end
        }
    }

    /// How long the present wait for the body may last: no longer than a stall, and no longer than the rate allows on average.
    private func body(received: Int64, waited: Int64) -> Int64 {
        guard bodyRate > 0 else { return bodyStall }
        let earned = bodyStall + Int64(Double(received) / Double(bodyRate) * 1e9)
        return max(0, min(bodyStall, earned - waited))
    }

    /// At most a hundred years, so that nothing overflows.
    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let seconds = min(max(0, duration / .seconds(1)), 100 * 365 * 86400)
        return Int64(seconds * 1e9)
    }
}
