internal import CLinux
internal import EventLoops
internal import Glibc
internal import Logging

/// The part of a server that lives on one loop: its listener and its connections.
actor LoopServer {
    nonisolated let context: LoopContext
    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    private var listener: Int32?
    private var watch: Watch?
    private var pause: LoopTimer?

    init(_ context: LoopContext) { self.context = context }

    /// Accepts connections from now on; the descriptor is this object's.
    func listen(_ descriptor: Int32) throws(EventLoopError) {
        watch = try context.loop.watch(descriptor, for: .readable) { [self] _ in accept(descriptor) }
        listener = descriptor
    }

    func metrics() -> ServerMetrics { context.metrics }

    // MARK: Accepting

    private func accept(_ listener: Int32) {
        // Bounded, so that a flood of connections does not keep those that are there waiting.
        for _ in 0..<64 {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pics_accept(listener, $0, &length) }
            }
            guard descriptor >= 0 else {
                switch errno {
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: return rest()
                // Errors of the new connection are reported here and are no reason to stop (accept(2)).
                case EAGAIN: return
                default: continue
                }
            }
            serve(StreamSocket(descriptor: descriptor), PeerAddress(storage))
        }
    }

    private func serve(_ socket: StreamSocket, _ peer: PeerAddress) {
        guard context.admission.enter(peer.group) else { return refuse(socket) }
        let connection = HTTPConnection(socket, from: peer, in: context)
        connection.assumeIsolated { $0.open() }
    }

    private func refuse(_ socket: StreamSocket) {
        context.countRefused()
        _ = Self.refusal.withUnsafeBytes { socket.send($0) }
        socket.endWriting()
        socket.close()
    }

    private static let refusal = Array(
        """
        HTTP/1.1 503 Service Unavailable\r
        Content-Type: application/problem+json\r
        Content-Length: 85\r
        Retry-After: 5\r
        Connection: close\r
        \r
        {"type":"/problems/too-many-connections","title":"Too many connections","status":503}
        """.utf8)

    /// No descriptors or memory are left: waiting helps, trying again at once would spin.
    private func rest() {
        context.logger.warning("connections not accepted", ["error": errno])
        watch?.update([])
        pause = context.loop.schedule(after: .milliseconds(100)) { [self] in watch?.update(.readable) }
    }

    // MARK: Stopping

    /// Accepts no more, closes idle connections and lets requests end.
    func drain() {
        guard !context.isDraining else { return }
        context.isDraining = true
        pause?.cancel()
        watch?.cancel()
        watch = nil
        if let listener { close(listener) }
        listener = nil
        for connection in context.connections.values { connection.assumeIsolated { $0.drain() } }
    }

    /// Drains, and cuts what is still there after `limit`. Returns when no connection is left.
    func stop(within limit: Duration) async {
        drain()
        guard !context.connections.isEmpty else { return }
        let timer = context.loop.schedule(after: limit) { [context] in
            for connection in context.connections.values { connection.assumeIsolated { $0.cut() } }
        }
        await withCheckedContinuation { stopped in
            context.whenEmpty = { [context] in
                context.whenEmpty = nil
                stopped.resume()
            }
        }
        timer.cancel()
    }
}
