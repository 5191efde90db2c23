internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The three steps of OAuth 1.0a at one service (RFC 5849, section 2), for one app.
struct OAuth1Tokens: Sendable {
    let client: ServiceClient
    let consumerKey: String
    let consumerSecret: String
    /// Different at every call.
    let nonce: @Sendable () -> String
    let addresses: AddressPolicy

    /// 128 random bits.
    static let randomNonce: @Sendable () -> String = { Hex.encode(randomBytes(count: 16)) }

    /// Asks for temporary credentials, with which a person is sent to the service. `form` is what it wants besides,
    /// such as `scope`.
    func requestToken(
        at url: String, callback: String, form: FormFields = [:]
    ) async throws(SubmissionError) -> (token: String, secret: String) {
        let oauth = OAuth1(consumerKey: consumerKey, consumerSecret: consumerSecret, token: "", tokenSecret: "")
        let response = try await post(url, form, oauth, ["oauth_callback": callback])
        guard response["oauth_callback_confirmed"] == "true", let token = response["oauth_token"],
            let secret = response["oauth_token_secret"]
        else { throw client.unreadable }
        return (token, secret)
    }

    /// Changes the proof for the account's token.
    ///
    /// - Returns: Everything that the service told, `oauth_token` and `oauth_token_secret` among it.
    func accessToken(
        at url: String, _ response: AuthorizationResponse
    ) async throws(SubmissionError) -> FormFields {
        let token = try response.value("oauth_token")
        guard response.parameters["oauth_token"] ?? token == token, let verifier = response.parameters["oauth_verifier"]
        else {
            throw .rejected(.authorizationRefused, ProblemParameters(service: client.service))
        }
        let oauth = OAuth1(
            consumerKey: consumerKey, consumerSecret: consumerSecret, token: token,
            tokenSecret: try response.value("oauth_token_secret"))
        do throws(SubmissionError) {
            let fields = try await post(url, [:], oauth, ["oauth_verifier": verifier])
            guard fields["oauth_token"] != nil, fields["oauth_token_secret"] != nil else { throw client.unreadable }
            return fields
        } catch .unauthorized(let problem) {
            throw .rejected(
                SubmissionProblem(
                    client.problem(.authorizationExpired), status: problem.status,
                    detail: problem.detail))
        }
    }

    private func post(
        _ url: String, _ form: FormFields, _ oauth: OAuth1, _ extra: FormFields
    ) async throws(SubmissionError) -> FormFields {
        let authorization = oauth.authorization(
            for: .post, url, form: form, extra: extra, nonce: nonce(),
            timestamp: Int64(client.now().timeIntervalSince1970))
        let response = try await client.response(
            to: OutgoingRequest(
                method: .post, url: url,
                fields: ["Authorization": authorization, "Content-Type": MediaType.form.description],
                body: .bytes(Array(form.encoded.utf8)), timeout: ServiceClient.timeout, addressPolicy: addresses))
        guard response.status.isSuccess else { throw client.failure(response) }
        guard let fields = FormFields(response.body) else { throw client.unreadable }
        return fields
    }
}
