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
