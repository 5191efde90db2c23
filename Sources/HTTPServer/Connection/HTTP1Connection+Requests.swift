internal import EventLoops
internal import HTTP

extension HTTP1Connection {
    /// Finds what answers the request, and lets it.
    func begin(_ head: RequestHead) {
        let start: RequestStart
        do throws(RequestFault) { start = try RequestStart(head, in: context) } catch {
            return refuse(error, head.method)
        }
        requestCount += 1
        let exchange = Exchange(
            number: requestCount, id: head.sentID ?? context.makeRequestID(), method: start.method,
            path: start.target.shownPath, route: start.route, layout: head.layout, limit: start.bodyLimit,
            at: context.clock.now)
        if requestCount >= context.limits.requestsPerConnection { exchange.persists = false }
        let origin = context.origin(of: head, from: origin)
        let isSecure = origin.isSecure ?? (socket.tls != nil)
        exchange.origin = origin
        self.exchange = exchange
        phase = .handling
        since = exchange.startedAt
        if !head.layout.mentions.isEmpty { exchange.negotiationFields = head.lines }

        if let answer = start.earlyResponse(as: role, isSecure: isSecure, over: socket, exchange, in: context) {
            return send(answer, exchange)
        }
        guard case .route(let index, let parameters) = start.match else { return }
        let request = Request(
            id: exchange.id, method: start.method, head: head, target: start.target, parameters: parameters,
            body: body(of: exchange, head.layout), origin: origin, isSecure: isSecure, receivedAt: exchange.startedAt)
        self.start(context.router.routes[index].handler, request, exchange)
    }

    /// Answers a message that cannot be understood; the connection closes, since nobody knows where the next one begins.
    /// Without a `method` it is that of the head that is still in `inbound`.
    func refuse(_ fault: RequestFault, _ method: HTTPMethod? = nil) {
        let method = method ?? methodOfPartialHead
        requestCount += 1
        let exchange = Exchange(
            number: requestCount, id: context.makeRequestID(), method: method, path: "-",
            route: context.router.routes.count, layout: nil, limit: 0, at: context.clock.now)
        self.exchange = exchange
        phase = .handling
        send(Response(fault), exchange)
    }

    /// HEAD, if the request line has come and says so: its answers have no body, whatever is wrong with the rest.
    private var methodOfPartialHead: HTTPMethod {
        withInbound { inbound in inbound.withBytes { parser.isHead(in: $0) } } ? .head : .get
    }

    private func body(of exchange: Exchange, _ layout: RequestLayout) -> RequestBody {
        switch layout.framing {
        case .none: return .empty
        case .sized(let length): return RequestBody(declaredLength: length, source: self, exchange: exchange.number)
        case .chunked: return RequestBody(declaredLength: nil, source: self, exchange: exchange.number)
        }
    }

    private func start(_ handler: Route.Handler, _ request: Request, _ exchange: Exchange) {
        // The pieces of a body are handed on as slices, so they must not lie in memory that is lent.
        if !exchange.body.isComplete, let buffers { withInbound { $0.settle(returning: buffers) } }
        let number = exchange.number
        switch handler {
        case .immediate(let answer):
            let response: Response
            do { response = try answer(request) } catch {
                response = context.responder.response(to: error, of: request)
            }
            guard case .stream = response.body else { return send(response, exchange) }
            exchange.task = Task(executorPreference: context.loop) { await self.respond(response, request, number) }
        case .task(let handler):
            // Begins when this event is dealt with. A task that does not prefer the loop would be resumed on Swift's shared
            // threads first, which costs more than all the rest of a request (SE-0417).
            exchange.task = Task(executorPreference: context.loop) { await self.handle(handler, request, number) }
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

    /// Sends what a handler has made, unless the exchange is over already: cut, or answered because it took too long.
    private func respond(_ response: Response, _ request: Request, _ number: UInt64) async {
        guard let exchange, exchange.number == number, exchange.status == 0 else { return }
        guard case .stream(_, let produce) = response.body, !exchange.isHead, response.allowsBody else {
            return turn { send(response, exchange) }
        }
        exchange.answer = .pending(response)
        do {
            try await produce(BodyWriter(sink: self, exchange: number))
            turn { endStream(number) }
        } catch {
            turn { failStream(number, error, request) }
        }
    }
}
