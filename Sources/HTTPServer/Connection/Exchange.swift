internal import EventLoops
internal import HTTP

/// The request that a connection of HTTP/1.1 serves, and how far its response has come.
struct ActiveRequest {
    /// Whether the client speaks HTTP/1.0.
    var isHTTP10 = false
    /// Whether the connection goes on after the response.
    var persists = false
    /// Whether the client itself wanted the connection closed.
    var clientCloses = false
    var body = IncomingBody(.none, limit: 0)
    var response = ResponseProgress.none
    /// The handler waits for more of the body.
    var hasReader = false
    /// The producer of the response waits until it may write on.
    var hasWriter = false
    /// The client has ended its side, and the handler was told to give up.
    var isAbandoned = false

    /// A message that cannot be understood.
    init() {}

    init(_ layout: RequestLayout) {
        isHTTP10 = layout.minorVersion == 0
        persists = layout.persists
        clientCloses = !layout.persists
        body = IncomingBody(layout.framing, limit: 0, awaitsContinue: layout.expectation != .none)
    }
}

/// How far a response has come, whatever the version of HTTP.
enum ResponseProgress {
    case none
    /// A stream whose head waits for its first bytes.
    case pending
    /// The head is written; of a body with a length, so much is missing.
    case streaming(ResponseHead.Framing)
    /// Complete, though perhaps not sent.
    case complete

    var hasBegun: Bool {
        switch self {
        case .none, .pending: false
        case .streaming, .complete: true
        }
    }

    /// Whether the response is with its producer, which may wait for something to say.
    var isStreaming: Bool {
        switch self {
        case .pending, .streaming: true
        case .none, .complete: false
        }
    }

    /// The bytes that are missing of a declared length.
    var missing: Int64 { if case .streaming(.sized(let rest)) = self { rest } else { 0 } }

    /// Counts a piece of the body. Returns false when it does not fit the declared length.
    mutating func advance(by count: Int) -> Bool {
        guard case .streaming(.sized(let rest)) = self else { return true }
        guard count <= rest else { return false }
        self = .streaming(.sized(rest - Int64(count)))
        return true
    }
}

/// One request and its response on a connection, with the tasks that wait for them. Confined to the connection.
///
/// On HTTP/2 there are many at once: `HTTP2Stream`.
class Exchange {
    /// Counts the connection's requests; what outlives its exchange is told by it.
    let number: UInt64
    let id: String
    let method: HTTPMethod
    /// HEAD: everything is as for GET, but no body is sent.
    let isHead: Bool
    let path: String
    /// The index into the counters.
    let route: Int
    let startedAt: Moment
    /// The sender of the request; nil before that is known.
    var origin: Origin?
    /// How the sender stands with the limits that the response tells of.
    var rateLimit: RateLimitState?
    /// The request's fields, if they say how the response should look.
    var negotiationFields: HeaderLines?

    var task: Task<Void, Never>?
    /// A streamed response whose head is not written.
    var streamed: HTTPResponse?
    /// 0 before the response's head is written.
    var status = 0
    var bytesSent: Int64 = 0

    var bodyWaiter: Waiter<Result<ArraySlice<UInt8>?, BodyError>>?
    /// Whether the body's reader is only to be told that something has come, and takes it later.
    var awaitsNews = false
    var writeWaiter: Waiter<Bool>?

    /// A continuation in a box of its own: only a request that has to wait pays for its size.
    final class Waiter<Value: Sendable> {
        private let continuation: CheckedContinuation<Value, Never>

        init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = continuation }

        func resume(returning value: Value) { continuation.resume(returning: value) }
    }

    init(number: UInt64, id: String, method: HTTPMethod, path: String, route: Int, at now: Moment) {
        self.number = number
        self.id = id
        self.method = method
        isHead = method.rawValue == "HEAD"
        self.path = path
        self.route = route
        startedAt = now
    }

    /// The streamed response, once: the taker writes its head, or another response.
    func takeStreamed() -> HTTPResponse? {
        guard let response = streamed else { return nil }
        streamed = nil
        return response
    }
}
