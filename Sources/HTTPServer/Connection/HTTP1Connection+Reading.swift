internal import EventLoops

extension HTTP1Connection {
    /// Bytes are there, or the client has ended its side.
    func becameReadable() {
        mayHaveMore = true
        guard wantsToRead else { return watch(reading: false, writing: watchesWriting) }
        switch phase {
        case .handling where exchange?.body.isComplete == false:
            if let exchange { serveReader(exchange) }
        case .reading, .handling, .sending, .closing: receive()
        case .discarding:
            receive()
            discard()
        case .lingering:
            receive()
            dropped += Int64(inbound.count)
            withInbound { $0.removeAll() }
            if dropped > context.limits.lingerBytes { close() }
        case .closed: break
        }
        // A client that has ended its side may still read, so it gets what it has asked for. A handler that takes long for
        // it is cancelled after `Limits.halfClosed`, because the client may as well be gone.
        if peerHasEnded, phase == .discarding || phase == .lingering { close() }
    }

    func becameWritable() { isBlocked = false }

    /// Whether what the client sends has a use now; if not, it stays in the kernel and slows the client down.
    var wantsToRead: Bool {
        guard !peerHasEnded else { return false }
        switch phase {
        case .reading: return !hasBacklog
        case .handling, .sending:
            guard let exchange else { return false }
            return exchange.bodyWaiter != nil || exchange.body.isComplete && inbound.count < Self.readAhead
        case .discarding, .lingering: return true
        case .closing, .closed: return false
        }
    }

    /// Watches for what has a use. Reading is given up only when something comes that nobody wants: most of the time the
    /// answer is done before.
    func updateInterest() {
        watch(reading: watchesReading || wantsToRead, writing: hasBacklog || exchange?.writeWaiter != nil)
    }

    private func watch(reading: Bool, writing: Bool) {
        guard reading != watchesReading || writing != watchesWriting else { return }
        (watchesReading, watchesWriting) = (reading, writing)
        var interest: Readiness = []
        if reading { interest.insert(.readable) }
        if writing { interest.insert(.writable) }
        watch?.update(interest)
    }

    private func receive() {
        guard let buffers else { return }
        switch withInbound({ $0.receive(socket, lending: buffers) }) {
        case .bytes: mayHaveMore = inbound.isFull
        case .blocked: mayHaveMore = false
        case .end: peerHasEnded = true
        case .failed: isBroken = true
        }
    }

    // MARK: Closing

    /// Everything is sent. The rest of what the client sends is read for a while, because closing a socket with unread bytes
    /// resets the connection and may destroy the answer on its way (RFC 9112, section 9.6).
    func endWriting() {
        guard !isOver, !peerHasEnded else { return close() }
        socket.endWriting()
        withInbound { $0.removeAll() }
        dropped = 0
        phase = .lingering
        since = context.clock.now
    }
}
