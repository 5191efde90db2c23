package import HTTP

extension TwitterSubmitter: OAuthSubmitter {
    static let scopes = ["tweet.read", "tweet.write", "users.read", "media.write", "offline.access"]

    /// With a client id it is OAuth 2; with a consumer key alone, OAuth 1.0a, whose tokens do not end.
    package var oauth: OAuthDescription {
        OAuthDescription(
            flow: .oauth2,
            appFields: [
                CredentialField(
                    "client_id", prompt: "OAuth 2.0 client id of your app at console.x.com", defaultValue: ""),
                CredentialField(
                    "client_secret", prompt: "Client secret; none for a public client", isSecret: true, defaultValue: ""
                ),
                CredentialField("consumer_key", prompt: "API key, for OAuth 1.0a instead", defaultValue: ""),
                CredentialField("consumer_secret", prompt: "API key secret", isSecret: true, defaultValue: ""),
                CredentialField("base_url", prompt: "Address of the API", defaultValue: "https://api.x.com"),
                CredentialField("web_url", prompt: "Address of the consent page", defaultValue: "https://x.com"),
            ], scopes: Self.scopes)
    }

    package func flow(with app: ClientCredentials) -> OAuthDescription.Flow {
        app["client_id"] == nil ? .oauth1 : .oauth2
    }

    package func missingKeys(of app: ClientCredentials) -> [String] {
        if app["client_id"] != nil { return [] }
        if app["consumer_key"] == nil { return ["client_id"] }
        return app["consumer_secret"] == nil ? ["consumer_secret"] : []
    }

    package func authorizationRequest(
        _ start: AuthorizationStart, over transport: any Transport
    ) async throws(SubmissionError) -> AuthorizationRequest {
        guard let clientID = start.app["client_id"] else { return try await requestToken(start, over: transport) }
        let web = try ServerOrigin(start.app["web_url"] ?? "https://x.com", policy: servers)
        let pkce = PKCE()
        return AuthorizationRequest(
            url: OAuth2.url(
                "\(web)/i/oauth2/authorize", clientID: clientID, callback: start.callback, state: start.state,
                scopes: Self.scopes.joined(separator: " "), pkce: pkce),
            kept: ["verifier": .string(pkce.verifier), "callback": .string(start.callback)])
    }

    private func requestToken(
        _ start: AuthorizationStart, over transport: any Transport
    ) async throws(SubmissionError) -> AuthorizationRequest {
        let origin = try origin(start.app)
        let request = try await oauth1(start.app, over: transport)
            .requestToken(at: "\(origin)/oauth/request_token", callback: start.callback)
        let query: FormFields = ["oauth_token": request.token]
        return AuthorizationRequest(
            url: "\(origin)/oauth/authorize?\(query.encoded)",
            kept: ["oauth_token": .string(request.token), "oauth_token_secret": .string(request.secret)])
    }

    package func finishAuthorization(
        _ response: AuthorizationResponse, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let origin = try origin(response.app)
        guard let clientID = response.app["client_id"] else {
            let access = try await oauth1(response.app, over: transport)
                .accessToken(at: "\(origin)/oauth/access_token", response)
            let credentials: JSONValue = [
                "consumer_key": .string(try response.app.required("consumer_key")),
                "consumer_secret": .string(try response.app.required("consumer_secret")),
                "access_token": JSONValue(access["oauth_token"]),
                "access_token_secret": JSONValue(access["oauth_token_secret"]),
            ]
            return try await account(at: origin, credentials, over: transport)
        }
        let secret = response.app["client_secret"]
        let tokens = try await oauth2(origin, clientID, secret, over: transport)
            .tokens(
                code: try response.code(), callback: try response.value("callback"),
                pkce: PKCE(verifier: try response.value("verifier")))
        return try await account(
            at: origin, tokens.credentials(clientID: clientID, clientSecret: secret), over: transport)
    }

    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {
        let known = OAuth2Credentials(account.credentials)
        guard !known.clientID.isEmpty else {
            return try await api(of: account, over: transport, now: now).invalidateToken()
        }
        let oauth = oauth2(of: account, over: transport)
        let response = try await oauth.send(
            ["token": known.refreshToken, "token_type_hint": "refresh_token"],
            to: "\(origin(of: account))/2/oauth2/revoke")
        guard response.status.isSuccess || response.status == .badRequest || response.status == .unauthorized else {
            throw oauth.client.failure(response)
        }
    }

    private func origin(_ app: ClientCredentials) throws(SubmissionError) -> String {
        try ServerOrigin(app["base_url"] ?? "https://api.x.com", policy: servers).description
    }

    private func origin(of account: OpenedAccount) -> String {
        account.settings["base_url"]?.string ?? "https://api.x.com"
    }

    private func oauth1(_ app: ClientCredentials, over transport: any Transport) throws(SubmissionError) -> OAuth1Tokens
    {
        OAuth1Tokens(
            client: ServiceClient(service: "X", transport: transport, now: now),
            consumerKey: try app.required("consumer_key"), consumerSecret: try app.required("consumer_secret"),
            nonce: nonce, addresses: servers.addresses)
    }

    private func oauth2(
        _ origin: String, _ clientID: String, _ clientSecret: String?, over transport: any Transport
    ) -> OAuth2 {
        OAuth2(
            client: ServiceClient(service: "X", transport: transport, now: now),
            tokenURL: "\(origin)/2/oauth2/token", clientID: clientID, clientSecret: clientSecret,
            authentication: .basic, addresses: servers.addresses)
    }
}

// Two hours with OAuth 2; keys of OAuth 1.0a do not end. Using a refresh token twice can end all of the account's tokens.
extension TwitterSubmitter: OAuth2Submitter {
    func oauth2(of account: OpenedAccount, over transport: any Transport) -> OAuth2 {
        let known = OAuth2Credentials(account.credentials)
        return oauth2(origin(of: account), known.clientID, known.clientSecret, over: transport)
    }
}

extension TwitterSubmitter: DeletingSubmitter, EngagementSubmitter {
    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try await api(of: post.account, over: post.transport, now: post.now).deletePost(post.remoteID)
    }

    /// A post that is read (docs.x.com, "Pricing", read 2026-11-22). One of the developer's own accounts costs a fifth, which Pics cannot see.
    package var countPrice: Int64 { 5_000 }

    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        try await api(of: post.account, over: post.transport, now: post.now).counts(of: post.remoteID)
    }
}
