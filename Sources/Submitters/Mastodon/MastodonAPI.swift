internal import Foundation
internal import HTTP

/// The calls of a Mastodon server that Pics uses, for one account.
///
/// Source: docs.joinmastodon.org at version 4.6, methods "accounts", "instance", "media" and "statuses"; read 2026-11-21.
struct MastodonAPI: Sendable {
    let client: ServiceClient
    /// The server's origin.
    let origin: String
    /// Nil while an account is being connected.
    let token: String?
    let addresses: AddressPolicy

    /// `GET /api/v1/accounts/verify_credentials`: the account's id and its name on the server.
    func verifyCredentials() async throws(SubmissionError) -> (id: String, name: String) {
        let answer = try await send(.get, "/api/v1/accounts/verify_credentials")
        let account = try success(answer)
        guard let id = account["id"]?.string, let name = account["acct"]?.string else { throw client.malformed(answer) }
        return (id, name)
    }

    /// `GET /api/v2/instance`, and version 1 of it on servers that answer 404 there.
    func instance() async throws(SubmissionError) -> JSONValue {
        let answer = try await send(.get, "/api/v2/instance")
        guard answer.status == .notFound else { return try success(answer) }
        return try success(try await send(.get, "/api/v1/instance"))
    }

    /// The name of the server's software, such as `mastodon`; nil when the server does not tell.
    ///
    /// Source: NodeInfo 2.1, discovery and `software.name`. Only a document of the server itself is read.
    func software() async throws(SubmissionError) -> String? {
        let discovery = try await send(.get, "/.well-known/nodeinfo")
        guard discovery.status.isSuccess,
            let addresses = try success(discovery)["links"]?.array?.compactMap({ $0["href"]?.string }),
            let path = addresses.last(where: { $0.hasPrefix("\(origin)/") })?.dropFirst(origin.count)
        else { return nil }
        let document = try await send(.get, String(path))
        guard document.status.isSuccess else { return nil }
        return try success(document)["software"]?["name"]?.string?.lowercased()
    }

    // MARK: Sending

    /// Sends a request as the account; any answer is returned.
    func send(
        _ method: HTTPMethod, _ path: String, fields: HTTPFields = [:], body: OutgoingBody = .none,
        timeout: Duration = ServiceClient.timeout, _ role: RequestRole = .preparing,
        progress: (@Sendable (Int64, Int64) -> Void)? = nil
    ) async throws(SubmissionError) -> IncomingResponse {
        var fields = fields
        if let token { fields.add("Authorization", "Bearer \(token)") }
        fields.add("Accept", MediaType.json.description)
        return try await client.answer(
            to: OutgoingRequest(
                method: method, url: origin + path, fields: fields, body: body, timeout: timeout,
                addressPolicy: addresses, progress: progress),
            role)
    }

    /// The JSON of an answer that says yes.
    func success(
        _ answer: IncomingResponse, _ role: RequestRole = .preparing
    ) throws(SubmissionError) -> JSONValue {
        guard answer.status.isSuccess else { throw client.failure(answer, role) }
        return try client.json(answer, role)
    }
}
