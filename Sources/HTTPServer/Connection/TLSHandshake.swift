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
    private let context: LoopContext
    private var watch: Watch?
    private var timer: (any ServerTimer)?
    /// Taken when it ends, so that it is called once.
    private var end: ((TLSHandshake, Result<TLSSession, Failure>) -> Void)?

    /// - Parameters:
    ///   - socket: The connection; it stays the caller's.
    ///   - certificates: The certificates that the client is shown.
    ///   - context: Of the loop where it is accepted; it may take as long as the head of a request.
    ///   - end: Called once when it has come to an end, on the loop.
    /// - Throws: When OpenSSL makes no session.
    init(
        _ socket: StreamSocket, _ certificates: TLSServerContext, in context: LoopContext,
        end: @escaping (TLSHandshake, Result<TLSSession, Failure>) -> Void
    ) throws(TLSError) {
        session = try TLSSession(certificates, descriptor: socket.descriptor)
        descriptor = socket.descriptor
        self.context = context
        self.end = end
    }

    func begin() {
        do throws(EventLoopError) {
            watch = try context.loop.watch(descriptor, for: .readable) { [self] _ in step() }
        } catch {
            return finish(.failure(Failure(reason: "\(error)")))
        }
        timer = context.schedule(after: context.limits.headerTime) { [self] in
            finish(.failure(Failure(reason: "it took too long")))
        }
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
