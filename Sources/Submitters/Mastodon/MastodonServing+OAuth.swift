internal import HTTP

// Every server is its own: Pics registers itself there, and keeps what it got with the account.
extension MastodonServing {
    /// Scopes that Pixelfed, GoToSocial and older servers know too. Reading is for a look after an unclear response, and for
    /// counts.
    private static var scopes: String { "read write push" }

    package var oauth: OAuthDescription {
        OAuthDescription(
            flow: .oauth2, appFields: [],
            accountFields: [
                CredentialField("base_url", prompt: "Address of your server, such as https://mastodon.social")
            ], scopes: ["read", "write", "push"])
    }

    package func authorizationRequest(
        _ start: AuthorizationStart, over transport: any Transport
    ) async throws(SubmissionError) -> AuthorizationRequest {
        let server = try ServerOrigin(start.entered["base_url"] ?? "", policy: servers).description
        let api = api(at: server, token: nil, over: transport, now: now)
        let app = try await api.registerApp(callback: start.callback, scopes: Self.scopes)
        // Known since 4.3. A server that does not know it may refuse what it does not know.
        let pkce = try await api.knowsPKCE() ? PKCE() : nil
        return AuthorizationRequest(
            url: OAuth2.url(
                "\(server)/oauth/authorize", clientID: app.id, callback: start.callback, state: start.state,
                scopes: Self.scopes, pkce: pkce),
            kept: [
                "base_url": .string(server), "client_id": .string(app.id), "client_secret": .string(app.secret),
                "verifier": JSONValue(pkce?.verifier), "callback": .string(start.callback),
            ])
    }

    package func finishAuthorization(
        _ response: AuthorizationResponse, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let server = try ServerOrigin(try response.value("base_url"), policy: servers)
        let (id, secret) = (try response.value("client_id"), try response.value("client_secret"))
        let tokens = try await oauth2(server.description, id, secret, over: transport)
            .tokens(
                code: try response.code(), callback: try response.value("callback"),
                pkce: response.kept["verifier"]?.string.map(PKCE.init(verifier:)))
        return try await account(
            on: server, tokens.credentials(clientID: id, clientSecret: secret), over: transport)
    }

    /// A token that a person has entered belongs to an app that Pics does not know: it cannot be taken back here.
    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {
        let known = OAuth2Credentials(account.credentials)
        guard !known.clientID.isEmpty else { return }
        let server = MastodonSettings(account.settings).baseURL
        let oauth = try oauth2(of: account, over: transport)
        let response = try await oauth.send(["token": known.accessToken], to: "\(server)/oauth/revoke")
        // 403: it is not this app's any more. 404: a server without the call.
        guard response.status.isSuccess || [400, 401, 403, 404].contains(response.status.code) else {
            throw oauth.client.failure(response)
        }
    }

    private func oauth2(
        _ server: String, _ clientID: String, _ clientSecret: String?, over transport: any Transport
    ) -> OAuth2 {
        OAuth2(
            client: ServiceClient(service: description.name, transport: transport, now: now),
            tokenURL: "\(server)/oauth/token", clientID: clientID, clientSecret: clientSecret,
            addresses: servers.addresses)
    }
}

// Mastodon's tokens do not end; Pixelfed's and Pleroma's do.
extension MastodonServing {
    func oauth2(of account: OpenedAccount, over transport: any Transport) -> OAuth2 {
        let known = OAuth2Credentials(account.credentials)
        return oauth2(
            MastodonSettings(account.settings).baseURL, known.clientID, known.clientSecret, over: transport)
    }
}

extension MastodonServing {
    package var editsLabels: Bool { true }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        try await api(for: post.account, over: post.transport, now: post.now).deleteStatus(post.remoteID)
    }

    package func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        let settings = MastodonSettings(post.account.settings)
        let api = api(for: post.account, over: post.transport, now: post.now)
        let (labels, description) = (
            settings.labels(post.labels), Submitters.altText(altText, limit: settings.descriptionLimit)
        )
        settings.isPixelfed
            ? try await api.editPixelfedStatus(post.remoteID, text: text, labels: labels, description: description)
            : try await api.editStatus(post.remoteID, text: text, labels: labels, description: description)
    }

    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        let status = try await api(for: post.account, over: post.transport, now: post.now).status(post.remoteID)
        let count = { (name: String) in status[name]?.int.map { Int(clamping: $0) } }
        return Engagement(
            likes: count("favourites_count"), comments: count("replies_count"),
            shares: count("reblogs_count").map { $0 + (count("quotes_count") ?? 0) })
    }
}
