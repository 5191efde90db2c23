internal import Crypto
internal import Foundation
package import HTTP
internal import System

/// An issuer of OpenID Connect, which keeps the rules of the code flow with PKCE, and signs with ES256.
package final class FakeIssuer: FakeService {
    package static let clientID = "pics"
    package static let clientSecret = "a secret: of the client/+"

    private struct Code {
        let redirectURI: String
        let challenge: String
        let nonce: String
    }

    private struct State {
        var codes: [String: Code] = [:]
        var subject = "4711"
        var email = "ann@example.org"
        var changes: [String: JSONValue?] = [:]
        var algorithm = "ES256"
        var issuer: String?
    }

    private let key: SigningKey
    private let other: SigningKey
    private let state = Lock(State())

    package init() throws {
        key = try SigningKey()
        other = try SigningKey()
    }

    /// Whoever comes next is this person.
    package func set(subject: String, email: String) {
        state.withLock { ($0.subject, $0.email) = (subject, email) }
    }

    /// Changes a claim of the next tokens; nil leaves it out.
    package func change(_ claim: String, to value: JSONValue?) { state.withLock { $0.changes[claim] = .some(value) } }

    /// What the header of the next tokens says of their algorithm; `stranger` signs with another key.
    package func sign(as algorithm: String) { state.withLock { $0.algorithm = algorithm } }

    /// The issuer that it says to be.
    package func call(itself issuer: String?) { state.withLock { $0.issuer = issuer } }

    /// Tells the truth again.
    package func clear() { state.withLock { ($0.changes, $0.algorithm, $0.issuer) = ([:], "ES256", nil) } }

    package var routes: [FakeRoute] {
        [
            FakeRoute("GET /.well-known/openid-configuration") { [self] request, _ in
                .json([
                    "issuer": .string(state.withLock { $0.issuer } ?? request.origin),
                    "authorization_endpoint": .string("\(request.origin)/authorize"),
                    "token_endpoint": .string("\(request.origin)/token"), "jwks_uri": .string("\(request.origin)/keys"),
                    "response_types_supported": ["code"], "subject_types_supported": ["public"],
                    "id_token_signing_alg_values_supported": ["RS256", "ES256"],
                ])
            },
            FakeRoute("GET /keys") { [self] _, _ in
                let jwk = (try? JSONValue(parsing: Array(key.publicJWK.utf8))) ?? .null
                guard case .object(var members) = jwk else { return refusal(500) }
                members["kid"] = "k1"
                members["use"] = "sig"
                return .json(["keys": [.object(members)]])
            },
            FakeRoute("GET /authorize") { [self] request, _ in authorize(request) },
            FakeRoute("POST /token") { [self] request, _ in token(request) },
        ]
    }

    private func authorize(_ request: FakeRequest) -> FakeAnswer {
        guard let query = FormFields(request.query), query["client_id"] == Self.clientID,
            query["response_type"] == "code", query["scope"]?.split(separator: " ").contains("openid") == true,
            query["code_challenge_method"] == "S256", let challenge = query["code_challenge"],
            let redirectURI = query["redirect_uri"], let state = query["state"], let nonce = query["nonce"]
        else { return refusal(400) }
        let code = Base64URL.encode(randomBytes(count: 16))
        self.state.withLock { $0.codes[code] = Code(redirectURI: redirectURI, challenge: challenge, nonce: nonce) }
        let back: FormFields = ["code": code, "state": state, "iss": request.origin]
        return FakeAnswer(.found, fields: ["Location": back.added(to: redirectURI)])
    }

    private func token(_ request: FakeRequest) -> FakeAnswer {
        let pair = [Self.clientID, Self.clientSecret].map { PercentEncoding.encode($0) }.joined(separator: ":")
        guard request.fields["Authorization"] == "Basic \(Base64.encode(Array(pair.utf8)))" else { return refusal(401) }
        guard let form = FormFields(request.body), form["grant_type"] == "authorization_code",
            let code = state.withLock({ $0.codes.removeValue(forKey: form["code"] ?? "") }),
            form["redirect_uri"] == code.redirectURI,
            Base64URL.encode(SHA256Digest(of: form["code_verifier"] ?? "").bytes) == code.challenge
        else { return refusal(400) }
        guard let token = try? idToken(nonce: code.nonce, issuer: request.origin) else { return refusal(500) }
        return .json(["access_token": "unused", "token_type": "Bearer", "id_token": .string(token)])
    }

    private func idToken(nonce: String, issuer: String) throws -> String {
        let now = Int64(Date().timeIntervalSince1970)
        let state = state.withLock { $0 }
        var claims = JSONObject([
            ("iss", .string(issuer)), ("sub", .string(state.subject)), ("aud", .string(Self.clientID)),
            ("exp", .int(now + 300)), ("iat", .int(now)), ("nonce", .string(nonce)), ("email", .string(state.email)),
        ])
        for (name, value) in state.changes { claims[name] = value }
        let isStranger = state.algorithm == "stranger"
        let header: JSONValue = ["alg": .string(isStranger ? "ES256" : state.algorithm), "kid": "k1"]
        let signed = [header, .object(claims)].map { Base64URL.encode($0.serialized) }.joined(separator: ".")
        let signature: [UInt8] =
            switch state.algorithm {
            case "none": []
            // The classic mistake: the public key as a shared secret.
            case "HS256": HMAC.sha256(Array(signed.utf8), key: Array(key.publicJWK.utf8))
            default: try (isStranger ? other : key).sign(Array(signed.utf8))
            }
        return "\(signed).\(Base64URL.encode(signature))"
    }

    package var effects: [PublishedPost] { [] }
    package func refusal(_ status: Int) -> FakeAnswer {
        .json(["error": "invalid_request"], HTTPStatus(code: status))
    }
}
