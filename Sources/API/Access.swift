package import Domain
package import HTTP
package import HTTPServer

extension API {
    /// A route for callers whose token has `scope`. Whoever has none is told how to get in; whoever has tried too many that
    /// were wrong gets 429; parameters of the query that the operation does not name are refused.
    package func route(
        _ method: HTTPMethod, _ path: String, _ scope: Scope, _ operation: Operation, bodyLimit: Int64? = nil,
        costs cost: RouteCost = .charging(.tokens),
        _ handler: @escaping @Sendable (Request, Caller) async throws -> Response
    ) -> Route {
        Route(method, path, scope: scope.rawValue, operation: operation, bodyLimit: bodyLimit, costs: cost) { request in
            let caller: Caller
            do {
                caller = try await self.caller(of: request, needing: scope)
            } catch let error as AuthenticationError {
                return Self.refusal(error)
            }
            try request.refuseParameters(otherThan: operation.queryNames)
            return try await handler(request, caller)
        }
    }

    /// 401 or 403 with its challenge (RFC 6750, section 3).
    static func refusal(_ error: AuthenticationError) -> Response {
        var response = Response.problem(ProblemDetails(error))
        response.fields.add("WWW-Authenticate", error.challenge)
        response.fields.add("Cache-Control", "no-store")
        return response
    }
}
