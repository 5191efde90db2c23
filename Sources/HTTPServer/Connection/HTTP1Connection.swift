internal import EventLoops
internal import HTTP
internal import Logging

/// A connection that speaks HTTP/1.1, confined to its event loop: it performs what `HTTP1StateMachine` decides.
///
/// Every event (bytes, room to write, a deadline, a handler's response) is a *turn*: the machine is told, then
/// every request that is complete is begun, and what was written is sent with as few calls as possible. Nothing here waits; an
/// async function that has to is resumed by a later turn.
actor HTTP1Connection: ServingConnection {
    nonisolated let context: LoopContext
    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    let socket: StreamSocket
    let origin: Origin
    let role: ListenerConfiguration.Role

    private let place: Place<HTTP1StateMachine>
    var machine: HTTP1StateMachine {
        _read { yield place.value }
        _modify { yield &place.value }
    }
    /// The request that is being served.
    private(set) var exchange: Exchange?
    /// The bytes that the socket did not take yet.
    var outbound = OutboundQueue()
    /// Present during a turn.
    private(set) var buffers: TurnBuffers?

    private var watch: Watch?
    private var watchesReading = true
    private var watchesWriting = false
    private var timer: (any ServerTimer)?
    private var timerDue = Int64.max
    private var isClosed = false

    init(
        _ socket: StreamSocket, from origin: Origin, as role: ListenerConfiguration.Role, in context: LoopContext
    ) {
        self.role = role
        self.socket = socket
        self.context = context
        self.origin = origin
        place = Place(HTTP1StateMachine(context.connectionLimits, at: context.clock.now))
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
        guard !isClosed else { return }
        let buffers = context.takeBuffers()
        self.buffers = buffers
        work()
        repeat { serveRequests() } while flush()
        machine.settle(returning: buffers)
        self.buffers = nil
        context.recycle(buffers)
        switch machine.ending {
        case .none: break
        case .close: close()
        case .cut: cut()
        }
        guard !isClosed else { return }
        updateTimer()
        // Reading is given up only when something comes that nobody wants: most of the time the response is done before.
        watch(reading: watchesReading || machine.wantsToRead, writing: machine.wantsToWrite)
        // The kernel has given these bytes away and will not tell of them again.
        if socket.hasPending, machine.wantsToRead {
            context.loop.execute { self.assumeIsolated { $0.ready(.readable) } }
        }
    }

    private func ready(_ readiness: Readiness) {
        turn {
            machine.share = OutboundQueue.share
            if readiness.contains(.failure) || readiness.contains(.hangup) { machine.fail() }
            if readiness.contains(.writable) { outbound.isBlocked = false }
            if readiness.contains(.readable), machine.ending == .none { becameReadable() }
        }
    }

    private func becameReadable() {
        guard let buffers else { return }
        switch machine.readable() {
        case .receive: machine.receive(from: socket, lending: buffers)
        case .serveReader: if let exchange { serveReader(exchange) }
        case .stopWatching: watch(reading: false, writing: watchesWriting)
        }
    }

    private func watch(reading: Bool, writing: Bool) {
        guard reading != watchesReading || writing != watchesWriting else { return }
        (watchesReading, watchesWriting) = (reading, writing)
        var interest: Readiness = []
        if reading { interest.insert(.readable) }
        if writing { interest.insert(.writable) }
        watch?.update(interest)
    }

    // MARK: Requests

    /// Begins the requests that are there, one after the other, until one has to wait for its handler or its client.
    private func serveRequests() {
        while true {
            switch machine.next() {
            case .none: return
            case .serve(let head): begin(head)
            case .refuse(let fault, let isHead): refuse(fault, isHead ? .head : .get)
            case .switchToHTTP2: return switchToHTTP2()
            }
            if let buffers, buffers.output.count > Self.coalesced { _ = flush() }
        }
    }

    /// The bytes of responses that are gathered before they are sent.
    private static let coalesced = 64 << 10

    private func begin(_ head: RequestHead) {
        let start: RequestStart
        do throws(RequestFault) { start = try RequestStart(head, in: context) } catch {
            machine.refuse()
            return refuse(error, head.method)
        }
        let now = context.clock.now
        machine.accept(bodyLimit: start.bodyLimit, at: now)
        // The pieces of a body are handed on as slices, so they must not lie in memory that is lent.
        if head.layout.framing != .none, let buffers { machine.settle(returning: buffers) }
        let exchange = Exchange(
            number: machine.requestCount, id: head.sentID ?? context.makeRequestID(), method: start.method,
            path: start.target.shownPath, route: start.route, at: now)
        self.exchange = exchange
        serve(start, exchange)
    }

    /// Responds to a message that cannot be understood.
    private func refuse(_ fault: RequestFault, _ method: HTTPMethod) {
        let exchange = Exchange(
            number: machine.requestCount, id: context.makeRequestID(), method: method, path: "-",
            route: context.router.routes.count, at: context.clock.now)
        self.exchange = exchange
        send(HTTPResponse(fault), exchange)
    }

    /// The response was sent.
    func finish(_ exchange: Exchange) {
        let now = context.record(exchange, status: exchange.status, isCut: false, from: origin)
        exchange.bodyWaiter?.resume(returning: .failure(.incomplete))
        exchange.bodyWaiter = nil
        self.exchange = nil
        machine.endExchange(isDraining: context.isDraining, at: now)
    }

    // MARK: Deadlines

    /// Makes sure that the timer comes in time.
    ///
    /// The timer is not moved when a deadline moves away: it comes too early then, and is set anew. So a request that is
    /// answered at once costs no timer.
    private func updateTimer() {
        guard let due = machine.deadline(at: context.clock.now), due < timerDue || timer == nil else { return }
        timer?.cancel()
        timerDue = due
        timer = context.schedule(after: .nanoseconds(due - context.clock.now.nanoseconds)) { [self] in timerFired() }
    }

    private func timerFired() {
        timer = nil
        turn {
            switch machine.timeout(at: context.clock.now) {
            case .none: break
            case .refuse(let fault, let isHead): refuse(fault, isHead ? .head : .get)
            case .failBody(let error):
                if let exchange { resumeReader(of: exchange.number, with: .failure(error)) }
            case .respond(let fault):
                guard let exchange else { return }
                exchange.task?.cancel()
                send(HTTPResponse(fault), exchange)
            case .cancelHandler: exchange?.task?.cancel()
            }
        }
    }

    // MARK: The end

    func drain(keepsIdle: Bool) {
        guard machine.state == .reading, !keepsIdle else { return }
        turn {
            becameReadable()
            machine.drain()
        }
    }

    func cut() {
        guard !isClosed else { return }
        if let exchange {
            if exchange.status != 0 { socket.resetOnClose() }
            exchange.task?.cancel()
            context.record(exchange, status: exchange.status == 0 ? 499 : exchange.status, isCut: true, from: origin)
        }
        close()
    }

    private func close() {
        guard !isClosed else { return }
        stopWatching()
        socket.close()
        outbound.removeAll()
        machine.discardInput()
        context.remove(self, group: origin.countedGroup)
        guard let exchange else { return }
        self.exchange = nil
        exchange.bodyWaiter?.resume(returning: .failure(.incomplete))
        exchange.writeWaiter?.resume(returning: false)
    }

    private func stopWatching() {
        isClosed = true
        watch?.cancel()
        watch = nil
        timer?.cancel()
        timer = nil
    }

    /// Leaves the socket and what was received to a connection of HTTP/2.
    private func switchToHTTP2() {
        stopWatching()
        let successor = HTTP2Connection(socket, from: origin, as: role, in: context)
        successor.assumeIsolated { [received = machine.takeInput()] in $0.open(insteadOf: self, received: received) }
    }
}

/// A value in memory of its own.
///
/// A stored property of a class is checked at run time, at every access, for not being used twice at once; those checks would
/// be a tenth of a small request. A value here has no checks: code that changes it calls nothing that comes back to it.
private struct Place<Value>: ~Copyable {
    private let pointer: UnsafeMutablePointer<Value>

    init(_ value: Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }

    var value: Value {
        _read { yield pointer.pointee }
        nonmutating _modify { yield &pointer.pointee }
    }
}

/// The bodies of requests.
extension HTTP1Connection {
    func exchange(numbered number: UInt64) -> Exchange? { exchange?.number == number ? exchange : nil }

    func hasNews(_ exchange: Exchange) -> Bool { machine.hasNews }

    func takePiece(_ exchange: Exchange) -> Result<ArraySlice<UInt8>?, BodyError>? {
        while true {
            switch machine.nextPiece() {
            case .sendContinue: writeContinue()
            case .receive(let wanted):
                machine.receiveBody(from: socket, atMost: wanted, at: context.clock.now)
            case .piece(let piece): return .success(piece)
            case .end: return .success(nil)
            case .failed(let error): return .failure(error)
            case .wait: return nil
            }
        }
    }

    func continueIfOwed(_ exchange: Exchange) {
        if machine.owesContinue() { writeContinue() }
    }

    private func writeContinue() { buffers?.output.append(literal: "HTTP/1.1 100 Continue\r\n\r\n") }

    func sendInterim(_ status: HTTPStatus, _ fields: HTTPFields, of number: UInt64) {
        guard let exchange = exchange(numbered: number), exchange.status == 0, !machine.request.isHTTP10 else { return }
        turn { if let output = buffers?.output { ResponseHead.writeInterim(status, fields, to: output) } }
    }

    func readerWaits(_ exchange: Exchange) { machine.readerWaits() }

    func readerResumes(_ exchange: Exchange) { machine.readerResumes(at: context.clock.now) }
}
