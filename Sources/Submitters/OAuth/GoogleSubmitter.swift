internal import FoundationEssentials
internal import HTTP

/// A service of Google's: accounts agree at accounts.google.com, with the keys of the operator's project.
///
/// Source: developers.google.com/identity, "Using OAuth 2.0 for Web Server Applications"; read 2026-11-26.
protocol GoogleSubmitter: OAuth2FlowSubmitter {
    /// As Google writes them, whole addresses.
    var scopes: [String] { get }
    /// The time while an account is being connected.
    var now: @Sendable () -> Date { get }
}

/// The keys of a project at console.cloud.google.com.
enum GoogleProject {
    static let fields = [
        CredentialField("client_id", prompt: "Client id of your project at console.cloud.google.com"),
        CredentialField("client_secret", prompt: "Client secret", isSecret: true),
    ]

    /// What the operator enters.
    static let appFields = fields + [CredentialField("base_url", prompt: "Address of all of the API", defaultValue: "")]

    /// What a person enters who has a token already; `further` are the service's own.
    static func credentialFields(_ further: [CredentialField] = []) -> [CredentialField] {
        fields + [CredentialField("refresh_token", prompt: "Refresh token", isSecret: true)] + further
            + [CredentialField("base_url", prompt: "Address of the API, if it is not Google's", defaultValue: "")]
    }
}

extension GoogleSubmitter {
    func flow(_ app: ClientCredentials, _ base: BaseURL) throws(SubmissionError) -> OAuth2Flow {
        OAuth2Flow(
            service: "Google", authorizeURL: "\(base.or("https://accounts.google.com"))/o/oauth2/v2/auth",
            tokenURL: "\(base.or(Self.tokenOrigin))/token",
            clientID: try app.required("client_id"), clientSecret: try app.required("client_secret"),
            scopes: scopes.joined(separator: " "),
            // Asks for a refresh token each time, not the first time alone.
            parameters: ["access_type": "offline", "prompt": "consent"], addresses: servers.addresses, now: now)
    }

    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {
        let client = ServiceClient(service: description.name, transport: transport, now: now)
        let form: FormFields = ["token": OAuth2Credentials(account.credentials).refreshToken]
        let response = try await AccountAPI(
            client: client, origin: BaseURL(account.settings).or(Self.tokenOrigin), authorization: nil,
            addresses: servers.addresses
        ).send(.post, "/revoke", form: form)
        // 400: it is good no more.
        guard response.status.isSuccess || response.status == .badRequest else { throw client.failure(response) }
    }

    /// A token takes all of what its person has allowed this project with it ("Revoking a token").
    package func canRevoke(_ old: JSONValue, keeping new: JSONValue) -> Bool { false }

    private static var tokenOrigin: String { "https://oauth2.googleapis.com" }

    /// The API of a service for one account; `origin` is Google's own.
    func accountAPI(
        _ settings: JSONValue, _ credentials: JSONValue, origin: String, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> AccountAPI {
        AccountAPI(
            client: ServiceClient(service: description.name, transport: transport, now: now),
            origin: BaseURL(settings).or(origin),
            authorization: "Bearer \(OAuth2Credentials(credentials).accessToken)", addresses: servers.addresses)
    }
}
