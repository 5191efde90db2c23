internal import EventLoops
internal import HTTP
internal import Logging

/// Responses on their way to the socket.
extension HTTP1Connection {
    /// Writes a whole response; sends it at the turn's end, as far as the socket takes it.
    func send(_ response: HTTPResponse, _ exchange: Exchange) {
        guard buffers != nil, exchange.status == 0 else { return }
        let response = context.presented(response, exchange)
        let decorations = context.decorations(to: response, exchange)
        writeHead(response, decorations, exchange)
        if !exchange.isHead, response.allowsBody {
            response.body.forEachPiece(orGzipped: decorations.gzipped) { write($0, exchange) }
        }
        complete(exchange)
    }

    private func writeHead(_ response: HTTPResponse, _ decorations: ResponseDecorations, _ exchange: Exchange) {
        let framing = response.framing(isHTTP10: machine.request.isHTTP10, gzipped: decorations.gzipped)
        let persistence = machine.beginResponse(framing, isDraining: context.isDraining)
        writeHead(of: response, decorations, framing, persistence, exchange)
    }

    /// Puts a part of a body behind what is written. Little is copied to go out with its head in one buffer; much is sent from
    /// where it lies, and a file without being read here.
    private func write(_ piece: BodyPiece, _ exchange: Exchange) {
        guard let output = buffers?.output else { return }
        exchange.bytesSent += piece.length
        if case .bytes(let bytes) = piece, bytes.count <= Self.copied { return output.append(bytes) }
        outbound.append(output)
        outbound.append(piece)
        machine.hasBacklog = !outbound.isEmpty
    }

    /// The bytes of a body that are cheaper to copy than to send from their own place.
    private static let copied = 8 << 10

    /// The response is written: the exchange ends as soon as the socket has taken it.
    private func complete(_ exchange: Exchange) {
        if machine.completeResponse() { finish(exchange) }
    }

    // MARK: Sending

    /// Sends what was written. Returns whether the client has now taken what kept more requests from being served.
    func flush() -> Bool {
        guard let output = buffers?.output else { return false }
        guard machine.ending == .none else {
            output.removeAll()
            return false
        }
        let hadBacklog = machine.hasBacklog
        if hadBacklog {
            outbound.append(output)
            if !outbound.isBlocked { pump() }
            machine.hasBacklog = !outbound.isEmpty
        } else if !output.isEmpty {
            let count = output.count
            let sent = outbound.send(output, to: socket)
            if sent == nil { machine.fail() }
            machine.hasBacklog = sent != count
        }
        guard !machine.hasBacklog, machine.ending == .none else { return false }
        while true {
            switch machine.drained(at: context.clock.now) {
            case .none: return hadBacklog && machine.hasInput
            case .resumeProducer:
                let waiter = exchange?.writeWaiter
                exchange?.writeWaiter = nil
                waiter?.resume(returning: true)
            case .finish: if let exchange { finish(exchange) }
            case .endWriting: socket.endWriting()
            }
        }
    }

    private func pump() {
        var share = machine.share
        if outbound.pump(to: socket, within: &share) == .failed { machine.fail() }
        if share < machine.share { machine.sent(at: context.clock.now) }
        machine.share = share
    }

    // MARK: Streams

    func write(_ bytes: ArraySlice<UInt8>, of number: UInt64) async throws(BodyWriteError) {
        guard let exchange = exchange(numbered: number) else { throw .disconnected }
        precondition(exchange.writeWaiter == nil, "two writers of one response")
        var fits = true
        turn { fits = stream(bytes, exchange) }
        guard fits else { throw .tooLong }
        guard self.exchange === exchange else { throw .disconnected }
        guard machine.pausesProducer(after: bytes.count) else { return }
        let goesOn = await withCheckedContinuation { waiter in
            exchange.writeWaiter = Exchange.Waiter(waiter)
            turn { machine.writerWaits() }
        }
        guard goesOn else { throw .disconnected }
    }

    func awaitProducer(_ exchange: Exchange) { machine.awaitProducer() }

    func endStream(_ exchange: Exchange) {
        _ = stream([], exchange)
        let response = machine.request.response
        guard response.missing == 0 else {
            logShort(exchange, missing: response.missing)
            return machine.fail()
        }
        if case .streaming(.chunked) = response { buffers?.output.append(literal: "0\r\n\r\n") }
        complete(exchange)
    }

    func cutStream(_ exchange: Exchange) { machine.fail() }

    /// Writes a piece in the response's framing, the head before the first. Returns whether it fits the declared length.
    private func stream(_ bytes: ArraySlice<UInt8>, _ exchange: Exchange) -> Bool {
        if let response = exchange.takeStreamed() {
            writeHead(response, context.decorations(to: response, exchange), exchange)
        }
        guard !bytes.isEmpty else { return true }
        switch machine.write(bytes.count) {
        case nil: return false
        case .some(.none): break
        case .untilClose, .sized: write(.bytes(bytes), exchange)
        case .chunked:
            buffers?.output.append(bytes.count, radix: 16)
            buffers?.output.append(literal: "\r\n")
            write(.bytes(bytes), exchange)
            buffers?.output.append(literal: "\r\n")
        }
        return true
    }
}
