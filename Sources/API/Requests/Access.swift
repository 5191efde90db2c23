internal import Authentication
package import Domain
package import HTTP
package import HTTPServer

extension APIHandlers {
    /// A route for callers whose token has `scope`. A caller without one is told how to get in; an address that has sent too many that
    /// were wrong gets 429; parameters of the query that the operation does not name are refused. What it costs is taken from its
    /// user, whichever token came. Where a response may be `repeated`, the handler does not run while nothing in the database has changed.
    package func route(
        _ method: HTTPMethod, _ path: String, _ scope: Scope, _ operation: Operation, bodyLimit: Int64? = nil,
        costs cost: RouteCost = .charging(.tokens), repeated: Bool = false,
        _ handler: @escaping @Sendable (HTTPRequest, Caller) async throws -> HTTPResponse
    ) -> Route {
        Route(method, path, scope: scope.rawValue, operation: operation, bodyLimit: bodyLimit, costs: cost) {
            [self] request in
            do {
                let found = repeated ? try await responseCache.look(for: request) : .nothing
                if case .response(let kept) = found {
                    return try await charged(cost, to: kept.caller) { kept.response }
                }
                let caller = try await authentication.caller(of: request, needing: scope)
                try request.refuseParameters(otherThan: operation.queryNames)
                return try await charged(cost, to: caller) {
                    let response = try await Initiator.$current.withValue(.app(caller, request)) {
                        try await handler(request, caller)
                    }
                    if case .place(let place) = found { responseCache.keep(response, for: caller, at: place) }
                    return response
                }
            } catch let error as AuthenticationError {
                return Self.refusal(error)
            }
        }
    }

    /// A response that its caller's user has paid for, with how they stand then.
    private func charged(
        _ cost: RouteCost, to caller: Caller, _ make: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let standing = try rates.charge(cost, subject: caller.user.id.description)
        var response = try await make()
        if let standing { response.fields = standing.announced(in: response.fields) }
        return response
    }

    /// 401 or 403 with its challenge (RFC 6750, section 3).
    static func refusal(_ error: AuthenticationError) -> HTTPResponse {
        var response = HTTPResponse.problem(ProblemDetails(error))
        response.fields.add("WWW-Authenticate", error.challenge)
        response.fields.add("Cache-Control", "no-store")
        return response
    }
}

extension APIHandlers {
    /// The viewer of something public: nobody when no token is sent, but a bad token is still told.
    func viewer(of request: HTTPRequest) async throws -> Caller? {
        try await authentication.viewer(of: request, needing: .read)
    }

    /// Looks at the token of a request once more when its body is there.
    ///
    /// - Throws: `AuthenticationError.invalid`.
    func demandToken(of request: HTTPRequest) async throws { try await authentication.demandToken(of: request) }
}
