internal import CCurl
internal import Crypto
package import EventLoops
internal import Glibc
package import HTTP

/// Sends requests through libcurl, on one event loop, over connections that are kept and used again.
///
/// - HTTP/1.1, and HTTP/2 where TLS has agreed on it or the request assumes it. Certificates are always verified. No proxy, cookies or `.netrc`.
/// - A request whose method is not idempotent is never sent twice: curl's habit of repeating it when a kept connection
///   turns out dead is stopped, unless no byte of it had left.
/// - Every libcurl call is made on the loop, which is the actor's executor. Files of bodies are read on disk threads.
package actor CurlTransport: Transport {
    /// Connections that wait for the next request, of all servers; beyond, the one that waits longest is closed.
    package static let mostIdleConnections = 64

    nonisolated let loop: EventLoop
    private nonisolated let threads: BlockingThreads
    nonisolated let options: CurlOptions
    let multi: Multi
    /// Connections that somebody holds, ended ones too: what has come may still be taken.
    var sockets: [Multi.ExchangeID: OpenConnection] = [:]

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Prepares a transport without any connection; `threads` open and read the files of bodies.
    ///
    /// - Throws: `.notSent` when libcurl cannot be set up.
    package init(on loop: EventLoop, threads: BlockingThreads, options: CurlOptions) throws(TransportError) {
        self.loop = loop
        self.threads = threads
        self.options = options
        multi = try Multi(on: loop)
    }

    // libcurl and the loop's watches must be left on the loop, wherever the last reference goes.
    isolated deinit {}

    /// Sends one request; see `Transport`.
    ///
    /// A URL that carries a user name, or another scheme than `http` and `https`, is refused with `.notSent`.
    package func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
        guard !Task.isCancelled else { throw .cancelled }
        let sources = try await BodyReader.open(request.body, on: threads)
        guard !Task.isCancelled else { throw .cancelled }
        let id = multi.nextID()
        let body = BodyReader(request.body, sources, on: threads) { [loop] block in
            loop.execute { self.assumeIsolated { $0.multi.receive(block, for: id) } }
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(TransportError) {
                    try multi.start(Transfer(request, body, options, continuation), id: id)
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.multi.cancel(id) } }
        }
        return try result.get()
    }

    // MARK: WebSockets

    /// Opens a WebSocket; see `Transport`. No extension and no subprotocol is offered.
    package func open(_ request: WebSocketRequest) async throws(TransportError) -> WebSocketAnswer {
        guard !Task.isCancelled else { throw .cancelled }
        let id = multi.nextID()
        let result = await whileOpen(id) { transport, continuation in
            do throws(TransportError) {
                let connection = try WebSocketConnection(
                    request, transport.options, on: transport.loop, continuation, leave: transport.leave)
                try transport.start(connection, id: id)
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        switch result {
        case .success(.open): return .open(CurlWebSocket(transport: self, id: id))
        case .success(.refused(let response)):
            sockets[id] = nil
            return .refused(response)
        case .failure(let error):
            sockets[id] = nil
            throw error
        }
    }

    fileprivate func receive(
        on id: UInt64, within limit: Duration
    ) async throws(TransportError) -> WebSocketMessage? {
        try endIfCancelled(id)
        let result: Result<WebSocketMessage?, TransportError> = await whileOpen(id) { transport, continuation in
            guard let socket = transport.sockets[id] as? WebSocketConnection else {
                return continuation.resume(returning: .failure(.cancelled))
            }
            socket.receive(within: limit, continuation)
        }
        return try result.get()
    }

    // MARK: Open connections

    /// Takes the handle of a connection from libcurl, which may be at work on it. Connections keep this; it does not keep the transport.
    var leave: (Multi.ExchangeID) -> Void {
        { [loop, weak self] id in loop.execute { [weak self] in self?.assumeIsolated { _ = $0.multi.remove(id) } } }
    }

    func start(_ connection: OpenConnection, id: Multi.ExchangeID) throws(TransportError) {
        try multi.start(connection, id: id)
        sockets[id] = connection
        connection.startOpening()
    }

    func endIfCancelled(_ id: UInt64) throws(TransportError) {
        guard Task.isCancelled else { return }
        multi.cancel(id)
        throw .cancelled
    }

    /// Sends bytes on a connection; returns when the network has taken them.
    func send(_ bytes: [UInt8], on id: UInt64, within limit: Duration) async throws(TransportError) {
        try endIfCancelled(id)
        let error: TransportError? = await whileOpen(id) { transport, continuation in
            guard let connection = transport.sockets[id] else { return continuation.resume(returning: .cancelled) }
            connection.send(bytes, within: limit, continuation)
        }
        if let error { throw error }
    }

    nonisolated func close(_ id: UInt64) {
        loop.execute { self.assumeIsolated { $0.sockets[id]?.close() } }
    }

    /// The last reference is gone: what has come is thrown away.
    nonisolated func release(_ id: UInt64) {
        loop.execute { self.assumeIsolated { $0.sockets.removeValue(forKey: id)?.close() } }
    }

    /// Waits for a continuation; a cancellation of the task ends the connection.
    func whileOpen<Value: Sendable>(
        _ id: UInt64, _ body: (isolated CurlTransport, CheckedContinuation<Value, Never>) -> Void
    ) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { body(self, $0) }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.multi.cancel(id) } }
        }
    }
}

/// A WebSocket of a transport; the last reference closes it.
private final class CurlWebSocket: WebSocket {
    private let transport: CurlTransport
    private let id: UInt64

    init(transport: CurlTransport, id: UInt64) { (self.transport, self.id) = (transport, id) }

    deinit { transport.release(id) }

    func send(_ text: String, within limit: Duration) async throws(TransportError) {
        let frame = WebSocketEncoder.frame(.text, text.utf8, mask: randomBytes(count: 4))
        try await transport.send(frame, on: id, within: limit)
    }

    func receive(within limit: Duration) async throws(TransportError) -> WebSocketMessage? {
        try await transport.receive(on: id, within: limit)
    }

    func close() { transport.close(id) }
}

/// How a transport behaves towards every server.
package struct CurlOptions: Sendable {
    /// The field `User-Agent`, as in `Pics/1.0 (+https://pics.example)`.
    package var userAgent: String
    /// For resolving, connecting and TLS together.
    package var connectTimeout: Duration
    /// An exchange in which less than a byte a second moves for this long is given up; whole seconds.
    package var stallTimeout: Duration
    /// Lifts the address guard from every request: for tests and closed networks.
    package var reachesPrivateAddresses: Bool
    /// A file of certificates in PEM that are trusted in place of the system's.
    package var authoritiesFile: String?

    /// Takes the options; the defaults suit services on the Internet.
    package init(
        userAgent: String, connectTimeout: Duration = .seconds(10), stallTimeout: Duration = .seconds(30),
        reachesPrivateAddresses: Bool = false, authoritiesFile: String? = nil
    ) {
        self.userAgent = userAgent
        self.connectTimeout = connectTimeout
        self.stallTimeout = stallTimeout
        self.reachesPrivateAddresses = reachesPrivateAddresses
        self.authoritiesFile = authoritiesFile
    }
}

/// libcurl as a whole.
enum CurlLibrary {
    /// Set up once for the process; whether that worked.
    static let isReady: Bool = {
        // OpenSSL writes to sockets with write(2): a connection that the server closed must not end the process.
        signal(SIGPIPE, SIG_IGN)
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()
}
