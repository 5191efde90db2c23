internal import Curl
internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import Testing

/// A person who connects an account in the browser, at a fake that agrees to everything.
struct Browser {
    let app: AppKeys
    var entered: [String: String] = [:]
    let transport: CurlTransport

    static let callback = "https://pics.test/auth/callback"

    /// Begins, agrees and comes back.
    func connect(_ submitter: any OAuthSubmitter) async throws -> ConnectedAccount {
        let start = AuthorizationStart(app: app, entered: entered, callback: Self.callback, state: "state-1")
        let request = try await submitter.authorizationRequest(start, over: transport)
        let parameters = try await agree(to: request.url)
        return try await submitter.finishAuthorization(
            AuthorizationAnswer(app: app, kept: request.kept, parameters: parameters), over: transport)
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
    func opened(_ choices: JSONObject = [:]) -> Account {
        var members = settings.object ?? [:]
        for member in choices { members[member.name] = member.value }
        return Account(
            connection: .make(), remoteID: remoteID, name: name, credentials: credentials,
            settings: .object(members))
    }
}
