/// What a connection waits for; each has its limit.
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
    /// The producer of a streamed answer: it may take as long as it likes.
    case producer
    /// The rest of a body that nobody reads.
    case rest
    /// The client's end.
    case end
}

/// The limits of the waits in nanoseconds, computed once.
struct WaitLimits {
    private let request, head, abandonedHandler, reader, rest, end: Int64
    private let handler: Int64?
    private let bodyStall: Int64
    private let bodyRate: Int

    init(_ limits: Limits) {
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

    /// Nil if there is none.
    func limit(of wait: Wait, _ exchange: Exchange?) -> Int64? {
        switch wait {
        case .request: request
        case .head: head
        case .handler: handler
        case .abandonedHandler: abandonedHandler
        case .body: exchange.map { body(received: $0.body.received, waited: $0.waitedForBody) }
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
