internal import EventLoops
internal import HTTP

extension HTTP1Connection {
    /// Writes a whole answer; sends it at the turn's end, as far as the socket takes it.
    func send(_ response: Response, _ exchange: Exchange) {
        guard buffers != nil, exchange.status == 0 else { return }
        let response = context.presented(response, exchange)
        let decorations = context.decorations(to: response, exchange)
        writeHead(response, decorations, exchange)
        if !exchange.isHead, response.allowsBody {
            switch response.body {
            case .empty, .stream: break
            case .bytes(let bytes): queue((decorations.gzipped ?? bytes)[...], exchange)
            case .file(let file): queue(file, exchange)
            case .pieces(let pieces):
                for piece in pieces {
                    switch piece {
                    case .bytes(let bytes): queue(bytes, exchange)
                    case .file(let file): queue(file, exchange)
                    }
                }
            }
        }
        answered(exchange)
    }

    func writeHead(_ response: Response, _ decorations: ResponseDecorations, _ exchange: Exchange) {
        guard let output = buffers?.output else { return }
        let framing = response.framing(isHTTP10: exchange.isHTTP10, gzipped: decorations.gzipped)
        if framing == .untilClose || context.isDraining || !canSkipRest(of: exchange) { exchange.persists = false }
        exchange.status = response.status.code
        exchange.answer = .streaming(framing)
        ResponseHead(
            status: response.status, fields: exchange.rateLimit?.announced(in: response.fields) ?? response.fields,
            framing: framing,
            persistence: exchange.persists ? (exchange.isHTTP10 ? .announced : .implied) : .close,
            requestID: exchange.id,
            decorations: decorations
        ).write(
            to: output, dateLine: context.dateLine,
            strictTransport: socket.tls == nil ? [] : context.strictTransportLine)
    }

    /// Puts a part of a body behind what is written. Little is copied to go out with its head in one buffer; much is sent from
    /// where it lies.
    func queue(_ bytes: ArraySlice<UInt8>, _ exchange: Exchange) {
        guard let output = buffers?.output else { return }
        exchange.bytesSent += Int64(bytes.count)
        guard bytes.count > Self.copied else { return output.append(bytes) }
        enqueue(output)
        outbound.append(bytes)
    }

    /// Puts a part of a file behind what is written; it goes out without being read here.
    private func queue(_ file: FileBody, _ exchange: Exchange) {
        guard let output = buffers?.output else { return }
        exchange.bytesSent += file.length
        enqueue(output)
        outbound.append(file)
    }

    /// Moves what was written into the backlog.
    private func enqueue(_ output: OutputBuffer, from start: Int = 0) {
        hasBacklog = true
        outbound.append(Array(output.bytes[start...])[...])
        output.removeAll()
    }

    /// The answer is complete: the exchange ends as soon as the socket has taken it.
    func answered(_ exchange: Exchange) {
        exchange.answer = .complete
        if hasBacklog { phase = .sending } else { finish(exchange) }
    }

    /// Sends what was written. Returns whether the client has now taken what kept more requests from being served.
    func flush() -> Bool {
        guard let output = buffers?.output else { return false }
        guard phase != .closed, !isBroken else {
            output.removeAll()
            return false
        }
        let hadBacklog = hasBacklog
        if !output.isEmpty {
            if hasBacklog { enqueue(output) } else { sendDirectly(output) }
        }
        if hasBacklog, !isBlocked { pump() }
        guard !hasBacklog, !isBroken else { return false }
        if share > 0, let waiter = exchange?.writeWaiter {
            exchange?.writeWaiter = nil
            waiter.resume(returning: true)
        }
        if phase == .sending, let exchange { finish(exchange) }
        if phase == .closing { endWriting() }
        return hadBacklog && phase == .reading && (!inbound.isEmpty || peerHasEnded)
    }

    /// The bytes of a body that are cheaper to copy than to send from their own place.
    private static let copied = 8 << 10

    private func sendDirectly(_ output: OutputBuffer) {
        var sent = 0
        switch socket.send(output.bytes) {
        case .bytes(let count): sent = count
        case .blocked: break
        case .failed: isBroken = true
        }
        if sent < output.count, !isBroken {
            isBlocked = true
            enqueue(output, from: sent)
        }
        output.removeAll()
    }

    private func pump() {
        var rest = share
        var queue = OutboundQueue()
        swap(&queue, &outbound)
        defer { swap(&queue, &outbound) }
        switch queue.pump(to: socket, within: &rest) {
        case .drained, .paused: break
        case .blocked: isBlocked = true
        case .failed: isBroken = true
        }
        if rest < share { since = context.clock.now }
        share = rest
        hasBacklog = !queue.isEmpty
    }

    /// Whether what is left of the request's body can be read and dropped, so that the connection goes on.
    private func canSkipRest(of exchange: Exchange) -> Bool {
        if exchange.body.isComplete { return true }
        // A client that waits for 100 may send its body or not: nobody knows where the next request begins.
        guard exchange.bodyFailure == nil, !exchange.owesContinue else { return false }
        return (exchange.body.announcedRest ?? 0) <= context.limits.drainedBody
    }

    private func finish(_ exchange: Exchange) {
        let now = record(exchange, status: exchange.status, isCut: false)
        exchange.bodyWaiter?.resume(returning: .failure(.incomplete))
        exchange.bodyWaiter = nil
        self.exchange = nil
        since = now
        if !exchange.persists || context.isDraining {
            phase = .closing
            // Nothing can be on the way from a client that has announced its end.
            isOver = exchange.clientCloses && exchange.body.isComplete && inbound.isEmpty
        } else if exchange.body.isComplete {
            phase = .reading
        } else {
            discarded = exchange.body
            dropped = 0
            phase = .discarding
            discard()
        }
    }

    @discardableResult
    func record(_ exchange: Exchange, status: Int, isCut: Bool) -> Moment {
        context.record(exchange, status: status, isCut: isCut, from: origin)
    }
}

extension Response {
    /// RFC 9110, section 6.4.1.
    var allowsBody: Bool { status.code >= 200 && status.code != 204 && status.code != 304 }

    func framing(isHTTP10: Bool, gzipped: [UInt8]? = nil) -> ResponseHead.Framing {
        guard allowsBody else { return .none }
        if let gzipped { return .sized(Int64(gzipped.count)) }
        return switch body {
        case .empty: .sized(0)
        case .bytes(let bytes): .sized(Int64(bytes.count))
        case .file(let file): .sized(file.length)
        case .pieces(let pieces): .sized(pieces.reduce(0) { $0 + $1.length })
        case .stream(let length?, _): .sized(length)
        case .stream(nil, _): isHTTP10 ? .untilClose : .chunked
        }
    }
}
