internal import EventLoops
internal import HTTP

extension HTTP2Connection: BodyReading {
    func exchange(numbered number: UInt64) -> HTTP2Stream? { stream(number) }

    func hasNews(_ stream: HTTP2Stream) -> Bool {
        !stream.pending.isEmpty || stream.body.isComplete || stream.bodyFailure != nil || stream.isClosed
    }

    func sendInterim(_ status: HTTPStatus, _ fields: HTTPFields, of number: UInt64) {
        guard let stream = stream(number), stream.status == 0, !stream.isClosed else { return }
        turn { submitInterim(status, fields, stream) }
    }

    private func submitInterim(_ status: HTTPStatus, _ fields: HTTPFields, _ stream: HTTP2Stream) {
        guard let text = buffers?.output else { return }
        ResponseHead.writeInterim(status, fields, to: text)
        session.submitInterim(in: text, of: stream)
    }

    func beginWait(_ stream: HTTP2Stream) { progressed(stream) }

    func countWait(_ stream: HTTP2Stream) {
        let now = context.clock.now
        stream.waitedForBody += now.nanoseconds - stream.since.nanoseconds
        stream.since = now
        wait(for: stream)
    }

    /// All that has come.
    func takePiece(_ stream: HTTP2Stream) -> Result<ArraySlice<UInt8>?, BodyError>? {
        if let failure = stream.bodyFailure { return .failure(failure) }
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
        guard stream.owesContinue, !stream.isClosed, stream.bodyFailure == nil, !stream.body.isComplete else { return }
        stream.owesContinue = false
        // Who has begun to send does not wait, and after a final answer there is nothing to continue.
        if stream.pending.isEmpty, stream.status == 0 { submitInterim(.continue, [:], stream) }
    }
}
