package import Crypto
internal import Domain
internal import EventLoops
internal import FoundationEssentials
package import HTTP
package import Logging
internal import System

/// How Pics is known at the issuer that the operator has chosen.
package struct OpenIDConfiguration: Sendable {
    /// Its address, such as `https://id.example`, without a slash at its end.
    package let issuer: String
    package let clientID: String
    /// Nil for a client without one.
    package let clientSecret: Secret<String>?
    /// What the button says.
    package let name: String
    /// Whether people who are unknown here become users.
    package let registers: Bool

    package init(issuer: String, clientID: String, clientSecret: Secret<String>?, name: String, registers: Bool) {
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.name = name
        self.registers = registers
    }
}

/// The requests to an issuer of OpenID Connect: what it says of itself, its keys, and the token for a code.
///
/// Sources: OpenID Connect Core 1.0 and Discovery 1.0; PKCE: RFC 7636.
package final class OpenIDIssuer: Sendable {
    /// What the issuer says of itself (Discovery, section 3).
    struct Metadata: Sendable {
        /// As it writes itself, with or without a slash at its end.
        let issuer: String
        let authorizationEndpoint: String
        let tokenEndpoint: String
        let keysURL: String
        /// The address of UserInfo, for names that an ID token does not have (Core, section 5.3); nil where there is none.
        let userInfoEndpoint: String?
        /// Whether each of its answers to a browser says whose it is (RFC 9207, section 3).
        let namesItself: Bool
        /// Whether the client's secret goes into a field, rather than the body.
        let takesBasic: Bool
    }

    private struct Cache {
        var metadata: (value: Metadata, at: Moment)?
        var keys: (value: [IssuerKey], at: Moment)?
        /// When it could not be asked: nobody else waits for the same at once.
        var failedAt: Moment?
    }

    private struct Tokens {
        let id: String
        let access: String?
    }

    private static let (longestDocument, longestKeys, longestAnswer) = (64 << 10, 256 << 10, 64 << 10)
    private static let timeout = Duration.seconds(10)
    /// How long what the issuer says is believed.
    private static let age = Duration.seconds(3600)
    private static let pauseAfterFailure = Duration.seconds(5)
    /// The errors that an issuer may tell a browser or a client; others are logged as "another" (RFC 6749, sections 4.1.2.1 and 5.2; Core, section 3.1.2.6).
    private static let errors: Set = [
        "access_denied", "account_selection_required", "consent_required", "interaction_required", "invalid_client",
        "invalid_grant",
        "invalid_request", "invalid_scope", "login_required", "server_error", "temporarily_unavailable",
        "unauthorized_client",
        "unsupported_grant_type", "unsupported_response_type",
    ]

    package let configuration: OpenIDConfiguration
    private let transport: any Transport
    private let servers: ServerPolicy
    private let logger: Logger
    private let pause: Duration
    private let cache = Lock(Cache())

    /// - Parameters:
    ///   - configuration: Of the operator.
    ///   - transport: Sends the requests.
    ///   - servers: Where others than the issuer itself may be, whom it names.
    ///   - logger: Told what has gone wrong, and nothing of what came.
    ///   - pause: How often at most its keys are read because none of them fits a token.
    package init(
        _ configuration: OpenIDConfiguration, transport: any Transport, servers: ServerPolicy, logger: Logger,
        pause: Duration = .seconds(60)
    ) {
        self.logger = logger
        self.pause = pause
        self.configuration = configuration
        self.transport = transport
        self.servers = servers
    }

    /// Whether it is the operator's. Some write a slash at their end, which a setting does not have.
    package func isItself(_ name: String) -> Bool {
        name == configuration.issuer || name == configuration.issuer + "/"
    }

    /// Whether an answer to a browser, which names these issuers, is its own (RFC 9207, section 2.4).
    func hasAnswered(as issuers: [String]) async throws(OpenIDFault) -> Bool {
        let metadata = try await metadata()
        return issuers.isEmpty ? !metadata.namesItself : issuers == [metadata.issuer]
    }

    /// An error that it tells a browser or a client, as far as it is one of the known ones.
    static func known(_ error: String?) -> String { error.map { errors.contains($0) ? $0 : "another" } ?? "none" }

    /// Reads what it says of itself, and its keys.
    package func check() async throws(OpenIDFault) { _ = try await keys(olderThan: .zero) }

    /// Where a browser is sent to sign in there.
    func authorizationURL(
        state: String, nonce: String, challenge: String, redirectURI: String
    ) async throws(OpenIDFault) -> String {
        let fields: FormFields = [
            "response_type": "code", "scope": "openid profile email", "client_id": configuration.clientID,
            "redirect_uri": redirectURI, "state": state, "nonce": nonce, "code_challenge": challenge,
            "code_challenge_method": "S256",
        ]
        return fields.added(to: try await metadata().authorizationEndpoint)
    }

    /// Exchanges a code for who somebody is.
    func claims(
        for code: String, verifier: String, nonce: String, redirectURI: String
    ) async throws(OpenIDFault) -> OpenIDClaims {
        let tokens = try await tokens(for: code, verifier: verifier, redirectURI: redirectURI)
        let token = try IDToken(tokens.id)
        let claims: OpenIDClaims
        do throws(OpenIDFault) {
            claims = try await verify(token, nonce: nonce, keysOlderThan: Self.age)
        } catch {
            // Its keys may be others since they were read, under the same identifier or none.
            guard error == .unknownKey || error == .wrongSignature else { throw error }
            claims = try await verify(token, nonce: nonce, keysOlderThan: pause)
        }
        guard claims.nameHint.isEmpty, let access = tokens.access else { return claims }
        return await userInfo(access, of: claims) ?? claims
    }

    private func verify(
        _ token: IDToken, nonce: String, keysOlderThan age: Duration
    ) async throws(OpenIDFault) -> OpenIDClaims {
        try token.verify(
            by: try await keys(olderThan: age), issuer: try await metadata().issuer, client: configuration.clientID,
            nonce: nonce, now: Date())
    }

    /// The names of a person that their token does not tell; nil where the issuer does not say them, or of somebody else.
    private func userInfo(_ access: String, of claims: OpenIDClaims) async -> OpenIDClaims? {
        do {
            guard let url = try await metadata().userInfoEndpoint else { return nil }
            let answer = try await document(url, Self.longestAnswer, authorization: "Bearer \(access)")
            guard answer["sub"]?.string == claims.subject else { throw OpenIDFault.malformed }
            return OpenIDClaims(issuer: claims.issuer, subject: claims.subject, in: answer)
        } catch {
            logger.warning("no names by UserInfo of OpenID Connect", ["error": "\(error)"])
            return nil
        }
    }

    private func tokens(
        for code: String, verifier: String, redirectURI: String
    ) async throws(OpenIDFault) -> Tokens {
        let metadata = try await metadata()
        var form: FormFields = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI, "code_verifier": verifier,
        ]
        var fields: HTTPFields = [
            "Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json",
        ]
        if let secret = configuration.clientSecret, metadata.takesBasic {
            // Both are encoded as in a form first (RFC 6749, section 2.3.1).
            let pair = [configuration.clientID, secret.reveal()].map { PercentEncoding.encode($0) }
            fields.add("Authorization", "Basic \(Base64.encode(Array(pair.joined(separator: ":").utf8)))")
        } else {
            form.add("client_id", configuration.clientID)
            if let secret = configuration.clientSecret { form.add("client_secret", secret.reveal()) }
        }
        let response = try await send(
            OutgoingRequest(
                method: .post, url: metadata.tokenEndpoint, fields: fields, body: .bytes(Array(form.encoded.utf8)),
                timeout: Self.timeout, maxResponseBytes: Self.longestAnswer,
                addressPolicy: policy(of: metadata.tokenEndpoint)))
        let answer = try? JSONValue(parsing: response.body)
        guard response.status.isSuccess else {
            logger.warning(
                "code not taken by the issuer of OpenID Connect",
                ["status": response.status.code, "error": Self.known(answer?["error"]?.string)])
            throw response.status.code >= 500 ? .unavailable : .refusedCode
        }
        guard let token = answer?["id_token"]?.string else { throw .malformed }
        let access = answer?["access_token"]?.string.flatMap { text in
            text.utf8.count <= 8192 && text.utf8.allSatisfy { 0x21...0x7E ~= $0 } ? text : nil
        }
        return Tokens(id: token, access: access)
    }

    // MARK: What the issuer says

    private func metadata() async throws(OpenIDFault) -> Metadata {
        if let known = cache.withLock({ $0.metadata }), Moment.now - known.at < Self.age { return known.value }
        let issuer = configuration.issuer
        if let failed = cache.withLock({ $0.failedAt }), Moment.now - failed < Self.pauseAfterFailure {
            throw .unavailable
        }
        let json = try await document("\(issuer)/.well-known/openid-configuration", Self.longestDocument)
        func endpoint(_ name: String) throws(OpenIDFault) -> String {
            // As safe as the issuer itself: without TLS only in a network of the operator's.
            guard let url = json[name]?.string, url.utf8.count <= 2000,
                url.hasPrefix("https://") || (issuer.hasPrefix("http://") && url.hasPrefix("http://")),
                url.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
            else { throw .configuration }
            return url
        }
        guard let own = json["issuer"]?.string, isItself(own) else { throw .configuration }
        let methods = json["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
        let metadata = Metadata(
            issuer: own, authorizationEndpoint: try endpoint("authorization_endpoint"),
            tokenEndpoint: try endpoint("token_endpoint"), keysURL: try endpoint("jwks_uri"),
            userInfoEndpoint: json["userinfo_endpoint"] == nil ? nil : try endpoint("userinfo_endpoint"),
            namesItself: json["authorization_response_iss_parameter_supported"] == .bool(true),
            takesBasic: methods?.contains("client_secret_basic") ?? true)
        cache.withLock { ($0.metadata, $0.failedAt) = ((metadata, .now), nil) }
        return metadata
    }

    /// The keys, as read lately.
    private func keys(olderThan age: Duration) async throws(OpenIDFault) -> [IssuerKey] {
        if let known = cache.withLock({ $0.keys }), Moment.now - known.at < age { return known.value }
        let keys = IssuerKey.all(try await document(try await metadata().keysURL, Self.longestKeys))
        guard !keys.isEmpty else { throw .configuration }
        cache.withLock { $0.keys = (keys, .now) }
        return keys
    }

    private func document(
        _ url: String, _ limit: Int, authorization: String? = nil
    ) async throws(OpenIDFault) -> JSONValue {
        var fields: HTTPFields = ["Accept": "application/json"]
        if let authorization { fields.add("Authorization", authorization) }
        let response = try await send(
            OutgoingRequest(
                url: url, fields: fields, timeout: Self.timeout, maxResponseBytes: limit, addressPolicy: policy(of: url)
            ))
        guard response.status.code == 200 else {
            logger.warning("refused by the issuer of OpenID Connect", ["url": url, "status": response.status.code])
            throw .unavailable
        }
        guard let json = try? JSONValue(parsing: response.body), json.object != nil else { throw .configuration }
        return json
    }

    private func send(_ request: OutgoingRequest) async throws(OpenIDFault) -> IncomingResponse {
        do throws(TransportError) { return try await transport.send(request) } catch {
            logger.warning("the issuer of OpenID Connect is not reached", ["url": request.url, "error": "\(error)"])
            cache.withLock { $0.failedAt = .now }
            throw .unavailable
        }
    }

    /// The operator has named the issuer's host; others are named by the issuer.
    private func policy(of url: String) -> AddressPolicy {
        let own = URLComponents(string: configuration.issuer)?.serverHost
        return own != nil && URLComponents(string: url)?.serverHost == own ? .any : servers.addresses
    }
}
