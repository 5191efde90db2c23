internal import Curl
internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import Testing

/// A person who connects an account in the browser, at a fake that agrees to everything.
struct Browser {
    let app: ClientCredentials
    var entered: [String: String] = [:]
    let transport: CurlTransport

    static let callback = "https://pics.test/auth/callback"

    /// Begins, agrees and comes back.
    func connect(_ submitter: any OAuthSubmitter) async throws -> ConnectedAccount {
        try await finish(submitter, try await agree(submitter))
    }

    /// Begins and agrees: what the person comes back with.
    func agree(_ submitter: any OAuthSubmitter) async throws -> AuthorizationResponse {
        let start = AuthorizationStart(app: app, entered: entered, callback: Self.callback, state: "state-1")
        let request = try await submitter.authorizationRequest(start, over: transport)
        return AuthorizationResponse(app: app, kept: request.kept, parameters: try await agree(to: request.url))
    }

    /// The same with one parameter changed; nil where there is none of that name.
    func agree(_ submitter: any OAuthSubmitter, forging name: String) async throws -> AuthorizationResponse? {
        let response = try await agree(submitter)
        guard response.parameters[name] != nil else { return nil }
        var parameters: FormFields = [:]
        for pair in response.parameters.pairs { parameters.add(pair.name, pair.name == name ? "forged" : pair.value) }
        return AuthorizationResponse(app: app, kept: response.kept, parameters: parameters)
    }

    /// Comes back.
    func finish(_ submitter: any OAuthSubmitter, _ response: AuthorizationResponse) async throws -> ConnectedAccount {
        try await submitter.finishAuthorization(response, over: transport)
    }

    /// The query that the consent page sends the person back with.
    func agree(to url: String) async throws -> FormFields {
        let page = try await transport.send(OutgoingRequest(url: url, addressPolicy: .any))
        let location = try #require(page.fields["Location"])
        #expect(location.hasPrefix("\(Self.callback)?"))
        return try #require(FormFields(String(location.dropFirst(Self.callback.count + 1))))
    }
}

/// Runs a fake, and ends it after `body`.
func withFake<Service: FakeService>(
    _ service: Service, _ body: (Service, FakeServer, CurlTransport) async throws -> Void
) async throws {
    let network = try Network.shared.get()
    let server = try await FakeServer(FakeHost(service), on: network.loop)
    do {
        try await body(service, server, network.transport)
        await server.stop()
    } catch {
        await server.stop()
        throw error
    }
}

extension ConnectedAccount {
    /// As the queue opens it, with what its owner has chosen.
    func opened(_ choices: JSONObject = [:]) -> OpenedAccount {
        var members = settings.object ?? [:]
        for member in choices { members[member.name] = member.value }
        return OpenedAccount(
            connection: .make(), remoteID: remoteID, name: name, credentials: credentials,
            settings: .object(members))
    }
}
