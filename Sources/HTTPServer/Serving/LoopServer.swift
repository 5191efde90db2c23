internal import CLinux
internal import EventLoops
internal import Glibc
internal import HTTP
internal import Logging
internal import TLS

/// The part of a server that lives on one loop: its listener and its connections.
actor LoopServer {
    nonisolated let context: LoopContext
    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    private var listeners: [(descriptor: Int32, watch: Watch)] = []
    /// Connections whose TLS handshake is under way.
    var handshakes: [ObjectIdentifier: TLSHandshake] = [:]
    private var pause: (any ServerTimer)?
    /// Connections whose PROXY header is still to come, by descriptor.
    var gates: [Int32: ProxyGate] = [:]

    init(_ context: LoopContext) { self.context = context }

    /// Accepts connections from now on; the descriptor is this object's.
    func listen(_ descriptor: Int32, _ listener: ListenerConfiguration) throws(EventLoopError) {
        let watch = try context.loop.watch(descriptor, for: .readable) { [self] _ in accept(descriptor, listener) }
        listeners.append((descriptor, watch))
    }

    func metrics() -> ServerMetrics { context.metrics }

    // MARK: Accepting

    private func accept(_ descriptor: Int32, _ listener: ListenerConfiguration) {
        // Bounded, so that a flood of connections does not keep those that are there waiting.
        for _ in 0..<64 {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let accepted = withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pics_accept(descriptor, $0, &length) }
            }
            guard accepted >= 0 else {
                let code = errno
                switch code {
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: return rest(code)
                // Errors of the new connection are reported here and are no reason to stop (accept(2)).
                case EAGAIN: return
                default: continue
                }
            }
            serve(StreamSocket(descriptor: accepted), PeerAddress.of(storage), listener)
        }
    }

    private func serve(_ socket: StreamSocket, _ peer: PeerAddress, _ listener: ListenerConfiguration) {
        let origin = Origin(peer, context.proxies)
        guard context.admission.enter(origin.countedGroup) else { return refuse(socket, isPlain: listener.tls == nil) }
        admit(socket, origin, listener)
    }

    private func refuse(_ socket: StreamSocket, isPlain: Bool) {
        context.countRefused()
        // A client that expects TLS understands nothing else.
        guard isPlain else { return socket.close() }
        let response = HTTPResponse(.tooManyConnections, fields: ["Retry-After": "5"])
        let buffers = context.takeBuffers()
        ResponseHead(
            status: response.status, fields: response.fields, framing: response.framing(isHTTP10: false),
            persistence: .close,
            requestID: context.makeRequestID()
        ).write(to: buffers.output, dateLine: context.dateLine)
        if case .bytes(let body) = response.body { buffers.output.append(body[...]) }
        // The rest is not worth waiting for.
        _ = socket.send(buffers.output.bytes)
        buffers.output.removeAll()
        context.recycle(buffers)
        socket.endWriting()
        socket.close()
    }

    /// No descriptors or memory are left: waiting helps, trying again at once would spin.
    private func rest(_ code: Int32) {
        context.logger.warning("connections not accepted", ["errno": code])
        for listener in listeners { listener.watch.update([]) }
        pause = context.schedule(after: .milliseconds(100)) { [self] in
            for listener in listeners { listener.watch.update(.readable) }
        }
    }

    // MARK: Stopping

    /// Accepts no more, lets requests end, and closes idle connections: at once, or those of HTTP/1.1 after `idle`.
    func drain(closingIdleAfter idle: Duration = .zero) {
        guard !context.isDraining else { return }
        context.isDraining = true
        pause?.cancel()
        for listener in listeners {
            listener.watch.cancel()
            Glibc.close(listener.descriptor)
        }
        listeners = []
        closeGates()
        for connection in context.connections.values { connection.drainOnLoop(keepsIdle: idle > .zero) }
        guard idle > .zero else { return }
        // Nobody keeps it: it runs once.
        _ = context.schedule(after: idle) { [context] in
            for connection in context.connections.values { connection.drainOnLoop(keepsIdle: false) }
        }
    }

    /// Drains, and cuts what is still there after `limit`. Returns when no connection is left.
    func stop(within limit: Duration) async {
        drain()
        guard !context.connections.isEmpty else { return }
        let timer = context.schedule(after: limit) { [context] in
            for connection in context.connections.values { connection.cutOnLoop() }
        }
        await withCheckedContinuation { context.whenEmpty.append($0) }
        timer.cancel()
    }
}

/// The way from an accepted socket to its connection: the PROXY header, then TLS, then HTTP.
extension LoopServer {
    /// Lets a connection in: at once, or after its PROXY header (`ListenerConfiguration.wantsProxyHeader`).
    func admit(_ socket: StreamSocket, _ origin: Origin, _ listener: ListenerConfiguration) {
        guard listener.wantsProxyHeader else { return secure(socket, origin, listener) }
        // Anybody else could claim any address.
        guard origin.speaksForOthers else { return turnAway(socket, origin) }
        let gate = ProxyGate(socket, origin, context) { [self] header in
            gates[socket.descriptor] = nil
            guard let header else { return turnAway(socket, origin) }
            secure(socket, origin.passing(header.client, context.proxies), listener)
        }
        gates[socket.descriptor] = gate
        gate.open()
    }

    /// Closes the connections that are on their way here.
    func closeGates() {
        for gate in gates.values {
            gate.cancel()
            close(gate.socket, gate.origin)
        }
        gates = [:]
        for handshake in handshakes.values { handshake.cancel() }
    }

    private func turnAway(_ socket: StreamSocket, _ origin: Origin) {
        context.countRefusedProxyHeader()
        close(socket, origin)
    }

    /// Closes without a response: nobody would understand it.
    private func close(_ socket: StreamSocket, _ origin: Origin) {
        context.admission.leave(origin.countedGroup)
        socket.close()
    }

    private func secure(_ socket: StreamSocket, _ origin: Origin, _ listener: ListenerConfiguration) {
        guard let certificates = listener.tls else { return open(socket, origin, listener) }
        do {
            let handshake = try TLSHandshake(
                socket, certificates, in: context
            ) { [self] handshake, result in
                handshakes[ObjectIdentifier(handshake)] = nil
                finish(result, socket, origin, listener)
            }
            handshakes[ObjectIdentifier(handshake)] = handshake
            handshake.begin()
        } catch {
            finish(.failure(TLSHandshake.Failure(reason: "\(error)")), socket, origin, listener)
        }
    }

    private func finish(
        _ result: Result<TLSSession, TLSHandshake.Failure>, _ socket: StreamSocket, _ origin: Origin,
        _ listener: ListenerConfiguration
    ) {
        switch result {
        case .success(let session):
            open(StreamSocket(descriptor: socket.descriptor, tls: session), origin, listener)
        case .failure(let failure):
            context.logger.debug("TLS handshake failed", ["remote": origin.client.text, "reason": failure.reason])
            close(socket, origin)
        }
    }

    private func open(_ socket: StreamSocket, _ origin: Origin, _ listener: ListenerConfiguration) {
        if socket.tls?.negotiatedProtocol == DomainChallenges.protocolName {
            // The handshake was all (RFC 8737, section 3).
            socket.tls?.sendCloseNotify()
            close(socket, origin)
        } else if socket.tls?.negotiatedProtocol == "h2", context.connectionLimits.speaksHTTP2 {
            let connection = HTTP2Connection(socket, from: origin, as: listener.role, in: context)
            connection.assumeIsolated { $0.open() }
        } else {
            let connection = HTTP1Connection(socket, from: origin, as: listener.role, in: context)
            connection.assumeIsolated { $0.open() }
        }
    }
}
