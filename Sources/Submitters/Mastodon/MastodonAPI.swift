internal import FoundationEssentials
internal import HTTP

/// The calls of a Mastodon server that Pics uses, for one account.
///
/// Source: docs.joinmastodon.org at version 4.6, methods "accounts", "instance", "media" and "statuses"; read 2026-11-21.
struct MastodonAPI: Sendable {
    /// Without authorization while an account is being connected.
    let api: AccountAPI

    var client: ServiceClient { api.client }

    /// `GET /api/v1/accounts/verify_credentials`: the account's id, its name on the server, and the address of its picture.
    func verifyCredentials() async throws(SubmissionError) -> (id: String, name: String, picture: String?) {
        let response = try await api.send(.get, Self.verification)
        if response.status == .badRequest { throw client.refusedCredentials(response) }
        let account = try await success(response)
        guard let id = account["id"]?.string, let name = account["acct"]?.string else {
            throw client.malformed(response)
        }
        return (id, name, Self.picture(of: account))
    }

    /// `avatar_static`, which does not move, of the entity "Account". A server gives accounts without a picture one that is named
    /// `missing.png` (mastodon/mastodon, `app/models/concerns/account/avatar.rb`).
    static func picture(of account: JSONValue) -> String? {
        let told = [account["avatar_static"]?.string, account["avatar"]?.string]
        return told.compactMap(\.self).first { !$0.isEmpty }.flatMap { $0.hasSuffix("/missing.png") ? nil : $0 }
    }

    /// `GET /api/v2/instance`, and version 1 of it on servers that answer 404 there.
    func instance() async throws(SubmissionError) -> JSONValue {
        let response = try await api.send(.get, "/api/v2/instance")
        guard response.status == .notFound else { return try await success(response) }
        return try await success(try await api.send(.get, "/api/v1/instance"))
    }

    /// The name of the server's software, such as `mastodon`; nil when the server does not tell.
    ///
    /// Source: NodeInfo 2.1, discovery and `software.name`. Only a document of the server itself is read.
    func software() async throws(SubmissionError) -> String? {
        let discovery = try await api.send(.get, "/.well-known/nodeinfo")
        guard discovery.status.isSuccess,
            let addresses = try client.json(discovery)["links"]?.array?.compactMap({ $0["href"]?.string }),
            let path = addresses.last(where: { $0.hasPrefix("\(api.origin)/") })?.dropFirst(api.origin.count)
        else { return nil }
        let document = try await api.send(.get, String(path))
        guard document.status.isSuccess else { return nil }
        return try client.json(document)["software"]?["name"]?.string?.lowercased()
    }

    /// The JSON of a response that says yes.
    func success(
        _ response: IncomingResponse, _ role: RequestRole = .preparing
    ) async throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw await failure(response, role) }
        return try client.json(response, role)
    }

    // MARK: What went wrong

    private static let verification = "/api/v1/accounts/verify_credentials"

    /// The error that an unsuccessful response means. These servers write JSON, also when they say 403.
    func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) async -> SubmissionError {
        switch response.status.code {
        case 400 where api.authorization != nil: await explained(response, role)
        case 403 where response.looseJSON == nil: client.turnedAway(response, role)
        default: client.failure(response, role)
        }
    }

    /// The error that a 400 means: Takahē says it of a token that it does not know, so that the server is asked whose the token is.
    private func explained(_ response: IncomingResponse, _ role: RequestRole) async -> SubmissionError {
        do throws(SubmissionError) {
            let look = try await api.send(.get, Self.verification)
            switch look.status.code {
            case 400, 401: return client.refusedCredentials(look)
            case 408, 429, 500...: return client.failure(look)
            default: return client.failure(response, role)
            }
        } catch {
            return error
        }
    }
}
