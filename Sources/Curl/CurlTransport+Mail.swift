internal import EventLoops
package import HTTP

// Mail.
extension CurlTransport {
    /// Connects to a mail server and logs in; see `Transport`. Where there is a password, it leaves by the mechanisms PLAIN and LOGIN alone.
    package func connect(to server: MailServer) async throws(TransportError) -> MailAnswer {
        guard !Task.isCancelled else { throw .cancelled }
        let id = multi.nextID()
        let result = await whileOpen(id) { transport, continuation in
            do throws(TransportError) {
                let connection = try MailExchange(
                    server, transport.options, on: transport.loop, continuation, leave: transport.leave)
                try transport.start(connection, id: id)
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        switch result {
        case .success(.open(let extensions)):
            return .open(CurlMailConnection(transport: self, id: id), extensions: extensions)
        case .success(.refused(let refusal)):
            sockets[id] = nil
            return .refused(refusal)
        case .failure(let error):
            sockets[id] = nil
            throw error
        }
    }

    fileprivate func line(ofMail id: UInt64, within limit: Duration) async throws(TransportError) -> String {
        try endIfCancelled(id)
        let result: Result<String, TransportError> = await whileOpen(id) { transport, continuation in
            guard let connection = transport.sockets[id] as? MailExchange else {
                return continuation.resume(returning: .failure(.cancelled))
            }
            connection.receive(within: limit, continuation)
        }
        return try result.get()
    }
}

/// A mail connection of a transport; the last reference ends it.
private final class CurlMailConnection: MailConnection {
    private let transport: CurlTransport
    private let id: UInt64

    init(transport: CurlTransport, id: UInt64) { (self.transport, self.id) = (transport, id) }

    deinit { transport.release(id) }

    func send(_ bytes: [UInt8], within limit: Duration) async throws(TransportError) {
        try await transport.send(bytes, on: id, within: limit)
    }

    func receiveLine(within limit: Duration) async throws(TransportError) -> String {
        try await transport.line(ofMail: id, within: limit)
    }

    func close() { transport.close(id) }
}
