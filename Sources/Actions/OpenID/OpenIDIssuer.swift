package import Crypto
internal import Domain
internal import EventLoops
internal import Foundation
package import HTTP
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
        /// Whether the client's secret goes into a field, rather than the body.
        let takesBasic: Bool
    }

    private struct Cache {
        var metadata: (value: Metadata, at: Moment)?
        var keys: (value: [IssuerKey], at: Moment)?
    }

    private static let (longestDocument, longestKeys, longestAnswer) = (64 << 10, 256 << 10, 64 << 10)
    private static let timeout = Duration.seconds(10)
    /// How long what the issuer says is believed.
    private static let age = Duration.seconds(3600)
    /// How often at most its keys are read because a token names one that is not among them.
    private static let pause = Duration.seconds(60)

    package let configuration: OpenIDConfiguration
    private let transport: any Transport
    private let servers: ServerPolicy
    private let cache = Lock(Cache())

    /// - Parameters:
    ///   - configuration: Of the operator.
    ///   - transport: Sends the requests.
    ///   - servers: Where others than the issuer itself may be, whom it names.
    package init(_ configuration: OpenIDConfiguration, transport: any Transport, servers: ServerPolicy) {
        self.configuration = configuration
        self.transport = transport
        self.servers = servers
    }

    /// Whether an issuer of this name is the operator's. Some write a slash at their end, which a setting does not have.
    func isItself(_ name: String) -> Bool { name == configuration.issuer || name == configuration.issuer + "/" }

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
        let token = try IDToken(try await idToken(for: code, verifier: verifier, redirectURI: redirectURI))
        var keys = try await keys(olderThan: Self.age)
        if token.keyID.map({ id in !keys.contains { $0.id == id } }) ?? false {
            keys = try await self.keys(olderThan: Self.pause)
        }
        return try token.verify(
            by: keys, issuer: try await metadata().issuer, client: configuration.clientID, nonce: nonce, now: Date())
    }

    private func idToken(
        for code: String, verifier: String, redirectURI: String
    ) async throws(OpenIDFault) -> String {
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
        guard response.status.isSuccess else {
            throw response.status.code >= 500 ? .unavailable : .refusedCode
        }
        guard let answer = try? JSONValue(parsing: response.body), let token = answer["id_token"]?.string else {
            throw .malformed
        }
        return token
    }

    // MARK: What the issuer says

    private func metadata() async throws(OpenIDFault) -> Metadata {
        if let known = cache.withLock({ $0.metadata }), Moment.now - known.at < Self.age { return known.value }
        let issuer = configuration.issuer
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
            takesBasic: methods?.contains("client_secret_basic") ?? true)
        cache.withLock { $0.metadata = (metadata, .now) }
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

    private func document(_ url: String, _ limit: Int) async throws(OpenIDFault) -> JSONValue {
        let response = try await send(
            OutgoingRequest(
                url: url, fields: ["Accept": "application/json"], timeout: Self.timeout, maxResponseBytes: limit,
                addressPolicy: policy(of: url)))
        guard response.status.code == 200 else { throw .unavailable }
        guard let json = try? JSONValue(parsing: response.body), json.object != nil else { throw .configuration }
        return json
    }

    private func send(_ request: OutgoingRequest) async throws(OpenIDFault) -> IncomingResponse {
        do throws(TransportError) { return try await transport.send(request) } catch { throw .unavailable }
    }

    /// The operator has named the issuer's host; others are named by the issuer.
    private func policy(of url: String) -> AddressPolicy {
        let own = URLComponents(string: configuration.issuer)?.host
        return own != nil && URLComponents(string: url)?.host == own ? .any : servers.addresses
    }
}
