internal import EventLoops
internal import HTTP

/// One request and its answer on an HTTP/2 connection. Confined to the connection.
final class HTTP2Stream: Exchange {
    let streamID: Int32
    /// What the header fields have led to, until it is dealt with.
    var opening: Result<RequestStart, RequestFault>?
    /// What has come of the body and was not taken; the stream's window bounds it.
    var pending: [UInt8] = []
    /// What has still to be sent of the answer's body.
    var output = StreamOutput()
    /// What comes behind the answer's body.
    var trailers: HTTPFields = [:]
    /// The answer's body waits for its producer, and nghttp2 does not ask for it meanwhile.
    var isDeferred = false
    /// The answer's body comes from a producer.
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
        since = .now
        switch opening {
        case .success(let start):
            super.init(
                number: UInt64(id), id: start.head.sentID ?? context.makeRequestID(), method: start.method,
                path: start.target.shownPath, route: start.route, layout: start.head.layout, limit: start.bodyLimit)
            body = IncomingBody(hasEnded ? .none : .chunked, limit: start.bodyLimit)
        case .failure:
            super.init(
                number: UInt64(id), id: context.makeRequestID(), method: isHead ? .head : .get, path: "-",
                route: context.router.routes.count, layout: nil, limit: 0)
            body = IncomingBody(hasEnded ? .none : .chunked, limit: 0)
        }
    }

    /// What the stream waits for now.
    var wait: Wait {
        if bodyWaiter != nil { return .body }
        if status == 0 { return isStreaming ? .producer : .handler }
        return output.isEmpty && isStreaming ? .producer : .reader
    }
}
