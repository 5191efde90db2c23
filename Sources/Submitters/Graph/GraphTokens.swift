internal import Domain
internal import FoundationEssentials
internal import HTTP

/// Tokens that last for sixty days, as Threads and Instagram give them. They are renewed while they are good: one that has ended is not renewed
/// any more, and one of less than a day not yet.
///
/// Source: developers.facebook.com, "Long-Lived Tokens" of the Threads API (2026-08-12), "Access Token" and "Refresh Access Token" of the Instagram
/// Platform (2026-03-09); read 2026-11-26. Both want the secrets in the query.
struct GraphTokens: Sendable {
    let client: ServiceClient
    /// `https://graph.threads.net`.
    let origin: String
    /// What the names of grants begin with: `th` or `ig`.
    let prefix: String
    let addresses: AddressPolicy

    /// After a day a token may be renewed; some time is left for clocks that differ.
    private static let youngest: TimeInterval = 25 * 3600

    /// The credentials of a token that a person has entered: how old it is, is not known.
    static func entered(_ token: String, now: Date) -> JSONValue { credentials(token, renewedAt: now + youngest) }

    /// When a token is to be renewed.
    static func renewal(of credentials: JSONValue) -> Date? {
        credentials["renew_at"]?.double.map(Date.init(timeIntervalSince1970:))
    }

    /// Changes an authorization code for a token of an hour, at `url`.
    ///
    /// - Throws: `.rejected` for a code that is not good any more.
    func hourly(
        code: String, callback: String, clientID: String, clientSecret: String, at url: String
    ) async throws(SubmissionError) -> String {
        let oauth = OAuth2(
            client: client, tokenURL: url, clientID: clientID, clientSecret: clientSecret, addresses: addresses)
        // A code that a person has copied ends in the mark of the page that they were sent to.
        let code = code.hasSuffix("#_") ? String(code.dropLast(2)) : code
        let response = try await oauth.send(
            ["grant_type": "authorization_code", "code": code, "redirect_uri": callback], to: url)
        guard response.status.isSuccess else {
            guard [400, 401, 403].contains(response.status.code) else { throw client.graphFailure(response) }
            throw .rejected(client.problem(.authorizationExpired, response))
        }
        // Instagram's documentation shows a list of one; its answers had none so far.
        let json = response.looseJSON
        guard let token = (json?["access_token"] ?? json?["data"]?[0]?["access_token"])?.string, !token.isEmpty else {
            throw client.unreadable
        }
        return token
    }

    /// Changes a token of an hour for one that lasts: the credentials of an account.
    func lasting(_ token: String, clientSecret: String) async throws(SubmissionError) -> JSONValue {
        try await credentials(
            "access_token",
            [
                "grant_type": "\(prefix)_exchange_token", "client_secret": clientSecret, "access_token": token,
            ])
    }

    /// Renews the token of credentials.
    ///
    /// - Throws: `.unauthorized` for one that has ended, or is too young.
    func renewed(_ credentials: JSONValue) async throws(SubmissionError) -> JSONValue {
        let token = credentials["access_token"]?.string ?? ""
        do throws(SubmissionError) {
            return try await self.credentials(
                "refresh_access_token", ["grant_type": "\(prefix)_refresh_token", "access_token": token])
        } catch {
            switch error {
            case .rejected(let problem), .gone(let problem):
                throw .unauthorized(
                    SubmissionProblem(
                        client.problem(.credentialsRefused), status: problem.status, detail: problem.detail))
            default: throw error
            }
        }
    }

    private func credentials(_ call: String, _ query: FormFields) async throws(SubmissionError) -> JSONValue {
        let response = try await client.response(
            to: OutgoingRequest(
                method: .get, url: "\(origin)/\(call)?\(query.encoded)", fields: ["Accept": MediaType.json.description],
                body: .none, timeout: ServiceClient.timeout, addressPolicy: addresses))
        guard response.status.isSuccess else { throw client.graphFailure(response) }
        guard let tokens = response.looseJSON.flatMap({ OAuth2Tokens($0, now: client.now()) }) else {
            throw client.unreadable
        }
        // At half of its life, so that an account that is used seldom keeps it.
        let life = (tokens.expiresAt ?? client.now() + 2 * Self.youngest).timeIntervalSince(client.now())
        return Self.credentials(tokens.accessToken, renewedAt: client.now() + max(Self.youngest, life / 2))
    }

    private static func credentials(_ token: String, renewedAt time: Date) -> JSONValue {
        ["access_token": .string(token), "renew_at": .double(time.timeIntervalSince1970)]
    }
}
