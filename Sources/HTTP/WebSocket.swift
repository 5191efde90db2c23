/// A request for a WebSocket (RFC 6455).
package struct WebSocketRequest: Sendable {
    /// Absolute, `ws` or `wss`, percent-encoded, without a fragment.
    package var url: String
    /// Without those of the handshake, which the transport writes.
    package var fields: HTTPFields
    /// For connecting, TLS and the handshake together.
    package var timeout: Duration
    /// A longer message of the server's ends the connection; the rule of a fragmented one as a whole.
    package var maxMessageBytes: Int
    /// Which addresses the host may have.
    package var addressPolicy: AddressPolicy

    /// Takes the parts; only public addresses are reached unless the caller says otherwise.
    package init(
        url: String, fields: HTTPFields = [:], timeout: Duration = .seconds(15), maxMessageBytes: Int = 1 << 20,
        addressPolicy: AddressPolicy = .publicOnly
    ) {
        self.url = url
        self.fields = fields
        self.timeout = timeout
        self.maxMessageBytes = maxMessageBytes
        self.addressPolicy = addressPolicy
    }
}

/// The answer to a request for a WebSocket.
package enum WebSocketAnswer: Sendable {
    case open(any WebSocket)
    /// The server answers in HTTP: status and fields; the body is not read.
    case refused(IncomingResponse)
}

/// A message, whole.
package enum WebSocketMessage: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
}

/// An open WebSocket. It ends with its last reference, or by `close`.
///
/// Pings are answered, fragments joined, and what breaks the protocol ends the connection.
package protocol WebSocket: Sendable {
    /// Sends a text; returns when the network has taken it.
    ///
    /// Cancelling the task ends the connection with `.cancelled`.
    ///
    /// - Throws: `.unanswered` when the connection has ended, or the network does not take it within `limit`.
    func send(_ text: String, within limit: Duration) async throws(TransportError)

    /// The next message; nil when the server has closed as it should. One task may wait at a time.
    ///
    /// Cancelling the task ends the connection with `.cancelled`.
    ///
    /// - Throws: `.unanswered` when the connection has ended, or nothing comes within `limit`; `.responseTooLarge`.
    func receive(within limit: Duration) async throws(TransportError) -> WebSocketMessage?

    /// Says good-bye and ends the connection soon, without waiting.
    func close()
}

extension Transport {
    /// Transports that have no WebSockets reach nobody with them.
    package func open(_ request: WebSocketRequest) async throws(TransportError) -> WebSocketAnswer {
        throw .notSent("this transport has no WebSockets")
    }
}
