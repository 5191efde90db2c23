internal import EventLoops
internal import HTTP

/// One request and its answer on a connection. Confined to the connection.
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
    let startedAt: Moment
    /// Who has sent the request; nil before that is known.
    var origin: Origin?
    /// How the sender stands with the limits that the answer tells of.
    var rateLimit: RateLimitState?
    /// Whether the client speaks HTTP/1.0.
    let isHTTP10: Bool

    /// The index into the counters.
    let route: Int
    var body: IncomingBody
    /// Whether the client waits for an answer to its expectation before it sends the body.
    var owesContinue: Bool
    var bodyFailure: BodyError?
    /// Whether the connection goes on after this answer.
    var persists: Bool
    /// Whether the client itself wanted the connection closed.
    let clientCloses: Bool

    /// The request's fields, if they say how the answer should look.
    var negotiationFields: HeaderLines?
    var task: Task<Void, Never>?
    /// The client has ended its side, and the handler was told to give up.
    var isAbandoned = false
    var answer = Answer.none
    /// 0 before the answer's head is written.
    var status = 0
    var bytesSent: Int64 = 0

    /// The nanoseconds that were spent waiting for the body, up to the present wait.
    var waitedForBody: Int64 = 0
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

    enum Answer {
        case none
        /// A stream whose head waits for its first bytes.
        case pending(Response)
        case streaming(ResponseHead.Framing)
        /// Complete, though perhaps not sent.
        case complete
    }

    /// Whether the answer is with its producer, which may wait for something to say.
    var isStreaming: Bool {
        switch answer {
        case .pending, .streaming: true
        case .none, .complete: false
        }
    }

    init(
        number: UInt64, id: String, method: HTTPMethod, path: String, route: Int, layout: RequestLayout?, limit: Int64,
        at now: Moment
    ) {
        self.number = number
        self.id = id
        self.method = method
        isHead = method.rawValue == "HEAD"
        self.path = path
        self.route = route
        startedAt = now
        isHTTP10 = layout?.minorVersion == 0
        body = IncomingBody(layout?.framing ?? .none, limit: limit)
        owesContinue = layout.map { $0.expectation != .none } ?? false
        persists = layout?.persists ?? false
        clientCloses = layout.map { !$0.persists } ?? false
    }
}
