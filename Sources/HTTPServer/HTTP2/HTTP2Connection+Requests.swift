internal import CNGHTTP2
internal import EventLoops
internal import HTTP

extension HTTP2Connection {
    /// Lets whatever answers the request begin.
    func begin(_ stream: HTTP2Stream) {
        guard let opening = stream.opening, !stream.isClosed else { return }
        stream.opening = nil
        requestCount += 1
        if requestCount == context.limits.requestsPerConnection { session.refuseMore() }
        switch opening {
        case .failure(let fault): send(Response(fault), stream)
        case .success(let start): begin(start, stream)
        }
        wait(for: stream)
    }

    private func begin(_ start: RequestStart, _ stream: HTTP2Stream) {
        let origin = context.origin(of: start.head, from: origin)
        let isSecure = origin.isSecure ?? (socket.tls != nil)
        stream.origin = origin
        if !start.head.layout.mentions.isEmpty { stream.negotiationFields = start.head.lines }
        if let answer = start.earlyResponse(as: role, isSecure: isSecure, over: socket, stream, in: context) {
            return send(answer, stream)
        }
        guard case .route(let index, let parameters) = start.match else { return }
        let request = Request(
            id: stream.id, method: start.method, head: start.head, target: start.target, parameters: parameters,
            body: body(of: stream, start.head.layout), origin: origin, isSecure: isSecure, receivedAt: stream.startedAt)
        let number = stream.number
        switch context.router.routes[index].handler {
        case .immediate(let answer):
            let response: Response
            do { response = try answer(request) } catch {
                response = context.responder.response(to: error, of: request)
            }
            guard case .stream = response.body else { return send(response, stream) }
            run(stream) { await $0.respond(response, request, number) }
        case .task(let handler):
            run(stream) { await $0.handle(handler, request, number) }
        }
    }

    /// Runs a task, unless too many are running: those of requests that were given up count until they have ended, so that
    /// giving up and asking again gains nothing.
    private func run(_ stream: HTTP2Stream, _ work: @escaping @Sendable (isolated HTTP2Connection) async -> Void) {
        guard taskCount < session.limits.streams else { return session.reset(stream.streamID, NGHTTP2_REFUSED_STREAM) }
        taskCount += 1
        stream.task = Task(executorPreference: context.loop) {
            await work(self)
            await self.taskEnded()
        }
    }

    private func taskEnded() { taskCount -= 1 }

    private func body(of stream: HTTP2Stream, _ layout: RequestLayout) -> RequestBody {
        switch layout.framing {
        case .none: .empty
        case .sized(let length): RequestBody(declaredLength: length, source: self, exchange: stream.number)
        case .chunked: RequestBody(declaredLength: nil, source: self, exchange: stream.number)
        }
    }

    private func handle(
        _ handler: @Sendable (Request) async throws -> Response, _ request: Request, _ number: UInt64
    ) async {
        let response: Response
        do { response = try await handler(request) } catch {
            response = context.responder.response(to: error, of: request)
        }
        await respond(response, request, number)
    }

    /// Sends what a handler has made, unless its stream is gone or was answered because it took too long.
    private func respond(_ response: Response, _ request: Request, _ number: UInt64) async {
        guard let stream = stream(number), stream.status == 0 else { return }
        guard case .stream(_, let produce) = response.body, !stream.isHead, response.allowsBody else {
            return gatheringTurn { send(response, stream) }
        }
        stream.answer = .pending(response)
        do {
            try await produce(BodyWriter(sink: self, exchange: number))
            turn { endStream(number) }
        } catch {
            turn { failStream(number, error, request) }
        }
    }

    /// The stream of a request, unless it is gone.
    func stream(_ number: UInt64) -> HTTP2Stream? {
        guard let stream = session.streams[Int32(truncatingIfNeeded: number)], !stream.isClosed else { return nil }
        return stream
    }

    // MARK: Answers

    /// Hands a whole answer to the session.
    func send(_ response: Response, _ stream: HTTP2Stream) {
        guard stream.status == 0, !stream.isClosed else { return }
        let response = context.presented(response, stream)
        let decorations = context.decorations(to: response, stream)
        if !stream.isHead, response.allowsBody {
            switch response.body {
            case .empty, .stream: break
            case .bytes(let bytes): stream.output.append((decorations.gzipped ?? bytes)[...])
            case .file(let file): stream.output.append(file)
            case .pieces(let pieces):
                for piece in pieces {
                    switch piece {
                    case .bytes(let bytes): stream.output.append(bytes)
                    case .file(let file): stream.output.append(file)
                    }
                }
            }
        }
        stream.output.hasEnded = true
        let hasTrailers = !response.trailers.isEmpty && !stream.isHead && response.allowsBody
        writeHead(response, decorations, stream, withBody: !stream.output.isEmpty || hasTrailers)
        stream.answer = .complete
        progressed(stream)
    }

    /// Every version of HTTP has its answers' fields from `ResponseHead`.
    func writeHead(_ response: Response, _ decorations: ResponseDecorations, _ stream: HTTP2Stream, withBody: Bool) {
        guard let text = buffers?.output else { return }
        var framing = response.framing(isHTTP10: false, gzipped: decorations.gzipped)
        // Clients take a body of a known length for all there is.
        if !response.trailers.isEmpty, framing != .none { framing = .chunked }
        stream.status = response.status.code
        stream.trailers = response.trailers
        stream.answer = .streaming(framing)
        ResponseHead(
            status: response.status, fields: stream.rateLimit?.announced(in: response.fields) ?? response.fields,
            framing: framing, persistence: .implied, requestID: stream.id, decorations: decorations
        ).write(
            to: text, dateLine: context.dateLine,
            strictTransport: socket.tls == nil ? [] : context.strictTransportLine)
        session.submitHead(in: text, of: stream, withBody: withBody)
    }

    // MARK: Ends

    /// The answer's last frame is made.
    func finish(_ stream: HTTP2Stream) {
        guard !stream.isRecorded else { return }
        stream.isRecorded = true
        context.record(stream, status: stream.status, isCut: false, from: origin)
        guard !stream.body.isComplete else { return }
        // RFC 9113, section 8.1: what is left of the body need not be sent.
        session.consume(stream.pending.count)
        stream.pending = []
        session.reset(stream.streamID, NGHTTP2_NO_ERROR)
    }

    /// The stream is gone.
    func forget(_ stream: HTTP2Stream) {
        abandon(stream)
        session.streams[stream.streamID] = nil
        if session.streams.isEmpty { since = context.clock.now }
    }

    /// Tells everybody who works for a stream that it is in vain, unless all is done.
    ///
    /// The stream stays with the session, which may ask it once more for its body.
    func abandon(_ stream: HTTP2Stream) {
        stream.isClosed = true
        if !stream.isRecorded {
            stream.isRecorded = true
            stream.task?.cancel()
            context.record(stream, status: stream.status == 0 ? 499 : stream.status, isCut: true, from: origin)
        }
        stream.task = nil
        if let waiter = stream.bodyWaiter {
            stream.bodyWaiter = nil
            waiter.resume(returning: .failure(.incomplete))
        }
        stopWriting(stream)
        session.consume(stream.pending.count)
        stream.pending = []
        if stream.isStreamed { session.streamedBytes -= stream.output.count }
        stream.output.removeAll()
    }
}
