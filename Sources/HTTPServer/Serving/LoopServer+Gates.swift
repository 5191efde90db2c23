extension LoopServer {
    /// Lets a connection in: at once, or when it has said for whom it comes (`ServerConfiguration.proxyProtocol`).
    func admit(_ socket: StreamSocket, _ origin: Origin) {
        guard context.wantsProxyHeaders else { return open(socket, origin) }
        // Anybody else could claim any address.
        guard origin.speaksForOthers else { return turnAway(socket, origin) }
        let gate = ProxyGate(socket, origin, context) { [self] header in
            gates[socket.descriptor] = nil
            guard let header else { return turnAway(socket, origin) }
            open(socket, origin.passing(header.client, context.proxies))
        }
        gates[socket.descriptor] = gate
        gate.open()
    }

    /// Closes the connections that have not said for whom they come.
    func closeGates() {
        for gate in gates.values {
            gate.cancel()
            close(gate.socket, gate.origin)
        }
        gates = [:]
    }

    private func turnAway(_ socket: StreamSocket, _ origin: Origin) {
        context.countRefusedProxyHeader()
        close(socket, origin)
    }

    /// Closes without an answer: nobody knows who would read it.
    private func close(_ socket: StreamSocket, _ origin: Origin) {
        context.admission.leave(origin.countedGroup)
        socket.close()
    }

    private func open(_ socket: StreamSocket, _ origin: Origin) {
        let connection = HTTPConnection(socket, from: origin, in: context)
        connection.assumeIsolated { $0.open() }
    }
}
