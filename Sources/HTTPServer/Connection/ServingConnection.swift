internal import EventLoops
internal import HTTP
internal import Logging

/// A connection of any version of HTTP, as its loop sees it.
protocol ServedConnection: Actor {
    /// Lets running requests end; no other is begun. With `keepsIdle`, a connection that could not be told in time waits for its next
    /// request, whose response says that it closes.
    func drain(keepsIdle: Bool)
    /// Ends at once: handlers are cancelled, and a client in the middle of a response sees that it is broken.
    func cut()
}

extension ServedConnection {
    /// `drain`, called on the connection's loop.
    nonisolated func drainOnLoop(keepsIdle: Bool) { assumeIsolated { $0.drain(keepsIdle: keepsIdle) } }

    /// `cut`, called on the connection's loop.
    nonisolated func cutOnLoop() { assumeIsolated { $0.cut() } }
}

/// A connection that serves requests, in the same way whatever its version of HTTP: it finds the handler, runs it, hands out the
/// request's body and takes the response.
///
/// A reader or writer that has to wait is suspended, and resumed by the turn in which it may go on.
protocol ServingConnection: ServedConnection, BodySource, BodySink {
    associatedtype Current: Exchange

    nonisolated var context: LoopContext { get }
    nonisolated var socket: StreamSocket { get }
    nonisolated var origin: Origin { get }
    nonisolated var role: ListenerConfiguration.Role { get }
    /// Present during a turn.
    var buffers: TurnBuffers? { get }

    func turn(_ work: () -> Void)
    /// A turn in which a handler's response is sent.
    func responseTurn(_ work: () -> Void)
    /// The exchange with this number; nil when it is over.
    func exchange(numbered number: UInt64) -> Current?

    // MARK: Responses, in a turn

    /// Whether one more task may run; if so it is counted until `taskEnded`.
    func mayRun(_ exchange: Current) -> Bool
    func taskEnded()
    /// Sends a whole response, unless one was begun.
    func send(_ response: HTTPResponse, _ exchange: Current)
    /// A producer begins to make the response.
    func awaitProducer(_ exchange: Current)
    /// The producer has returned.
    func endStream(_ exchange: Current)
    /// The producer has thrown in the middle of the response.
    func cutStream(_ exchange: Current)

    // MARK: Bodies, in a turn

    /// The next piece, of what has come or can be received at once; nil when more has to come.
    func takePiece(_ exchange: Current) -> Result<ArraySlice<UInt8>?, BodyError>?
    /// Whether taking a piece is worth an attempt.
    func hasNews(_ exchange: Current) -> Bool
    /// Tells the client to send the body, if it waits for that.
    func continueIfOwed(_ exchange: Current)
    /// A reader waits from now on.
    func readerWaits(_ exchange: Current)
    /// The reader goes on. The time that it has waited counts for the least rate.
    func readerResumes(_ exchange: Current)
}

// MARK: - Requests

extension ServingConnection {
    func responseTurn(_ work: () -> Void) { turn(work) }
    func mayRun(_ exchange: Current) -> Bool { true }
    func taskEnded() {}

    /// Lets whatever answers the request do so.
    func serve(_ start: RequestStart, _ exchange: Current) {
        let head = start.head
        let origin = context.origin(of: head, from: origin)
        let isSecure = origin.isSecure ?? (socket.tls != nil)
        exchange.origin = origin
        if !head.layout.mentions.isEmpty { exchange.negotiationFields = head.lines }
        if let response = start.earlyResponse(as: role, isSecure: isSecure, over: socket, exchange, in: context) {
            return send(response, exchange)
        }
        guard case .route(let index, let parameters) = start.match else { return }
        let request = HTTPRequest(
            id: exchange.id, method: start.method, head: head, target: start.target, parameters: parameters,
            body: body(of: exchange, head.layout), origin: origin, isSecure: isSecure, receivedAt: exchange.startedAt)
        run(context.router.routes[index].handler, request, exchange)
    }

    private func body(of exchange: Current, _ layout: RequestLayout) -> RequestBody {
        switch layout.framing {
        case .none: .empty
        case .sized(let length): RequestBody(declaredLength: length, source: self, exchange: exchange.number)
        case .chunked: RequestBody(declaredLength: nil, source: self, exchange: exchange.number)
        }
    }

    private func run(_ handler: Route.Handler, _ request: HTTPRequest, _ exchange: Current) {
        switch handler {
        case .immediate(let handle):
            let response: HTTPResponse
            do { response = try handle(request).withoutDisk } catch {
                response = context.responder.response(to: error, of: request)
            }
            sendAtOnce(response, request, exchange)
        case .task(let handler): runTask(handler, request, exchange)
        case .immediateOrTask(let kept, let handler):
            guard let response = kept(request) else { return runTask(handler, request, exchange) }
            sendAtOnce(response.withoutDisk, request, exchange)
        }
    }

    /// Only a stream takes a task.
    private func sendAtOnce(_ response: HTTPResponse, _ request: HTTPRequest, _ exchange: Current) {
        guard case .stream = response.body else { return send(response, exchange) }
        guard mayRun(exchange) else { return }
        let number = exchange.number
        exchange.task = Task(executorPreference: context.loop) {
            await self.respond(response, request, number)
            await self.taskEnded()
        }
    }

    private func runTask(
        _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse, _ request: HTTPRequest,
        _ exchange: Current
    ) {
        guard mayRun(exchange) else { return }
        let number = exchange.number
        // Begins when this event is dealt with. A task that does not prefer the loop would be resumed on Swift's shared
        // threads first, which costs more than all the rest of a request (SE-0417).
        exchange.task = Task(executorPreference: context.loop) { await self.handle(handler, request, number) }
    }

    private func handle(
        _ handler: @Sendable (HTTPRequest) async throws -> HTTPResponse, _ request: HTTPRequest, _ number: UInt64
    ) async {
        let response: HTTPResponse
        do { response = try await handler(request).withoutDisk } catch {
            response = context.responder.response(to: error, of: request)
        }
        await respond(response, request, number)
        taskEnded()
    }

    /// Sends the response of a handler, unless the exchange is over already: cut, or answered because it took too long.
    private func respond(_ response: HTTPResponse, _ request: HTTPRequest, _ number: UInt64) async {
        guard let exchange = exchange(numbered: number), exchange.status == 0 else { return }
        guard case .stream(_, let produce) = response.body, !exchange.isHead, response.allowsBody else {
            return responseTurn { send(response, exchange) }
        }
        exchange.streamed = response
        awaitProducer(exchange)
        do {
            try await produce(BodyWriter(sink: self, exchange: number))
            turn { if let exchange = self.exchange(numbered: number) { endStream(exchange) } }
        } catch {
            turn { if let exchange = self.exchange(numbered: number) { failStream(exchange, error, request) } }
        }
    }

    /// The producer has thrown. A response that was not begun can still become a proper one.
    private func failStream(_ exchange: Current, _ error: any Error, _ request: HTTPRequest) {
        guard exchange.takeStreamed() == nil else {
            return send(context.responder.response(to: error, of: request), exchange)
        }
        if !(error is BodyWriteError), !(error is CancellationError) {
            context.logger.error(
                "response broken off", ["request": exchange.id, "path": exchange.path, "error": logText(of: error)])
        }
        cutStream(exchange)
    }

    func logShort(_ exchange: Current, missing: Int64) {
        context.logger.error("response shorter than declared", ["request": exchange.id, "missing": missing])
    }

    /// Writes the head of a response as HTTP/1.1 has it: every version has its fields from there.
    func writeHead(
        of response: HTTPResponse, _ decorations: ResponseDecorations, _ framing: ResponseHead.Framing,
        _ persistence: ResponseHead.Persistence, _ exchange: Current
    ) {
        guard let output = buffers?.output else { return }
        exchange.status = response.status.code
        ResponseHead(
            status: response.status, fields: exchange.rateLimit?.announced(in: response.fields) ?? response.fields,
            framing: framing, persistence: persistence, requestID: exchange.id, decorations: decorations
        ).write(
            to: output, dateLine: context.dateLine,
            strictTransport: socket.tls == nil ? [] : context.strictTransportLine)
    }
}

// MARK: - Bodies

extension ServingConnection {
    func nextPiece(of number: UInt64) async throws(BodyError) -> ArraySlice<UInt8>? {
        guard let exchange = exchange(numbered: number) else { throw .incomplete }
        precondition(exchange.bodyWaiter == nil, "two readers of one body")
        var ready: Result<ArraySlice<UInt8>?, BodyError>?
        turn { ready = takePiece(exchange) }
        if let ready { return try ready.get() }
        return try await suspendReader(exchange)
    }

    func awaitNews(of number: UInt64) async throws(BodyError) {
        guard let exchange = exchange(numbered: number) else { throw .incomplete }
        precondition(exchange.bodyWaiter == nil, "two readers of one body")
        turn { continueIfOwed(exchange) }
        guard !hasNews(exchange) else { return }
        exchange.awaitsNews = true
        _ = try await suspendReader(exchange)
    }

    func presentPiece(of number: UInt64) throws(BodyError) -> PresentPiece {
        guard let exchange = exchange(numbered: number) else { throw .incomplete }
        var ready: Result<ArraySlice<UInt8>?, BodyError>?
        turn { ready = takePiece(exchange) }
        guard let ready else { return .notYet }
        return try ready.get().map { .bytes($0) } ?? .end
    }

    /// Until something has come, or the piece itself.
    private func suspendReader(_ exchange: Current) async throws(BodyError) -> ArraySlice<UInt8>? {
        let (loop, number) = (context.loop, exchange.number)
        // The turn before may have found the client gone, and nobody would resume the reader.
        guard self.exchange(numbered: number) != nil else { throw .incomplete }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                exchange.bodyWaiter = Exchange.Waiter(waiter)
                turn { readerWaits(exchange) }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.resumeReader(of: number, with: .failure(.cancelled)) } }
        }
        return try result.get()
    }

    /// Gives a waiting reader what has come meanwhile, if that is enough for it.
    func serveReader(_ exchange: Current) {
        guard exchange.bodyWaiter != nil, hasNews(exchange) else { return }
        if exchange.awaitsNews { return resumeReader(of: exchange.number, with: .success(nil)) }
        guard let piece = takePiece(exchange) else { return }
        resumeReader(of: exchange.number, with: piece)
    }

    func resumeReader(of number: UInt64, with result: Result<ArraySlice<UInt8>?, BodyError>) {
        guard let exchange = exchange(numbered: number), let waiter = exchange.bodyWaiter else { return }
        (exchange.bodyWaiter, exchange.awaitsNews) = (nil, false)
        waiter.resume(returning: result)
        readerResumes(exchange)
    }
}
