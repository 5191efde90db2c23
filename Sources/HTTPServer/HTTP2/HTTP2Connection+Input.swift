internal import EventLoops
internal import HTTP
internal import Logging

/// Frames, and the bodies of requests.
extension HTTP2Connection {
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
        // No watch tells of bytes that TLS has decrypted already.
        if isFull, socket.tls != nil { Task(executorPreference: context.loop) { await self.receiveMore() } }
        // A client that has closed its side of an HTTP/2 connection reads no responses.
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

    // MARK: Requests

    /// Lets whatever answers the request begin.
    func begin(_ stream: HTTP2Stream) {
        guard let opening = stream.opening, !stream.isClosed else { return }
        stream.opening = nil
        requestCount += 1
        if requestCount == context.limits.requestsPerConnection { session.refuseMore() }
        switch opening {
        case .failure(let fault): send(HTTPResponse(fault), stream)
        case .success(let start): serve(start, stream)
        }
        wait(for: stream)
    }

    /// The stream of a request, unless it is gone.
    func exchange(numbered number: UInt64) -> HTTP2Stream? {
        guard let stream = session.streams[Int32(truncatingIfNeeded: number)], !stream.isClosed else { return nil }
        return stream
    }

    // MARK: Bodies

    func hasNews(_ stream: HTTP2Stream) -> Bool {
        !stream.pending.isEmpty || stream.body.isComplete || stream.body.failure != nil || stream.isClosed
    }

    func sendInterim(_ status: HTTPStatus, _ fields: HTTPFields, of number: UInt64) {
        guard let stream = exchange(numbered: number), stream.status == 0, !stream.isClosed else { return }
        turn { submitInterim(status, fields, stream) }
    }

    private func submitInterim(_ status: HTTPStatus, _ fields: HTTPFields, _ stream: HTTP2Stream) {
        guard let text = buffers?.output else { return }
        ResponseHead.writeInterim(status, fields, to: text)
        session.submitInterim(in: text, of: stream)
    }

    func readerWaits(_ stream: HTTP2Stream) { progressed(stream) }

    func readerResumes(_ stream: HTTP2Stream) {
        let now = context.clock.now
        stream.body.waited += now.nanoseconds - stream.since.nanoseconds
        stream.since = now
        wait(for: stream)
    }

    /// All that has come.
    func takePiece(_ stream: HTTP2Stream) -> Result<ArraySlice<UInt8>?, BodyError>? {
        if let failure = stream.body.failure { return .failure(failure) }
        guard !stream.isClosed else { return .failure(.incomplete) }
        continueIfOwed(stream)
        if !stream.pending.isEmpty {
            var piece: [UInt8] = []
            swap(&piece, &stream.pending)
            session.consume(stream.streamID, piece.count)
            return .success(piece[...])
        }
        return stream.body.isComplete ? .success(nil) : nil
    }

    func continueIfOwed(_ stream: HTTP2Stream) {
        guard !stream.isClosed else { return }
        if stream.body.takeContinue(hasBegun: !stream.pending.isEmpty || stream.status != 0) {
            submitInterim(.continue, [:], stream)
        }
    }
}
