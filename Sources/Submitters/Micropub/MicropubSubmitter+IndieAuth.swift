internal import Domain
internal import FoundationEssentials
package import HTTP

// A site signs its owner in by itself: nobody registers anywhere. Pics is known by the address of a document that describes it.
extension MicropubSubmitter: OAuthSubmitter {
    private static let scopes = "create media update delete"

    package var oauth: OAuthDescription {
        OAuthDescription(
            flow: .oauth2, appFields: [],
            accountFields: [CredentialField("base_url", prompt: "Address of your site, such as https://blog.example")],
            scopes: Self.scopes.split(separator: " ").map(String.init))
    }

    /// The address of the document that describes Pics, beside the callback.
    static func clientID(of callback: String) -> String {
        let base = callback.firstRange(of: "/auth/").map { callback[..<$0.lowerBound] } ?? ""
        return "\(base)/auth/client"
    }

    package func authorizationRequest(
        _ start: AuthorizationStart, over transport: any Transport
    ) async throws(SubmissionError) -> AuthorizationRequest {
        let entered = EnteredValues(start.entered)
        let site = try await MicropubSite.find(
            try entered.required("base_url", "The address of your site"), policy: servers,
            over: client(over: transport, now: now))
        guard let endpoint = site.authorization, site.token != nil else {
            throw .rejected(
                .destinationMissing,
                ProblemParameters(service: description.name, label: "A site with a sign-in for apps (IndieAuth)"))
        }
        let (clientID, pkce) = (Self.clientID(of: start.callback), PKCE())
        // A profile's address has no port (section 3.2); WordPress refuses one that has.
        let hint: FormFields = URLComponents(string: site.url)?.port == nil ? ["me": site.url] : [:]
        return AuthorizationRequest(
            url: OAuth2.url(
                endpoint, clientID: clientID, callback: start.callback, state: start.state, scopes: Self.scopes,
                pkce: pkce, hint),
            kept: [
                "site": .object(site.settings), "client_id": .string(clientID), "verifier": .string(pkce.verifier),
                "callback": .string(start.callback),
            ])
    }

    package func finishAuthorization(
        _ response: AuthorizationResponse, over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let site = MicropubSite(response.kept["site"] ?? .null)
        let clientID = try response.value("client_id")
        let code = try response.code()
        // Another site may have sent the person here (RFC 9207).
        if let issuer = site.issuer, let told = response.parameters["iss"], told != issuer {
            throw .rejected(.authorizationExpired)
        }
        let tokens = try await oauth2(site, clientID, over: transport).tokens(
            code: code, callback: try response.value("callback"),
            pkce: PKCE(verifier: try response.value("verifier")))
        let me = try await owner(tokens.response["me"]?.string, of: site, over: transport)
        return try await account(
            at: site, tokens.credentials(clientID: clientID, clientSecret: nil), name: me, isEntered: false,
            over: transport)
    }

    /// Whose the token is. A site may name another address of its owner's, which has to name the same sign-in (IndieAuth, section 5.4).
    private func owner(
        _ me: String?, of site: MicropubSite, over transport: any Transport
    ) async throws(SubmissionError) -> String {
        guard let me else { return site.url }
        let address = try MicropubSite.checked(me, servers)
        guard address != site.url else { return address }
        let client = client(over: transport, now: now)
        guard try await MicropubSite.find(address, policy: servers, over: client).authorization == site.authorization
        else {
            throw .rejected(.authorizationRefused, ProblemParameters(service: description.name))
        }
        return address
    }

    package func revoke(_ account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) {
        let (site, known) = (MicropubSite(account.settings), OAuth2Credentials(account.credentials))
        // A token that a person has entered is theirs to take back.
        guard !known.clientID.isEmpty, let endpoint = site.revocation ?? site.token else { return }
        let oauth = oauth2(site, known.clientID, over: transport)
        // Sites differ in whether one ends with the other; the one that renews goes first.
        for token in [known.refreshToken, known.accessToken] where !token.isEmpty {
            var form: FormFields = ["token": token]
            // The way of sites without an endpoint of its own for it.
            if site.revocation == nil { form.add("action", "revoke") }
            let response = try await oauth.send(form, to: endpoint)
            guard response.status.isSuccess || [400, 401, 403, 404].contains(response.status.code) else {
                throw oauth.client.failure(response)
            }
        }
    }

    private func oauth2(_ site: MicropubSite, _ clientID: String, over transport: any Transport) -> OAuth2 {
        OAuth2(
            client: client(over: transport, now: now), tokenURL: site.token ?? "", clientID: clientID,
            clientSecret: nil, addresses: servers.addresses)
    }
}

// Some sites' tokens end, as those of the WordPress plugin after two weeks.
extension MicropubSubmitter: OAuth2Submitter {
    func oauth2(of account: OpenedAccount, over transport: any Transport) -> OAuth2 {
        oauth2(MicropubSite(account.settings), OAuth2Credentials(account.credentials).clientID, over: transport)
    }
}
