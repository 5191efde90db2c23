internal import EventLoops
internal import HTTP

/// One request and its response on a connection: who asks for it, and who waits for it. Confined to the connection.
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

    /// The streamed response, once: whoever takes it writes its head, or another response.
    func takeStreamed() -> HTTPResponse? {
        guard let response = streamed else { return nil }
        streamed = nil
        return response
    }
}
