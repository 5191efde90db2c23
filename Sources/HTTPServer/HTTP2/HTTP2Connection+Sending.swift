internal import CNGHTTP2
internal import EventLoops
internal import Logging

extension HTTP2Connection {
    /// The bytes of frames that are gathered before they are sent.
    private static let coalesced = 64 << 10
    /// The frames, beside DATA, that may wait before the client is read no further.
    private static let queuedFrames = 1_000

    // MARK: Receiving

    /// Bytes are there, or the client has ended its side. Bounded, so that one client does not keep others waiting; the watch
    /// tells again of what is left.
    func receive() {
        var isFull = true
        for _ in 0..<4 where isFull {
            guard let buffers, phase != .closed, !isBroken else { return }
            isFull = false
            buffers.scratch.withUnsafeMutableBytes { buffer in
                switch socket.receive(into: buffer) {
                case .bytes(let count):
                    isFull = count == buffer.count
                    take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                case .blocked: break
                case .end: peerHasEnded = true
                case .failed: isBroken = true
                }
            }
        }
        // What TLS has decrypted already, no watch tells of.
        if isFull, socket.tls != nil { Task(executorPreference: context.loop) { await self.receiveMore() } }
        // Whoever has closed his side of an HTTP/2 connection reads no answers.
        if peerHasEnded { close() }
    }

    private func receiveMore() {
        turn { if watchesReading { receive() } }
    }

    func take(_ bytes: UnsafeRawBufferPointer) {
        guard !isEnding else {
            dropped += Int64(bytes.count)
            if dropped > context.limits.lingerBytes { isBroken = true }
            return
        }
        guard !bytes.isEmpty, !session.receive(bytes) else { return }
        if let excess = session.excess {
            context.logger.info("connection ended for too much", ["of": "\(excess)", "remote": origin.client.text])
        }
        end()
    }

    // MARK: Sending

    /// Makes frames and sends them, as far as the socket takes them. Returns whether that has led to something.
    func flush() -> Bool {
        guard phase == .serving, !isBroken, let output = buffers?.output else { return false }
        if hasBacklog, !isBlocked { pump() }
        while !hasBacklog, !isBroken, share > 0 {
            guard session.fill(output, upTo: Self.coalesced) else {
                isBroken = true
                break
            }
            guard !output.isEmpty else { break }
            sendDirectly(output)
        }
        output.removeAll()
        guard !isBroken else { return false }
        resumeWriters()
        if !session.events.isEmpty { return true }
        if !hasBacklog, !session.wantsToRead, !session.wantsToWrite { endWriting() }
        return false
    }

    private func sendDirectly(_ output: OutputBuffer) {
        var sent = 0
        switch socket.send(output.bytes) {
        case .bytes(let count): sent = count
        case .blocked: break
        case .failed: isBroken = true
        }
        share -= Int64(sent)
        sentAt = context.clock.now
        if sent < output.count, !isBroken {
            isBlocked = true
            hasBacklog = true
            outbound.append(Array(UnsafeRawBufferPointer(rebasing: output.bytes[sent...]))[...])
        }
        output.removeAll()
    }

    private func pump() {
        var rest = share
        var queue = OutboundQueue()
        swap(&queue, &outbound)
        defer { swap(&queue, &outbound) }
        switch queue.pump(to: socket, within: &rest) {
        case .drained, .paused: break
        case .blocked: isBlocked = true
        case .failed: isBroken = true
        }
        if rest < share { sentAt = context.clock.now }
        share = rest
        hasBacklog = !queue.isEmpty
    }

    /// Whether something is to be sent as soon as the socket takes it and others have had their turn.
    var waitsForReader: Bool {
        hasBacklog || share <= 0 && (session.wantsToWrite || writers.contains { hasRoom($0) })
    }

    /// Watches for what has a use.
    func updateInterest() {
        let reading = !peerHasEnded && session.queuedFrames < Self.queuedFrames
        let writing = phase == .serving && waitsForReader
        guard reading != watchesReading || writing != watchesWriting else { return }
        (watchesReading, watchesWriting) = (reading, writing)
        var interest: Readiness = []
        if reading { interest.insert(.readable) }
        if writing { interest.insert(.writable) }
        watch?.update(interest)
    }
}
