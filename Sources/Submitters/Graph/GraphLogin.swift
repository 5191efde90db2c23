internal import Domain
internal import FoundationEssentials
internal import HTTP

/// What the ways of Threads and Instagram to connect an account differ in.
struct GraphLogin: Sendable {
    /// As people write it.
    let service: String
    /// `https://www.threads.net`: where the person agrees.
    let webOrigin: String
    /// `https://graph.threads.net`.
    let graphOrigin: String
    /// Where a code is changed for a token.
    let codeOrigin: String
    /// See `GraphTokens.prefix`.
    let prefix: String
    let scopes: [String]
    /// The prompt for the number of the operator's app.
    let appPrompt: String
    /// The prompt for the address of another API that speaks the same.
    let basePrompt: String
}

/// A service of Meta's with tokens of sixty days: its accounts are connected in the browser, or with a token.
protocol GraphLoginSubmitter: OAuthSubmitter, RefreshingSubmitter, PictureSubmitter {
    static var login: GraphLogin { get }
    var servers: ServerPolicy { get }
    var now: @Sendable () -> Date { get }

    /// Asks whose account it is.
    func account(
        _ credentials: JSONValue, _ settings: JSONValue, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount
}

extension GraphLoginSubmitter {
    static var credentialFields: [CredentialField] {
        [
            CredentialField("access_token", prompt: "Access token that lasts for 60 days", isSecret: true),
            CredentialField("base_url", prompt: login.basePrompt, defaultValue: ""),
        ]
    }

    package var oauth: OAuthDescription {
        let login = Self.login
        return OAuthDescription(
            flow: .oauth2,
            appFields: [
                CredentialField("client_id", prompt: login.appPrompt),
                CredentialField("client_secret", prompt: "Its secret", isSecret: true),
                CredentialField(
                    "scopes", prompt: "Permissions to ask for", defaultValue: login.scopes.joined(separator: ",")),
                CredentialField("base_url", prompt: login.basePrompt, defaultValue: ""),
                CredentialField("web_url", prompt: "Address of the consent page", defaultValue: ""),
            ], scopes: login.scopes)
    }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let base = try BaseURL(entered["base_url"], policy: servers)
        let token = try entered.required("access_token", "An access token")
        return try await account(GraphTokens.entered(token, now: now()), base.settings, over: transport)
    }

    package func authorizationRequest(
        _ start: AuthorizationStart, over transport: any Transport
    ) async throws(SubmissionError) -> AuthorizationRequest {
        let web = try BaseURL(start.app["web_url"], policy: servers).or(Self.login.webOrigin)
        let url = OAuth2.url(
            "\(web)/oauth/authorize", clientID: try start.app.required("client_id"), callback: start.callback,
            state: start.state, scopes: start.app["scopes"] ?? Self.login.scopes.joined(separator: ","), pkce: nil)
        return AuthorizationRequest(url: url, kept: ["callback": .string(start.callback)])
    }

    package func finishAuthorization(
        _ response: AuthorizationResponse, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let base = try BaseURL(response.app["base_url"], policy: servers)
        let (id, secret) = (try response.app.required("client_id"), try response.app.required("client_secret"))
        let tokens = tokens(base.settings, over: transport)
        let hourly = try await tokens.hourly(
            code: try response.code(), callback: try response.value("callback"), clientID: id, clientSecret: secret,
            at: "\(base.or(Self.login.codeOrigin))/oauth/access_token")
        return try await account(
            try await tokens.lasting(hourly, clientSecret: secret), base.settings, over: transport)
    }

    /// No such call is documented: its owner takes the permission back in the settings there.
    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {}

    /// When the token is renewed, long before it ends: one that has ended, only its owner can replace.
    package func expiry(of credentials: JSONValue) -> Date? { GraphTokens.renewal(of: credentials) }

    package func refreshCredentials(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue {
        try await tokens(account.settings, over: transport).renewed(account.credentials)
    }

    package func picture(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> String? {
        guard case .at(let url) = try await self.account(account.credentials, account.settings, over: transport).picture
        else { return nil }
        return url
    }

    /// The API for an account, without its version.
    func graph(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> AccountAPI {
        AccountAPI(
            client: ServiceClient(service: Self.login.service, transport: transport, now: now),
            origin: BaseURL(settings).or(Self.login.graphOrigin),
            authorization: "Bearer \(credentials["access_token"]?.string ?? "")", addresses: servers.addresses)
    }

    private func tokens(_ settings: JSONValue, over transport: any Transport) -> GraphTokens {
        GraphTokens(
            client: ServiceClient(service: Self.login.service, transport: transport, now: now),
            origin: BaseURL(settings).or(Self.login.graphOrigin), prefix: Self.login.prefix,
            addresses: servers.addresses)
    }
}
