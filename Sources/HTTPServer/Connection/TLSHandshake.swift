internal import EventLoops
internal import TLS

/// The TLS handshake of a connection that was just accepted. Confined to its loop.
final class TLSHandshake {
    /// Why there is no session; for the log.
    struct Failure: Error {
        let reason: String
    }

    private let session: TLSSession
    private let descriptor: Int32
    private let loop: EventLoop
    private let limit: Duration
    private var watch: Watch?
    private var timer: LoopTimer?
    /// Taken when it ends, so that it is called once.
    private var end: ((TLSHandshake, Result<TLSSession, Failure>) -> Void)?

    /// - Parameters:
    ///   - socket: The connection; it stays the caller's.
    ///   - certificates: What the client is shown.
    ///   - loop: Where it is accepted.
    ///   - limit: How long it may take.
    ///   - end: Called once when it has come to an end, on the loop.
    /// - Throws: When OpenSSL makes no session.
    init(
        _ socket: StreamSocket, _ certificates: TLSServerContext, on loop: EventLoop, within limit: Duration,
        end: @escaping (TLSHandshake, Result<TLSSession, Failure>) -> Void
    ) throws(TLSError) {
        session = try TLSSession(certificates, descriptor: socket.descriptor)
        descriptor = socket.descriptor
        self.loop = loop
        self.limit = limit
        self.end = end
    }

    func begin() {
        do throws(EventLoopError) {
            watch = try loop.watch(descriptor, for: .readable) { [self] _ in step() }
        } catch {
            return finish(.failure(Failure(reason: "\(error)")))
        }
        timer = loop.schedule(after: limit) { [self] in finish(.failure(Failure(reason: "it took too long"))) }
    }

    /// Ends it without a session.
    func cancel() { finish(.failure(Failure(reason: "the server stops"))) }

    private func step() {
        switch session.handshake() {
        case .done: finish(.success(session))
        case .wantsRead: watch?.update(.readable)
        case .wantsWrite: watch?.update(.writable)
        case .failed(let reason): finish(.failure(Failure(reason: reason)))
        }
    }

    private func finish(_ result: Result<TLSSession, Failure>) {
        guard let end else { return }
        self.end = nil
        watch?.cancel()
        watch = nil
        timer?.cancel()
        timer = nil
        end(self, result)
    }
}
