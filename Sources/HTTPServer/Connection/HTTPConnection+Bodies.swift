internal import EventLoops
internal import HTTP

extension HTTPConnection: BodySource {
    func nextPiece(of number: UInt64) async throws(BodyError) -> ArraySlice<UInt8>? {
        guard let exchange, exchange.number == number else { throw .incomplete }
        precondition(exchange.bodyWaiter == nil, "two readers of one body")
        var ready: Result<ArraySlice<UInt8>?, BodyError>?
        turn { ready = takePiece(exchange) }
        if let ready { return try ready.get() }
        let loop = context.loop
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

    func sendInterim(_ status: HTTPStatus, _ fields: HTTPFields, of number: UInt64) {
        guard let exchange, exchange.number == number, exchange.status == 0, !exchange.isOld else { return }
        turn { if let output = workspace?.output { ResponseHead.writeInterim(status, fields, to: output) } }
    }

    /// Gives the waiting reader what has come meanwhile, if that is enough for it.
    func serveReader(_ exchange: Exchange) {
        guard let piece = takePiece(exchange) else { return }
        resumeReader(of: exchange.number, with: piece)
    }

    func resumeReader(of number: UInt64, with result: Result<ArraySlice<UInt8>?, BodyError>) {
        guard let exchange, exchange.number == number, let waiter = exchange.bodyWaiter else { return }
        countWait(exchange)
        exchange.bodyWaiter = nil
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
            if exchange.owesContinue, !exchange.body.isComplete {
                exchange.owesContinue = false
                // Who has begun to send does not wait, and after a final answer there is nothing to continue.
                if inbound.isEmpty, exchange.status == 0 { workspace?.output.append("HTTP/1.1 100 Continue\r\n\r\n") }
            }
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

    private func decode(_ exchange: Exchange) throws(BodyError) -> ArraySlice<UInt8>? {
        var body = exchange.body
        defer { exchange.body = body }
        return try withInbound { inbound throws(BodyError) in
            guard let range = try body.advance(&inbound) else { return nil }
            return inbound.take(range)
        }
    }

    /// Receives into a fresh array, which is then handed on. Returns whether something came.
    private func receiveBody(_ exchange: Exchange) -> Bool {
        guard mayHaveMore, share > 0, !peerHasEnded, !isBroken else { return false }
        let wanted = Int(min(exchange.body.announcedRest ?? Self.pieceSize, Self.pieceSize))
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
