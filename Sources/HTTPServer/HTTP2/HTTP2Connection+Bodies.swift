internal import EventLoops
internal import HTTP

extension HTTP2Connection: BodySource {
    func nextPiece(of number: UInt64) async throws(BodyError) -> ArraySlice<UInt8>? {
        guard let stream = stream(number) else { throw .incomplete }
        precondition(stream.bodyWaiter == nil, "two readers of one body")
        var ready: Result<ArraySlice<UInt8>?, BodyError>?
        turn { ready = takePiece(stream) }
        if let ready { return try ready.get() }
        let loop = context.loop
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                stream.bodyWaiter = Exchange.Waiter(waiter)
                stream.since = .now
                turn { wait(for: stream) }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.resumeReader(of: number, with: .failure(.cancelled)) } }
        }
        return try result.get()
    }

    func sendInterim(_ status: HTTPStatus, _ fields: HTTPFields, of number: UInt64) {
        guard let stream = stream(number), stream.status == 0, !stream.isClosed else { return }
        turn { submitInterim(status, fields, stream) }
    }

    private func submitInterim(_ status: HTTPStatus, _ fields: HTTPFields, _ stream: HTTP2Stream) {
        guard let text = workspace?.output else { return }
        ResponseHead.writeInterim(status, fields, to: text)
        session.submitInterim(in: text, of: stream)
    }

    /// Gives the waiting reader what has come meanwhile.
    func serveReader(_ stream: HTTP2Stream) {
        guard stream.bodyWaiter != nil, let piece = takePiece(stream) else { return }
        resumeReader(of: stream.number, with: piece)
    }

    func resumeReader(of number: UInt64, with result: Result<ArraySlice<UInt8>?, BodyError>) {
        guard let stream = stream(number), let waiter = stream.bodyWaiter else { return }
        let now = Moment.now
        stream.waitedForBody += now.nanoseconds - stream.since.nanoseconds
        stream.since = now
        stream.bodyWaiter = nil
        waiter.resume(returning: result)
        wait(for: stream)
    }

    /// All that has come; nil when more has to come.
    private func takePiece(_ stream: HTTP2Stream) -> Result<ArraySlice<UInt8>?, BodyError>? {
        if let failure = stream.bodyFailure { return .failure(failure) }
        guard !stream.isClosed else { return .failure(.incomplete) }
        if stream.owesContinue, !stream.body.isComplete {
            stream.owesContinue = false
            // Who has begun to send does not wait, and after a final answer there is nothing to continue.
            if stream.pending.isEmpty, stream.status == 0 { submitInterim(.continue, [:], stream) }
        }
        if !stream.pending.isEmpty {
            var piece: [UInt8] = []
            swap(&piece, &stream.pending)
            session.consume(stream.streamID, piece.count)
            return .success(piece[...])
        }
        return stream.body.isComplete ? .success(nil) : nil
    }
}
