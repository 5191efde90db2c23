internal import CNGHTTP2
internal import EventLoops
internal import Logging

extension HTTP2Connection: BodySink {
    /// Sends a piece of a streamed answer; returns when so little waits that more is wanted.
    func write(_ bytes: ArraySlice<UInt8>, of number: UInt64) async throws(BodyWriteError) {
        guard let stream = stream(number) else { throw .disconnected }
        precondition(stream.writeWaiter == nil, "two writers of one answer")
        var fits = true
        turn { fits = put(bytes, stream) }
        guard fits else { throw .tooLong }
        guard !stream.isClosed else { throw .disconnected }
        guard !hasRoom(stream) || share <= 0 else { return }
        // One that writes much goes on when others have had their turn.
        let goesOn = await withCheckedContinuation { waiter in
            stream.writeWaiter = Exchange.Waiter(waiter)
            writers.append(stream)
            turn { wait(for: stream) }
        }
        guard goesOn else { throw .disconnected }
    }

    /// Whether a producer may write on.
    func hasRoom(_ stream: HTTP2Stream) -> Bool {
        stream.output.count < Int64(session.limits.streamBacklog)
            && (session.streamedBytes < Int64(session.limits.connectionBacklog) || stream.output.isEmpty)
    }

    /// Lets those producers go on that have room again.
    func resumeWriters() {
        guard share > 0, !writers.isEmpty else { return }
        let ready = writers.filter { hasRoom($0) }
        guard !ready.isEmpty else { return }
        writers.removeAll { hasRoom($0) }
        for stream in ready {
            let waiter = stream.writeWaiter
            stream.writeWaiter = nil
            waiter?.resume(returning: true)
        }
    }

    /// Tells a waiting producer that nobody reads any more.
    func stopWriting(_ stream: HTTP2Stream) {
        guard let waiter = stream.writeWaiter else { return }
        stream.writeWaiter = nil
        writers.removeAll { $0 === stream }
        waiter.resume(returning: false)
    }

    /// The producer has returned.
    func endStream(_ number: UInt64) {
        guard let stream = stream(number) else { return }
        _ = put([], stream)
        if case .streaming(.sized(let missing)) = stream.answer, missing > 0 {
            context.logger.error("answer shorter than declared", ["request": stream.id, "missing": missing])
            return session.reset(stream.streamID, NGHTTP2_INTERNAL_ERROR)
        }
        stream.output.hasEnded = true
        stream.answer = .complete
        session.resume(stream)
        progressed(stream)
    }

    /// The producer has thrown. What was not begun can still become a proper answer.
    func failStream(_ number: UInt64, _ error: any Error, _ request: Request) {
        guard let stream = stream(number) else { return }
        if case .pending = stream.answer { return send(context.responder.response(to: error, of: request), stream) }
        if !(error is BodyWriteError), !(error is CancellationError) {
            context.logger.error(
                "answer broken off", ["request": stream.id, "path": stream.path, "error": logText(of: error)])
        }
        session.reset(stream.streamID, NGHTTP2_INTERNAL_ERROR)
    }

    /// Queues a piece, the head before the first. Returns whether it fits the declared length.
    private func put(_ bytes: ArraySlice<UInt8>, _ stream: HTTP2Stream) -> Bool {
        if case .pending(let response) = stream.answer {
            stream.isStreamed = true
            writeHead(response, context.decorations(to: response, stream), stream, withBody: true)
        }
        guard case .streaming(let framing) = stream.answer, !bytes.isEmpty else { return true }
        if case .sized(let rest) = framing {
            guard bytes.count <= rest else { return false }
            stream.answer = .streaming(.sized(rest - Int64(bytes.count)))
        }
        if stream.output.isEmpty { progressed(stream) }
        stream.output.append(bytes)
        session.streamedBytes += Int64(bytes.count)
        session.resume(stream)
        return true
    }
}
