import HTTP
import System
import Testing

@testable import Accounts

/// Whoever waits for a service waits no longer than is bearable, however it is spoken to.
struct BoundedTransportTests {
    /// Remembers how long each kind of conversation was allowed to take.
    private final class Patience: Transport {
        let limits = Lock<[Duration]>([])

        func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
            limits.withLock { $0.append(request.timeout) }
            return IncomingResponse(status: .ok)
        }

        func open(_ request: WebSocketRequest) async throws(TransportError) -> WebSocketAnswer {
            limits.withLock { $0.append(request.timeout) }
            return .open(Line(patience: self))
        }

        func connect(to server: MailServer) async throws(TransportError) -> MailAnswer {
            limits.withLock { $0.append(server.timeout) }
            return .open(Line(patience: self), extensions: ["SIZE 1"])
        }
    }

    private struct Line: WebSocket, MailConnection {
        let patience: Patience

        func send(_ text: String, within limit: Duration) async throws(TransportError) { note(limit) }
        func send(_ bytes: [UInt8], within limit: Duration) async throws(TransportError) { note(limit) }
        func receive(within limit: Duration) async throws(TransportError) -> WebSocketMessage? {
            note(limit)
            return nil
        }
        func receiveLine(within limit: Duration) async throws(TransportError) -> String {
            note(limit)
            return ""
        }
        func close() {}

        private func note(_ limit: Duration) { patience.limits.withLock { $0.append(limit) } }
    }

    @Test func `requests, WebSockets and mail all pass, and none takes longer than is allowed`() async throws {
        let patience = Patience()
        let bounded = BoundedTransport(patience, longest: .seconds(3))
        #expect(!bounded.wasUsed)

        _ = try await bounded.send(OutgoingRequest(method: .get, url: "https://a.test", fields: [:], body: .none))
        let socket = try await bounded.open(WebSocketRequest(url: "wss://a.test"))
        let mail = try await bounded.connect(
            to: MailServer(host: "a.test", port: 465, security: .tls, login: .none))

        guard case .open(let socket) = socket, case .open(let connection, let extensions) = mail else {
            Issue.record("not open")
            return
        }
        try await socket.send("text", within: .seconds(60))
        _ = try await socket.receive(within: .seconds(60))
        try await connection.send([1], within: .seconds(60))
        _ = try await connection.receiveLine(within: .seconds(1))
        #expect(extensions == ["SIZE 1"] && bounded.wasUsed)
        #expect(patience.limits.withLock { $0 } == [Duration](repeating: .seconds(3), count: 6) + [.seconds(1)])
    }
}
