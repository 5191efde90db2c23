internal import HTTP

/// The outcome of reading a request's head: its route, or the response that no handler gets to see. The same for every version of HTTP.
struct RequestStart {
    let head: RequestHead
    let method: HTTPMethod
    let target: RequestTarget
    let match: Router.Match
    /// The index into the counters.
    let route: Int
    /// The most bytes the body may have.
    let bodyLimit: Int64

    init(_ head: RequestHead, in context: LoopContext) throws(RequestFault) {
        // The bytes that follow may be meant for a tunnel.
        guard !head.isMethod("CONNECT") else { throw .methodNotImplemented }
        target = try RequestTarget(head)
        self.head = head
        method = head.method
        match = context.router.match(method, target.path)
        if case .route(let index, _) = match {
            route = index
            bodyLimit = context.router.routes[index].bodyLimit ?? context.limits.body
        } else {
            route = context.router.routes.count
            bodyLimit = context.limits.body
        }
    }

    /// The response to a request that no handler gets to see.
    ///
    /// - Parameters:
    ///   - role: The listener's.
    ///   - isSecure: Whether the request came over TLS.
    ///   - socket: The connection's.
    ///   - exchange: The request's; its origin is known.
    ///   - context: The loop's.
    /// - Returns: Nil when a handler answers.
    func earlyResponse(
        as role: ListenerConfiguration.Role, isSecure: Bool, over socket: StreamSocket, _ exchange: Exchange,
        in context: LoopContext
    ) -> HTTPResponse? {
        guard isForHere(over: socket, exchange, in: context) else {
            return context.charge(exchange, head, exchange.origin) ?? HTTPResponse(.foreignHost)
        }
        // A preflight costs no more than its refusal would.
        for cors in context.cors {
            if let response = cors.preflight(exchange) { return response }
        }
        return context.charge(exchange, head, exchange.origin)
            ?? refusal(as: role, isSecure: isSecure, exchange, in: context)
    }

    /// Whether the host that the client has asked for is served to its connection.
    private func isForHere(over socket: StreamSocket, _ exchange: Exchange, in context: LoopContext) -> Bool {
        guard let policy = context.hosts else { return true }
        let audience = audience(in: context)
        guard audience != .anyHost, audience != .anyHostAndScheme,
            !policy.servesLocalHosts || exchange.origin?.speaksForOthers != true
        else {
            return true
        }
        let range = target.authority ?? head.layout.host
        let told = exchange.origin?.host
        if told == nil, context.isServed(head.bytes[range]) { return true }
        let host =
            told.map { ServedHost(authority: $0) } ?? (range.isEmpty ? nil : ServedHost(authority: head.text(range)))
        switch policy.audience(of: host, at: socket.localAddress) {
        case .everybody:
            if told == nil { context.noteServed(head.bytes[range]) }
            return true
        case .media: return audience == .media
        case .programs:
            return head.firstValue("cookie") == nil
                && (audience == .programs || head.firstValue("authorization") != nil)
        case .nobody: return false
        }
    }

    private func audience(in context: LoopContext) -> Route.Audience {
        if case .route(let index, _) = match { context.router.routes[index].audience } else { .host }
    }

    private func refusal(
        as role: ListenerConfiguration.Role, isSecure: Bool, _ exchange: Exchange, in context: LoopContext
    ) -> HTTPResponse? {
        if case .redirect(let port) = role, audience(in: context) != .anyHostAndScheme {
            return redirect(toPort: port)
        }
        // RFC 9110, section 7.4; a gateway that is trusted may have had TLS before it.
        guard !target.isHTTPS || isSecure || exchange.origin?.speaksForOthers == true else {
            return HTTPResponse(.misdirected)
        }
        guard head.layout.expectation != .unknown else { return HTTPResponse(.expectationFailed) }
        switch match {
        case .route:
            guard case .sized(let length) = head.layout.framing, length > bodyLimit else { return nil }
            return HTTPResponse(.bodyTooLarge)
        case .options(let allow): return HTTPResponse(.noContent, fields: ["Allow": allow])
        case .notAllowed(let allow): return HTTPResponse(.methodNotAllowed, fields: ["Allow": allow])
        case .notFound: return HTTPResponse(.notFound)
        case .unknownMethod: return HTTPResponse(.methodNotImplemented)
        }
    }

    /// Sends a client to the same place at https. The method and the body go along (RFC 9110, section 15.4.9).
    private func redirect(toPort port: UInt16) -> HTTPResponse {
        let authority = target.authority ?? head.layout.host
        let host = HostSyntax.host(of: head.text(authority))
        guard !host.isEmpty else { return HTTPResponse(.malformed("There is no Host to send you to at https.")) }
        let whole = head.layout.target
        let path = head.text((target.authority?.upperBound ?? whole.lowerBound)..<whole.upperBound)
        let slash = path.utf8.first == UInt8(ascii: "/") ? "" : "/"
        return .redirect(
            to: "https://\(host)\(port == 443 ? "" : ":\(port)")\(slash)\(path == "*" ? "" : path)",
            status: .permanentRedirect)
    }
}
