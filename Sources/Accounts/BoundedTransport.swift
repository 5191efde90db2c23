package import HTTP
internal import System

/// A transport whose requests end within `longest`, since a person waits for the response.
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

    package func open(_ request: WebSocketRequest) async throws(TransportError) -> WebSocketAnswer {
        count.withLock { $0 += 1 }
        var request = request
        request.timeout = min(request.timeout, longest)
        switch try await transport.open(request) {
        case .open(let socket): return .open(BoundedWebSocket(socket: socket, longest: longest))
        case .refused(let response): return .refused(response)
        }
    }

    package func connect(to server: MailServer) async throws(TransportError) -> MailAnswer {
        count.withLock { $0 += 1 }
        var server = server
        server.timeout = min(server.timeout, longest)
        switch try await transport.connect(to: server) {
        case .open(let connection, let extensions):
            return .open(BoundedMail(connection: connection, longest: longest), extensions: extensions)
        case .refused(let refusal): return .refused(refusal)
        }
    }
}

/// A WebSocket that waits no longer than `longest` for each message.
private struct BoundedWebSocket: WebSocket {
    let socket: any WebSocket
    let longest: Duration

    func send(_ text: String, within limit: Duration) async throws(TransportError) {
        try await socket.send(text, within: min(limit, longest))
    }

    func receive(within limit: Duration) async throws(TransportError) -> WebSocketMessage? {
        try await socket.receive(within: min(limit, longest))
    }

    func close() { socket.close() }
}

/// A connection to a mail server that waits no longer than `longest` for each line.
private struct BoundedMail: MailConnection {
    let connection: any MailConnection
    let longest: Duration

    func send(_ bytes: [UInt8], within limit: Duration) async throws(TransportError) {
        try await connection.send(bytes, within: min(limit, longest))
    }

    func receiveLine(within limit: Duration) async throws(TransportError) -> String {
        try await connection.receiveLine(within: min(limit, longest))
    }

    func close() { connection.close() }
}
