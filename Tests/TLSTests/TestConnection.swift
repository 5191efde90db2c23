@testable import TLS

/// A server's session and its client, at the two ends of a socket pair, driven in turns.
final class TestConnection {
    let server: TLSSession
    let client: TestClient
    let sockets: SocketPair

    init(_ context: TLSServerContext, _ wishes: ClientWishes = ClientWishes(), bufferSize: Int32? = nil) throws {
        sockets = SocketPair(bufferSize: bufferSize)
        server = try TLSSession(context, descriptor: sockets.server)
        client = TestClient(wishes, descriptor: sockets.client)
    }

    /// Lets both work until neither has to wait for the other.
    func shakeHands() -> (server: TLSProgress, client: TestClient.Outcome) {
        for _ in 0..<1000 {
            let client = client.handshake()
            let server = server.handshake()
            let isServerWaiting = server == .wantsRead || server == .wantsWrite
            // The server's last words may still be on their way to the client.
            if !isServerWaiting, client == .waits { return (server, self.client.handshake()) }
            if !isServerWaiting || client != .waits && client != .done { return (server, client) }
        }
        preconditionFailure("both wait for each other")
    }

    /// The bytes that the server receives with one call.
    func receive(atMost limit: Int = TLSSession.maximumRecord) -> (result: TLSSession.Received, bytes: [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: limit)
        let result = buffer.withUnsafeMutableBytes { server.receive(into: $0) }
        guard case .bytes(let count) = result else { return (result, []) }
        return (result, Array(buffer.prefix(count)))
    }

    /// Lets the client take what the server sent without being asked, such as tickets.
    func takeTickets() {
        var bytes: [UInt8] = []
        _ = client.receive(into: &bytes)
    }

    func send(_ text: String) -> TLSSession.Sent { Array(text.utf8).withUnsafeBytes(server.send) }
}

/// A connection whose handshake is done.
func connect(_ context: TLSServerContext, _ wishes: ClientWishes = ClientWishes()) throws -> TestConnection {
    let connection = try TestConnection(context, wishes)
    let result = connection.shakeHands()
    precondition(result == (.done, .done), "the handshake failed: \(result)")
    return connection
}
