internal import EventLoops
internal import HTTP

extension HTTP1Connection: BodyReading {
    func exchange(numbered number: UInt64) -> Exchange? { exchange?.number == number ? exchange : nil }

    func hasNews(_ exchange: Exchange) -> Bool {
        !inbound.isEmpty || mayHaveMore && share > 0 || exchange.body.isComplete || exchange.bodyFailure != nil
            || peerHasEnded || isBroken
    }

    func sendInterim(_ status: HTTPStatus, _ fields: HTTPFields, of number: UInt64) {
        guard let exchange, exchange.number == number, exchange.status == 0, !exchange.isHTTP10 else { return }
        turn { if let output = buffers?.output { ResponseHead.writeInterim(status, fields, to: output) } }
    }

    /// The turn itself sees what is waited for.
    func beginWait(_ exchange: Exchange) {}

    func countWait(_ exchange: Exchange) {
        let now = context.clock.now
        exchange.waitedForBody += now.nanoseconds - since.nanoseconds
        since = now
    }

    func takePiece(_ exchange: Exchange) -> Result<ArraySlice<UInt8>?, BodyError>? {
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

    func continueIfOwed(_ exchange: Exchange) {
        guard exchange.owesContinue, exchange.bodyFailure == nil, !exchange.body.isComplete else { return }
        exchange.owesContinue = false
        // Who has begun to send does not wait, and after a final answer there is nothing to continue.
        if inbound.isEmpty, exchange.status == 0 { buffers?.output.append("HTTP/1.1 100 Continue\r\n\r\n") }
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
            // Whatever has come, the present wait begins anew.
            if exchange.bodyWaiter == nil { since = context.clock.now } else { countWait(exchange) }
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
