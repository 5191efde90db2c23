internal import FoundationEssentials
internal import HTTP

/// A service whose tokens are those of OAuth 2: how they end and are renewed is the same everywhere.
protocol OAuth2Submitter: RefreshingSubmitter {
    /// The token endpoint, for the app that the account was connected with: tokens belong to it.
    ///
    /// - Throws: `.gone` for a service that has ended; what `ClientCredentials.required(_:)` throws.
    func oauth2(of account: OpenedAccount, over transport: any Transport) throws(SubmissionError) -> OAuth2
}

extension OAuth2Submitter {
    package func expiry(of credentials: JSONValue) -> Date? { OAuth2Credentials(credentials).expiresAt }

    package func canRenew(_ credentials: JSONValue) -> Bool { !OAuth2Credentials(credentials).refreshToken.isEmpty }

    /// Spends the refresh token, at most services.
    package func refreshCredentials(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue {
        let known = OAuth2Credentials(account.credentials)
        let oauth = try oauth2(of: account, over: transport)
        return known.renewed(by: try await oauth.tokens(refreshing: known.refreshToken))
    }
}

/// A service that differs in its `OAuth2Flow` and in the look at the account, and in nothing else: accounts are connected in the
/// browser, or with an app's keys and a refresh token.
protocol OAuth2FlowSubmitter: OAuth2Submitter, OAuthSubmitter {
    var servers: ServerPolicy { get }

    /// - Throws: what `ClientCredentials.required(_:)` throws; `.rejected` for an address that is not allowed.
    func flow(_ app: ClientCredentials, _ base: BaseURL) throws(SubmissionError) -> OAuth2Flow

    /// Asks whose account it is. `settings` are kept with it; `entered` are the person's values beside keys and tokens.
    func account(
        _ credentials: JSONValue, _ settings: JSONValue, _ entered: EnteredValues, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount
}

extension OAuth2FlowSubmitter {
    private func base(_ app: ClientCredentials) throws(SubmissionError) -> BaseURL {
        try BaseURL(app["base_url"], policy: servers)
    }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let values = EnteredValues(entered)
        for field in description.credentialFields where field.defaultValue == nil {
            _ = try values.required(field.name, field.prompt)
        }
        let app = ClientCredentials(entered)
        let (base, token) = (try base(app), values["refresh_token"] ?? "")
        let flow = try flow(app, base)
        let tokens = try await flow.oauth2(over: transport).tokens(refreshing: token)
        var credentials = flow.credentials(tokens).object ?? [:]
        if tokens.refreshToken == nil { credentials["refresh_token"] = .string(token) }
        return try await account(.object(credentials), base.settings, values, over: transport)
    }

    package func authorizationRequest(
        _ start: AuthorizationStart, over transport: any Transport
    ) async throws(SubmissionError) -> AuthorizationRequest {
        let entered = EnteredValues(start.entered)
        let request = try flow(start.app, try base(start.app)).request(start)
        var kept = request.kept.object ?? [:]
        for field in oauth.accountFields {
            let isRequired = field.defaultValue == nil
            kept[field.name] = JSONValue(
                isRequired ? try entered.required(field.name, field.prompt) : entered[field.name])
        }
        return AuthorizationRequest(url: request.url, kept: .object(kept))
    }

    package func finishAuthorization(
        _ response: AuthorizationResponse, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let base = try base(response.app)
        let flow = try flow(response.app, base)
        let tokens = try await flow.tokens(for: response, over: transport)
        var entered: [String: String] = [:]
        for field in oauth.accountFields { entered[field.name] = response.kept[field.name]?.string }
        return try await account(flow.credentials(tokens), base.settings, EnteredValues(entered), over: transport)
    }

    func oauth2(of account: OpenedAccount, over transport: any Transport) throws(SubmissionError) -> OAuth2 {
        try flow(ClientCredentials(of: account), BaseURL(account.settings)).oauth2(over: transport)
    }
}
