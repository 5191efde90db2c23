internal import EventLoops
package import HTTP

/// A transport whose requests end within `longest`, since a person waits for the answer.
package struct BoundedTransport: Transport {
    private let transport: any Transport
    private let longest: Duration
    private let count = Lock(0)

    package init(_ transport: any Transport, longest: Duration) {
        self.transport = transport
        self.longest = longest
    }

    /// Whether anything was sent.
    package var wasUsed: Bool { count.withLock { $0 > 0 } }

    /// The same with another bound.
    package func bounded(by longest: Duration) -> BoundedTransport { BoundedTransport(transport, longest: longest) }

    package func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
        count.withLock { $0 += 1 }
        var request = request
        request.timeout = min(request.timeout, longest)
        return try await transport.send(request)
    }
}
