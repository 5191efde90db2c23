internal import EventLoops
internal import HTTP

extension HTTP2Connection: BodySource {
    func nextPiece(of number: UInt64) async throws(BodyError) -> ArraySlice<UInt8>? {
        guard let stream = stream(number) else { throw .incomplete }
        precondition(stream.bodyWaiter == nil, "two readers of one body")
        var ready: Result<ArraySlice<UInt8>?, BodyError>?
        turn { ready = takePiece(stream) }
        if let ready { return try ready.get() }
        return try await suspendReader(stream)
    }

    func awaitNews(of number: UInt64) async throws(BodyError) {
        guard let stream = stream(number) else { throw .incomplete }
        precondition(stream.bodyWaiter == nil, "two readers of one body")
        turn { continueIfOwed(stream) }
        guard !hasNews(stream) else { return }
        stream.awaitsNews = true
        _ = try await suspendReader(stream)
    }

    func presentPiece(of number: UInt64) throws(BodyError) -> PresentPiece {
        guard let stream = stream(number) else { throw .incomplete }
        var ready: Result<ArraySlice<UInt8>?, BodyError>?
        turn { ready = takePiece(stream) }
        guard let ready else { return .notYet }
        return try ready.get().map { .bytes($0) } ?? .end
    }

    /// Until something has come, or the piece itself.
    private func suspendReader(_ stream: HTTP2Stream) async throws(BodyError) -> ArraySlice<UInt8>? {
        let (loop, number) = (context.loop, stream.number)
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

    private func hasNews(_ stream: HTTP2Stream) -> Bool {
        !stream.pending.isEmpty || stream.body.isComplete || stream.bodyFailure != nil || stream.isClosed
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
        guard stream.bodyWaiter != nil, hasNews(stream) else { return }
        if stream.awaitsNews { return resumeReader(of: stream.number, with: .success(nil)) }
        guard let piece = takePiece(stream) else { return }
        resumeReader(of: stream.number, with: piece)
    }

    func resumeReader(of number: UInt64, with result: Result<ArraySlice<UInt8>?, BodyError>) {
        guard let stream = stream(number), let waiter = stream.bodyWaiter else { return }
        let now = Moment.now
        stream.waitedForBody += now.nanoseconds - stream.since.nanoseconds
        stream.since = now
        (stream.bodyWaiter, stream.awaitsNews) = (nil, false)
        waiter.resume(returning: result)
        wait(for: stream)
    }

    /// All that has come; nil when more has to come.
    private func takePiece(_ stream: HTTP2Stream) -> Result<ArraySlice<UInt8>?, BodyError>? {
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

    private func continueIfOwed(_ stream: HTTP2Stream) {
        guard stream.owesContinue, !stream.isClosed, stream.bodyFailure == nil, !stream.body.isComplete else { return }
        stream.owesContinue = false
        // Who has begun to send does not wait, and after a final answer there is nothing to continue.
        if stream.pending.isEmpty, stream.status == 0 { submitInterim(.continue, [:], stream) }
    }
}
