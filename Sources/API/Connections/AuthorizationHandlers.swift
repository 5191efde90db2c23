internal import Actions
package import Domain
internal import HTTP
package import HTTPServer
internal import Store

extension APIHandlers {
    /// `POST /v1/authorizations/{id}/claim`: an app ends the connection that it began, with the code that the browser has
    /// brought it. Whoever has the code alone, or another user's token, gets nothing.
    package func claimAuthorization(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let body = try await json(request)
        guard let code = body["code"]?.string, !code.isEmpty else {
            throw RequestProblem.invalid("#/code", "It must be the code that the browser has brought.")
        }
        try body.refuseMembers(otherThan: ["code"])
        guard let id = request.parameters["id"].flatMap({ AuthorizationID($0) }) else {
            throw AuthorizationError.unknown
        }
        // People type it with what they see around it.
        let made = try await accounts.claim(
            id, code: code.filter { !$0.isWhitespace && $0 != "-" }, of: caller.user.id)
        let record = try await store.connection(made.id, owner: caller.user.id)
        return .json(
            try self.body(record), status: .created, fields: ["Location": "/v1/connections/\(made.id)"])
    }
}
