internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The token endpoint of one service (RFC 6749), for one app.
struct OAuth2: Sendable {
    /// How an app with a secret says who it is (RFC 6749, section 2.3.1).
    enum Authentication: Sendable {
        case body, basic
    }

    let client: ServiceClient
    let tokenURL: String
    let clientID: String
    /// Nil for a public client.
    let clientSecret: String?
    var authentication = Authentication.body
    let addresses: AddressPolicy

    /// The address that a person is sent to. `parameters` come behind those of RFC 6749, section 4.1.1.
    static func url(
        _ endpoint: String, clientID: String, callback: String, state: String, scopes: String, pkce: PKCE?,
        _ parameters: FormFields = [:]
    ) -> String {
        var query: FormFields = ["response_type": "code", "client_id": clientID, "redirect_uri": callback]
        if !scopes.isEmpty { query.add("scope", scopes) }
        query.add("state", state)
        if let pkce {
            query.add("code_challenge", pkce.challenge)
            query.add("code_challenge_method", "S256")
        }
        for pair in parameters.pairs { query.add(pair.name, pair.value) }
        return query.added(to: endpoint)
    }

    /// Changes an authorization code for tokens. `parameters` come behind those of RFC 6749, section 4.1.3.
    func tokens(
        code: String, callback: String, pkce: PKCE?, _ parameters: FormFields = [:]
    ) async throws(SubmissionError) -> OAuth2Tokens {
        var form: FormFields = ["grant_type": "authorization_code", "code": code, "redirect_uri": callback]
        if let pkce { form.add("code_verifier", pkce.verifier) }
        for pair in parameters.pairs { form.add(pair.name, pair.value) }
        do throws(SubmissionError) {
            return try await tokens(form)
        } catch .unauthorized(let problem) {
            throw .rejected(
                SubmissionProblem(
                    client.problem(.authorizationExpired), status: problem.status,
                    detail: problem.detail))
        }
    }

    /// Changes a refresh token for new tokens.
    func tokens(refreshing token: String) async throws(SubmissionError) -> OAuth2Tokens {
        guard !token.isEmpty else {
            throw .unauthorized(SubmissionProblem(client.problem(.credentialsRefused)))
        }
        return try await tokens(["grant_type": "refresh_token", "refresh_token": token])
    }

    /// Sends a form to the token endpoint.
    func tokens(_ parameters: FormFields) async throws(SubmissionError) -> OAuth2Tokens {
        let response = try await send(parameters, to: tokenURL)
        guard response.status.isSuccess else { throw failure(response) }
        guard let tokens = response.looseJSON.flatMap({ OAuth2Tokens($0, now: client.now()) }) else {
            throw client.unreadable
        }
        return tokens
    }

    /// Sends a form as the app; any answer is returned.
    func send(_ parameters: FormFields, to url: String) async throws(SubmissionError) -> IncomingResponse {
        var form = parameters
        var fields: HTTPFields = ["Content-Type": MediaType.form.description, "Accept": MediaType.json.description]
        switch (authentication, clientSecret) {
        case (.basic, let secret?):
            fields.add(
                "Authorization", AccountAPI.basic(PercentEncoding.encode(clientID), PercentEncoding.encode(secret)))
        case (_, let secret):
            form.add("client_id", clientID)
            if let secret { form.add("client_secret", secret) }
        }
        return try await client.response(
            to: OutgoingRequest(
                method: .post, url: url, fields: fields, body: .bytes(Array(form.encoded.utf8)),
                timeout: ServiceClient.timeout, addressPolicy: addresses))
    }

    /// RFC 6749, section 5.2. Some services answer 401 or 403 where it says 400.
    private func failure(_ response: IncomingResponse) -> SubmissionError {
        switch response.status.code {
        case 400, 401, 403:
            switch response.looseJSON?["error"]?.string {
            case "invalid_client", "unauthorized_client":
                .unauthorized(client.problem(.appKeysRefused, response))
            case "temporarily_unavailable":
                .temporary(client.problem(.busy, response), retryAfter: nil)
            default:
                .unauthorized(client.problem(.credentialsRefused, response))
            }
        default:
            client.failure(response)
        }
    }
}

/// The response of a token endpoint.
struct OAuth2Tokens: Sendable, Equatable {
    let accessToken: String
    let refreshToken: String?
    let expiresAt: Date?
    /// The whole response, for what a service adds.
    let response: JSONValue

    /// Nil for a response without an access token.
    init?(_ response: JSONValue, now: Date) {
        guard let accessToken = response["access_token"]?.string, !accessToken.isEmpty else { return nil }
        self.accessToken = accessToken
        refreshToken = response["refresh_token"]?.string
        let life = response["expires_in"]?.double ?? response["expires_in"]?.string.flatMap(Double.init)
        expiresAt = life.map { now + max(0, $0) }
        self.response = response
    }

    /// The credentials of an account, those of the app with them: tokens belong to the app that asked for them.
    func credentials(clientID: String, clientSecret: String?) -> JSONValue {
        [
            "access_token": .string(accessToken), "refresh_token": JSONValue(refreshToken ?? ""),
            "expires_at": JSONValue(expiresAt?.timeIntervalSince1970), "client_id": .string(clientID),
            "client_secret": JSONValue(clientSecret ?? ""),
        ]
    }
}

/// Reads what `OAuth2Tokens.credentials` has written.
struct OAuth2Credentials: Sendable {
    let json: JSONValue

    init(_ json: JSONValue) {
        self.json = json
    }

    var accessToken: String { json["access_token"]?.string ?? "" }
    var refreshToken: String { json["refresh_token"]?.string ?? "" }
    var expiresAt: Date? { json["expires_at"]?.double.map(Date.init(timeIntervalSince1970:)) }
    var clientID: String { json["client_id"]?.string ?? "" }
    /// Nil for a public client.
    var clientSecret: String? { json["client_secret"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// All members with new tokens in them; a refresh token that did not come anew stays.
    func renewed(by tokens: OAuth2Tokens) -> JSONValue {
        var members = json.object ?? [:]
        members["access_token"] = .string(tokens.accessToken)
        if let token = tokens.refreshToken, !token.isEmpty { members["refresh_token"] = .string(token) }
        members["expires_at"] = JSONValue(tokens.expiresAt?.timeIntervalSince1970)
        return .object(members)
    }
}

/// Binds an authorization code to whoever asked for it (RFC 7636, method S256).
struct PKCE: Sendable, Equatable {
    /// 43 characters; goes with the code.
    let verifier: String

    /// A verifier of 256 random bits.
    init() {
        self.init(verifier: Base64URL.encode(randomBytes(count: 32)))
    }

    /// One that was kept.
    init(verifier: String) {
        self.verifier = verifier
    }

    /// Goes with the person.
    var challenge: String { Base64URL.encode(SHA256Digest(of: verifier).bytes) }
}
