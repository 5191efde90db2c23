internal import EventLoops
internal import HTTP

extension HTTPConnection: BodySource {
    func nextPiece(of number: UInt64) async throws(BodyError) -> ArraySlice<UInt8>? {
        guard let exchange, exchange.number == number else { throw .incomplete }
        precondition(exchange.bodyWaiter == nil, "two readers of one body")
        var ready: Result<ArraySlice<UInt8>?, BodyError>?
        turn { ready = takePiece(exchange) }
        if let ready { return try ready.get() }
        return try await suspendReader(exchange)
    }

    func awaitNews(of number: UInt64) async throws(BodyError) {
        guard let exchange, exchange.number == number else { throw .incomplete }
        precondition(exchange.bodyWaiter == nil, "two readers of one body")
        turn { continueIfOwed(exchange) }
        guard !hasNews(exchange) else { return }
        exchange.awaitsNews = true
        _ = try await suspendReader(exchange)
    }

    func presentPiece(of number: UInt64) throws(BodyError) -> PresentPiece {
        guard let exchange, exchange.number == number else { throw .incomplete }
        var ready: Result<ArraySlice<UInt8>?, BodyError>?
        turn { ready = takePiece(exchange) }
        guard let ready else { return .notYet }
        return try ready.get().map { .bytes($0) } ?? .end
    }

    /// Until something has come, or the piece itself.
    private func suspendReader(_ exchange: Exchange) async throws(BodyError) -> ArraySlice<UInt8>? {
        let (loop, number) = (context.loop, exchange.number)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                exchange.bodyWaiter = Exchange.Waiter(waiter)
                turn {}
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.resumeReader(of: number, with: .failure(.cancelled)) } }
        }
        return try result.get()
    }

    /// Whether taking a piece is worth a try.
    private func hasNews(_ exchange: Exchange) -> Bool {
        !inbound.isEmpty || mayHaveMore && share > 0 || exchange.body.isComplete || exchange.bodyFailure != nil
            || peerHasEnded || isBroken
    }

    func sendInterim(_ status: HTTPStatus, _ fields: HTTPFields, of number: UInt64) {
        guard let exchange, exchange.number == number, exchange.status == 0, !exchange.isOld else { return }
        turn { if let output = workspace?.output { ResponseHead.writeInterim(status, fields, to: output) } }
    }

    /// Gives the waiting reader what has come meanwhile, if that is enough for it.
    func serveReader(_ exchange: Exchange) {
        if exchange.awaitsNews { return resumeReader(of: exchange.number, with: .success(nil)) }
        guard let piece = takePiece(exchange) else { return }
        resumeReader(of: exchange.number, with: piece)
    }

    func resumeReader(of number: UInt64, with result: Result<ArraySlice<UInt8>?, BodyError>) {
        guard let exchange, exchange.number == number, let waiter = exchange.bodyWaiter else { return }
        countWait(exchange)
        (exchange.bodyWaiter, exchange.awaitsNews) = (nil, false)
        waiter.resume(returning: result)
    }

    /// Whatever has come, the present wait begins anew, and the time so far counts for the least rate.
    private func countWait(_ exchange: Exchange) {
        let now = Moment.now
        if exchange.bodyWaiter != nil { exchange.waitedForBody += now.nanoseconds - since.nanoseconds }
        since = now
    }

    /// The next piece, from what was received already or is there to be received; nil when more has to come.
    private func takePiece(_ exchange: Exchange) -> Result<ArraySlice<UInt8>?, BodyError>? {
        do throws(BodyError) {
            if let failure = exchange.bodyFailure { throw failure }
            continueIfOwed(exchange)
            repeat {
                if let piece = try decode(exchange) { return .success(piece) }
                if exchange.body.isComplete { return .success(nil) }
            } while receiveBody(exchange)
            if peerHasEnded || isBroken { throw .incomplete }
            return nil
        } catch {
            exchange.bodyFailure = error
            return .failure(error)
        }
    }

    private func continueIfOwed(_ exchange: Exchange) {
        guard exchange.owesContinue, exchange.bodyFailure == nil, !exchange.body.isComplete else { return }
        exchange.owesContinue = false
        // Who has begun to send does not wait, and after a final answer there is nothing to continue.
        if inbound.isEmpty, exchange.status == 0 { workspace?.output.append("HTTP/1.1 100 Continue\r\n\r\n") }
    }

    private func decode(_ exchange: Exchange) throws(BodyError) -> ArraySlice<UInt8>? {
        var body = exchange.body
        defer { exchange.body = body }
        return try withInbound { inbound throws(BodyError) in
            guard let range = try body.advance(&inbound) else { return nil }
            return inbound.take(range)
        }
    }

    /// Receives into a fresh array, which is then handed on. Returns whether something came.
    ///
    /// A piece ends where a multiple of `pieceSize` of the body ends: written to a file as it is, it fills whole pages.
    private func receiveBody(_ exchange: Exchange) -> Bool {
        guard mayHaveMore, share > 0, !peerHasEnded, !isBroken else { return false }
        let room = Self.pieceSize - exchange.body.received % Self.pieceSize
        let wanted = Int(min(exchange.body.announcedRest ?? room, room))
        switch withInbound({ $0.receiveFresh(socket, atMost: wanted) }) {
        case .bytes(let count):
            share -= Int64(count)
            mayHaveMore = count == wanted
            countWait(exchange)
            return true
        case .blocked: mayHaveMore = false
        case .end: peerHasEnded = true
        case .failed: isBroken = true
        }
        return false
    }

    private static let pieceSize: Int64 = 64 << 10

    // MARK: Bodies that nobody reads

    /// Drops what has come of a body that was not read; the next request follows it.
    func discard() {
        guard var body = discarded else { return }
        do throws(BodyError) {
            dropped += try withInbound { inbound throws(BodyError) in
                var count: Int64 = 0
                while let range = try body.advance(&inbound) {
                    inbound.consume(range.upperBound)
                    count += Int64(range.count)
                }
                return count
            }
        } catch {
            phase = .closing
        }
        discarded = body
        if dropped > context.limits.drainedBody { phase = .closing }
        guard body.isComplete, phase == .discarding else { return }
        discarded = nil
        phase = .reading
    }
}
