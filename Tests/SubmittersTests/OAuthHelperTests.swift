internal import Foundation
internal import HTTP
internal import Testing

@testable internal import Submitters

struct OAuthHelperTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)

    @Test func `the challenge of RFC 7636 appendix B comes out`() {
        let pkce = PKCE(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")

        #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `verifiers have 43 characters and differ`() {
        let verifiers = Set((0..<50).map { _ in PKCE().verifier })

        #expect(verifiers.count == 50)
        #expect(verifiers.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil })
    }

    @Test func `the token request of RFC 5849 section 1_2 is signed as published`() {
        let oauth = OAuth1(
            consumerKey: "dpf43f3p2l4k3l03", consumerSecret: "kd94hf93k423kf44", token: "hh5s93j4hdidpola",
            tokenSecret: "hdhd0244k9j7ao03")
        let parameters: FormFields = [
            "oauth_consumer_key": "dpf43f3p2l4k3l03", "oauth_token": "hh5s93j4hdidpola",
            "oauth_signature_method": "HMAC-SHA1", "oauth_timestamp": "137131201", "oauth_nonce": "walatlh",
            "oauth_verifier": "hfdp7dh39dks9884",
        ]

        let base = OAuth1.signatureBase(.post, "https://photos.example.net/token", parameters.pairs)

        #expect(oauth.signature(of: base) == "gKgrFCywp7rO0OXSjdot/IHF7IU=")
    }

    @Test func `the three steps of OAuth 1 carry callback, token and verifier`() async throws {
        let server = Recording(
            .form(200, "oauth_token=request&oauth_token_secret=hidden&oauth_callback_confirmed=true"),
            .form(200, "oauth_token=access&oauth_token_secret=secret&user_id=17"))
        let tokens = oauth1(server)

        let request = try await tokens.requestToken(
            at: "https://api.test/request", callback: "https://pics.test/auth?state=s")
        let access = try await tokens.accessToken(
            at: "https://api.test/access",
            AuthorizationResponse(
                app: ClientCredentials([:]), kept: ["oauth_token": "request", "oauth_token_secret": "hidden"],
                parameters: ["oauth_token": "request", "oauth_verifier": "proof"]))

        #expect(request == ("request", "hidden"))
        #expect(access["user_id"] == "17")
        let first = server[0].fields["Authorization"] ?? ""
        #expect(first.contains(#"oauth_callback="https%3A%2F%2Fpics.test%2Fauth%3Fstate%3Ds""#))
        #expect(!first.contains("oauth_token="))
        let second = server[1].fields["Authorization"] ?? ""
        #expect(second.contains(#"oauth_token="request""#) && second.contains(#"oauth_verifier="proof""#))
    }

    @Test(
        arguments: [
            ["oauth_token": "another", "oauth_verifier": "proof"], ["denied": "request"],
        ] as [FormFields])
    func `a proof of another request, or none, is refused before anything is sent`(parameters: FormFields) async {
        let server = Recording()
        let response = AuthorizationResponse(
            app: ClientCredentials([:]), kept: ["oauth_token": "request", "oauth_token_secret": "hidden"],
            parameters: parameters)

        #expect(await meaning { try await oauth1(server).accessToken(at: "https://api.test/a", response) } == .rejected)
        #expect(server.sent.isEmpty)
    }

    @Test func `a code goes with its verifier, and tokens are told with their end`() async throws {
        let server = Recording(.response(200, ["access_token": "a", "refresh_token": "r", "expires_in": 3600]))

        let tokens = try await oauth2(server, secret: nil)
            .tokens(code: "c", callback: "https://pics.test/auth", pkce: PKCE(verifier: "v"))

        #expect(
            server[0].text
                == "grant_type=authorization_code&code=c&redirect_uri=https%3A%2F%2Fpics.test%2Fauth&code_verifier=v&client_id=id"
        )
        #expect(tokens.expiresAt == now + 3600)
        let credentials = OAuth2Credentials(tokens.credentials(clientID: "id", clientSecret: nil))
        #expect(credentials.accessToken == "a" && credentials.refreshToken == "r" && credentials.clientSecret == nil)
    }

    @Test func `a confidential client may show its secret in the header`() async throws {
        let server = Recording(.response(200, ["access_token": "a"]))

        _ = try await oauth2(server, secret: "s+", authentication: .basic).tokens(refreshing: "r")

        #expect(server[0].fields["Authorization"] == "Basic aWQ6cyUyQg==")
        #expect(server[0].text == "grant_type=refresh_token&refresh_token=r")
    }

    @Test func `a refresh token that does not come anew stays`() throws {
        let old = OAuth2Credentials(["access_token": "a", "refresh_token": "r", "client_id": "id"])
        let tokens = try #require(OAuth2Tokens(["access_token": "b", "expires_in": 60], now: now))

        let renewed = OAuth2Credentials(old.renewed(by: tokens))

        #expect(renewed.accessToken == "b" && renewed.refreshToken == "r" && renewed.clientID == "id")
        #expect(renewed.expiresAt == now + 60)
    }

    @Test(arguments: [
        (400, "invalid_grant", Meaning.unauthorized), (401, "invalid_client", .unauthorized),
        (400, "temporarily_unavailable", .temporary), (503, "", .temporary), (429, "", .limited),
    ])
    func `a refused refresh says what happens next`(status: Int, error: String, expected: Meaning) async {
        let server = Recording(.response(status, ["error": .string(error)]))

        #expect(await meaning { try await oauth2(server, secret: "s").tokens(refreshing: "r") } == expected)
    }

    @Test(arguments: [#"{"refresh_token":"secret"}"#, #"{"access_token":"secret""#])
    func `an answer with secrets that cannot be read leaves nothing of it behind`(body: String) async {
        let server = Recording(.form(200, body))

        let error = await #expect(throws: SubmissionError.self) {
            try await oauth2(server, secret: "s").tokens(refreshing: "r")
        }

        guard case .temporary(let problem, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.detail == nil)
    }

    @Test func `a code that is refused asks the person to begin anew`() async {
        let server = Recording(.response(400, ["error": "invalid_grant"]))

        let result = await meaning {
            try await oauth2(server, secret: "s").tokens(code: "c", callback: "x", pkce: nil)
        }

        #expect(result == .rejected)
    }

    private func oauth1(_ transport: Recording) -> OAuth1Tokens {
        OAuth1Tokens(
            client: ServiceClient(service: "Test", transport: transport, now: { now }), consumerKey: "key",
            consumerSecret: "secret", nonce: OAuth1Tokens.randomNonce, addresses: .any)
    }

    private func oauth2(
        _ transport: Recording, secret: String?, authentication: OAuth2.Authentication = .body
    ) -> OAuth2 {
        OAuth2(
            client: ServiceClient(service: "Test", transport: transport, now: { now }),
            tokenURL: "https://api.test/token", clientID: "id", clientSecret: secret, authentication: authentication,
            addresses: .any)
    }
}

extension Result where Success == IncomingResponse, Failure == TransportError {
    /// An answer with a form, or any other text, as its body.
    static func form(_ status: Int, _ text: String, fields: HTTPFields = [:]) -> Self {
        .success(IncomingResponse(status: HTTPStatus(code: status), fields: fields, body: Array(text.utf8)))
    }
}
