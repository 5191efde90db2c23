internal import FoundationEssentials
internal import HTTP

/// Consent by OAuth 2 at a service whose addresses are known: the three things that a submitter does with it.
struct OAuth2Flow: Sendable {
    /// As people write it.
    let service: String
    let authorizeURL: String
    let tokenURL: String
    let clientID: String
    /// Nil for a public client.
    let clientSecret: String?
    /// Joined as the service wants it.
    let scopes: String
    var usesPKCE = true
    var authentication = OAuth2.Authentication.body
    /// Further parameters of the consent page.
    var parameters: FormFields = [:]
    /// Further parameters that go with the code.
    var codeParameters: FormFields = [:]
    /// Whether the secret goes with the code, beside the verifier.
    var sendsSecretWithCode = true
    let addresses: AddressPolicy
    let now: @Sendable () -> Date

    /// Where to send the person.
    func request(_ start: AuthorizationStart) -> AuthorizationRequest {
        let pkce = usesPKCE ? PKCE() : nil
        return AuthorizationRequest(
            url: OAuth2.url(
                authorizeURL, clientID: clientID, callback: start.callback, state: start.state, scopes: scopes,
                pkce: pkce, parameters),
            kept: ["verifier": JSONValue(pkce?.verifier), "callback": .string(start.callback)])
    }

    /// Changes what the person came back with for tokens.
    func tokens(
        for response: AuthorizationResponse, over transport: any Transport
    ) async throws(SubmissionError) -> OAuth2Tokens {
        try await oauth2(over: transport, secret: sendsSecretWithCode ? clientSecret : nil).tokens(
            code: try response.code(), callback: try response.value("callback"),
            pkce: usesPKCE ? PKCE(verifier: try response.value("verifier")) : nil, codeParameters)
    }

    /// The credentials of an account, those of the app with them.
    func credentials(_ tokens: OAuth2Tokens) -> JSONValue {
        tokens.credentials(clientID: clientID, clientSecret: clientSecret)
    }

    /// The token endpoint.
    func oauth2(over transport: any Transport) -> OAuth2 { oauth2(over: transport, secret: clientSecret) }

    private func oauth2(over transport: any Transport, secret: String?) -> OAuth2 {
        OAuth2(
            client: ServiceClient(service: service, transport: transport, now: now), tokenURL: tokenURL,
            clientID: clientID, clientSecret: secret, authentication: authentication, addresses: addresses)
    }
}

extension ClientCredentials {
    /// Those of the OAuth 2 app that an account was connected with: tokens belong to it.
    init(of account: OpenedAccount) {
        let known = OAuth2Credentials(account.credentials)
        self.init([
            "client_id": known.clientID, "client_secret": known.clientSecret ?? "",
        ])
    }
}
