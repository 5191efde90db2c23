internal import Logging
internal import TLS

/// The way from an accepted socket to its connection: for whom it comes, then TLS, then HTTP.
extension LoopServer {
    /// Lets a connection in: at once, or when it has said for whom it comes (`ListenerConfiguration.wantsProxyHeader`).
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

    /// Closes without a response: nobody knows who would read it.
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
        if socket.tls?.negotiatedProtocol == "h2", context.connectionLimits.speaksHTTP2 {
            let connection = HTTP2Connection(socket, from: origin, as: listener.role, in: context)
            connection.assumeIsolated { $0.open() }
        } else {
            let connection = HTTP1Connection(socket, from: origin, as: listener.role, in: context)
            connection.assumeIsolated { $0.open() }
        }
    }
}
