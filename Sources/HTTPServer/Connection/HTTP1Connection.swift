internal import EventLoops
internal import HTTP
internal import Logging

/// A connection that speaks HTTP/1.1, confined to its event loop.
///
/// Whatever happens (bytes, room to write, a deadline, a handler's answer) happens in a *turn*: it changes the state, then
/// every request that is complete is begun, and what was written is sent with as few calls as possible. Nothing here waits; an
/// async function that has to is resumed by a later turn.
actor HTTP1Connection: Connection {
    nonisolated let context: LoopContext
    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    enum Phase {
        /// Waiting for a request, or for the rest of its head.
        case reading
        /// The request is with its handler, or its answer is being streamed.
        case handling
        /// The answer is complete; the client has still to take it.
        case sending
        /// The answer was sent; the rest of the request's body is dropped.
        case discarding
        /// Nothing more is answered; what was written is being sent.
        case closing
        /// Everything was sent; until the client ends its side, what it sends is dropped (RFC 9112, section 9.6).
        case lingering
        case closed
    }

    let socket: StreamSocket
    let origin: Origin
    let role: ListenerConfiguration.Role

    var phase = Phase.reading
    var exchange: Exchange?
    var requestCount: UInt64 = 0
    var inbound = InboundBuffer()
    var parser = RequestParser()
    /// What the socket did not take yet, and whether there is anything.
    var outbound = OutboundQueue()
    var hasBacklog = false
    /// The body whose rest is dropped in the phase `discarding`.
    var discarded: IncomingBody?
    /// The bytes dropped in the phases `discarding` and `lingering`.
    var dropped: Int64 = 0
    /// The client has ended its side.
    var peerHasEnded = false
    /// Nothing can be on the way from the client any more: closing needs no lingering.
    var isOver = false
    /// The socket failed, or the answer cannot be completed.
    var isBroken = false
    /// The socket took less than it was given; it will say when it takes more.
    var isBlocked = false
    /// What this connection may still receive and send before others have their turn.
    var share = OutboundQueue.share
    /// Whether the last receive filled its buffer, so that another is worth a call.
    var mayHaveMore = false

    /// Present during a turn.
    var buffers: TurnBuffers?
    var watch: Watch?
    var watchesReading = true
    var watchesWriting = false

    var timer: (any ServerTimer)?
    var timerDue = Int64.max
    var wait = Wait.request
    /// When the present wait began, or made progress.
    var since: Moment

    init(
        _ socket: StreamSocket, from origin: Origin, as role: ListenerConfiguration.Role, in context: LoopContext
    ) {
        self.role = role
        self.socket = socket
        self.context = context
        self.origin = origin
        since = context.clock.now
    }

    /// Begins to serve; admission has been granted.
    func open() {
        context.add(self)
        do throws(EventLoopError) {
            watch = try context.loop.watch(socket.descriptor, for: .readable) { [self] readiness in ready(readiness) }
            turn {}
        } catch {
            context.logger.warning("connection not served", ["error": error])
            close()
        }
    }

    // MARK: A turn

    func turn(_ work: () -> Void) {
        guard buffers == nil else { return work() }
        guard phase != .closed else { return }
        let buffers = context.takeBuffers()
        self.buffers = buffers
        work()
        repeat { serve() } while flush()
        withInbound { $0.settle(returning: buffers) }
        self.buffers = nil
        context.giveBack(buffers)
        if isBroken { cut() }
        guard phase != .closed else { return }
        updateWait()
        updateInterest()
        // The kernel has given these bytes away and will not tell of them again.
        if socket.hasPending, wantsToRead { context.loop.execute { self.assumeIsolated { $0.ready(.readable) } } }
    }

    private func ready(_ readiness: Readiness) {
        turn {
            share = OutboundQueue.share
            if readiness.contains(.failure) || readiness.contains(.hangup) { isBroken = true }
            if readiness.contains(.writable) { becameWritable() }
            if readiness.contains(.readable), !isBroken { becameReadable() }
        }
    }

    /// Begins the requests that are there, one after the other, until one has to wait for its handler or its client.
    private func serve() {
        while phase == .reading, !hasBacklog, !inbound.isEmpty, !isBroken {
            do throws(RequestFault) {
                guard let head = try nextHead() else { break }
                begin(head)
            } catch {
                guard error != .versionNotSupported || !isHTTP2 else { return goOnAsHTTP2() }
                refuse(error)
            }
            if let buffers, buffers.output.count > Self.coalesced { _ = flush() }
        }
        if phase == .reading, peerHasEnded, !hasBacklog { phase = .closing }
    }

    private func nextHead() throws(RequestFault) -> RequestHead? {
        var parser = parser
        defer { self.parser = parser }
        return try withInbound { inbound throws(RequestFault) in
            let found = try inbound.withBytes { bytes throws(RequestFault) -> (RequestHead, Int)? in
                guard let layout = try parser.parse(bytes, context.parserLimits) else { return nil }
                return (RequestHead(copying: bytes, layout), layout.length)
            }
            guard let (head, length) = found else { return nil }
            inbound.consume(length)
            parser = RequestParser()
            return head
        }
    }

    /// The bytes of answers that are gathered before they are sent.
    static let coalesced = 64 << 10
    /// The bytes of later requests that are taken in while one is being answered.
    static let readAhead = 16 << 10

    /// Works on the received bytes outside of the actor's storage.
    ///
    /// A property that is never held while other code runs needs no check at run time that nobody else touches it
    /// meanwhile; those checks would be a tenth of a small request. `outbound` and `parser` are treated alike.
    func withInbound<Result, Failure: Error>(
        _ use: (inout InboundBuffer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var buffer = InboundBuffer()
        swap(&buffer, &inbound)
        defer { swap(&buffer, &inbound) }
        return try use(&buffer)
    }

    // MARK: The end

    /// Lets a running request end; no other is begun but what has arrived already.
    func drain(keepsIdle: Bool) {
        guard phase == .reading, !keepsIdle else { return }
        turn {
            becameReadable()
            if inbound.isEmpty { phase = .closing }
        }
    }

    /// Ends at once: the handler is cancelled, and a client in the middle of an answer sees that it is broken.
    func cut() {
        guard phase != .closed else { return }
        if let exchange {
            if exchange.status != 0 { socket.resetOnClose() }
            exchange.task?.cancel()
            record(exchange, status: exchange.status == 0 ? 499 : exchange.status, isCut: true)
        }
        close()
    }

    func close() {
        guard phase != .closed else { return }
        phase = .closed
        watch?.cancel()
        watch = nil
        timer?.cancel()
        timer = nil
        socket.close()
        withInbound { $0.removeAll() }
        outbound.removeAll()
        hasBacklog = false
        context.remove(self, group: origin.countedGroup)
        guard let exchange else { return }
        self.exchange = nil
        exchange.bodyWaiter?.resume(returning: .failure(.incomplete))
        exchange.writeWaiter?.resume(returning: false)
    }
}
