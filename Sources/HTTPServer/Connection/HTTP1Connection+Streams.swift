internal import Logging

extension HTTP1Connection: BodySink {
    /// Sends a piece of a streamed answer; returns when the socket has taken it all.
    func write(_ bytes: ArraySlice<UInt8>, of number: UInt64) async throws(BodyWriteError) {
        guard let exchange, exchange.number == number else { throw .disconnected }
        precondition(exchange.writeWaiter == nil, "two writers of one answer")
        var fits = true
        turn { fits = stream(bytes, exchange) }
        guard fits else { throw .tooLong }
        guard self.exchange === exchange else { throw .disconnected }
        share -= Int64(bytes.count)
        guard hasBacklog || share <= 0 else { return }
        // One that writes much goes on when others have had their turn.
        let goesOn = await withCheckedContinuation { waiter in
            exchange.writeWaiter = Exchange.Waiter(waiter)
            turn {}
        }
        guard goesOn else { throw .disconnected }
    }

    /// The producer has returned.
    func endStream(_ number: UInt64) {
        guard let exchange, exchange.number == number else { return }
        _ = stream([], exchange)
        switch exchange.answer {
        case .streaming(.chunked): buffers?.output.append("0\r\n\r\n")
        case .streaming(.sized(let missing)) where missing > 0:
            context.logger.error("answer shorter than declared", ["request": exchange.id, "missing": missing])
            isBroken = true
            return
        default: break
        }
        answered(exchange)
    }

    /// The producer has thrown. What was not begun can still become a proper answer.
    func failStream(_ number: UInt64, _ error: any Error, _ request: Request) {
        guard let exchange, exchange.number == number else { return }
        if case .pending = exchange.answer { return send(context.responder.response(to: error, of: request), exchange) }
        if !(error is BodyWriteError), !(error is CancellationError) {
            context.logger.error(
                "answer broken off", ["request": exchange.id, "path": exchange.path, "error": logText(of: error)])
        }
        isBroken = true
    }

    /// Writes a piece in the answer's framing, the head before the first. Returns whether it fits the declared length.
    private func stream(_ bytes: ArraySlice<UInt8>, _ exchange: Exchange) -> Bool {
        if case .pending(let response) = exchange.answer {
            writeHead(response, context.decorations(to: response, exchange), exchange)
        }
        guard case .streaming(let framing) = exchange.answer, !bytes.isEmpty else { return true }
        switch framing {
        case .none: break
        case .untilClose: queue(bytes, exchange)
        case .sized(let rest):
            guard bytes.count <= rest else { return false }
            exchange.answer = .streaming(.sized(rest - Int64(bytes.count)))
            queue(bytes, exchange)
        case .chunked:
            buffers?.output.append(bytes.count, radix: 16)
            buffers?.output.append("\r\n")
            queue(bytes, exchange)
            buffers?.output.append("\r\n")
        }
        return true
    }
}
