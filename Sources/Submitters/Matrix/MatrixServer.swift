internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The server of an account.
///
/// Source: Matrix specification v1.19, "Server Discovery"; read 2026-11-26.
enum MatrixServer {
    /// The origin at which `name`, the part of a Matrix ID behind its colon, is served.
    ///
    /// `https://NAME/.well-known/matrix/client` says it, and may send on to another address; without that file it is the name itself.
    ///
    /// - Throws: `.rejected` when the file is damaged, or names an address that `policy` does not allow.
    static func find(_ name: String, policy: ServerPolicy, over client: ServiceClient) async throws(SubmissionError)
        -> String
    {
        let own = try ServerOrigin(name, policy: policy)
        let host = own.authority.replacing(/:[0-9]+$/, with: "")
        let response = try await client.response(
            to: OutgoingRequest(
                url: "https://\(host)/.well-known/matrix/client", fields: ["Accept": MediaType.json.description],
                followsRedirects: true, addressPolicy: policy.addresses))
        if response.status == .notFound { return own.description }
        if response.status.code >= 500 { throw client.failure(response) }
        guard response.status.isSuccess, let url = response.looseJSON?["m.homeserver"]?["base_url"]?.string else {
            throw missing(client)
        }
        return try ServerOrigin(url, policy: policy).description
    }

    /// Refuses what is no server of Matrix, before anything secret is sent to it: `GET /_matrix/client/versions`.
    static func check(_ api: MatrixAPI) async throws(SubmissionError) {
        let response = try await api.api.send(.get, "/_matrix/client/versions")
        if response.status.code >= 500 || response.status == .tooManyRequests { throw api.failure(response) }
        guard response.status.isSuccess, response.looseJSON?["versions"]?.array?.isEmpty == false else {
            throw missing(api.client)
        }
    }

    private static func missing(_ client: ServiceClient) -> SubmissionError {
        .rejected(
            .destinationMissing, ProblemParameters(service: client.service, label: "A Matrix server at this address"))
    }
}
