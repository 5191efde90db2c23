internal import Crypto
internal import FoundationEssentials
internal import HTTP

/// Why an issuer's answer does not count. It never holds what came.
package enum OpenIDFault: String, Error, Sendable {
    /// The issuer cannot be reached, or answers with an error.
    case unavailable
    /// What it says of itself is not what OpenID Connect asks for, or is of another issuer.
    case configuration
    /// The code was not taken.
    case refusedCode
    /// It is not what issuers write.
    case malformed
    /// `none`, a shared secret, or another algorithm that Pics does not take.
    case algorithm
    case unknownKey
    case wrongSignature
    case otherIssuer
    case otherAudience
    case expired
    case notYetValid
    case otherNonce
}

/// The claims about a person that an issuer has signed.
package struct OpenIDClaims: Sendable, Equatable {
    package let issuer: String
    package let subject: String
    /// The mail address or the name that people know it by; nothing depends on it.
    package let label: String
    /// The text that a user name is made of; empty where the issuer has not told any.
    package let nameHint: String

    /// Reads the names of a person (section 5.1) from a token or from UserInfo.
    init(issuer: String, subject: String, in members: JSONValue) {
        func text(_ name: String) -> String? {
            members[name]?.string.flatMap { $0.isEmpty ? nil : String($0.prefix(254)) }
        }
        let names = ["preferred_username", "email", "name"].compactMap(text)
        self.issuer = issuer
        self.subject = subject
        label = text("email") ?? names.first ?? subject
        nameHint = names.first ?? ""
    }
}

/// A public key of an issuer (RFC 7517).
package struct IssuerKey: Sendable {
    let id: String?
    let key: VerifyingKey

    /// Keys for other purposes and of other kinds are left out.
    static func all(_ set: JSONValue) -> [IssuerKey] {
        (set["keys"]?.array ?? []).prefix(100).compactMap { json in
            guard json["use"]?.string ?? "sig" == "sig", let key = key(json) else { return nil }
            if let name = json["alg"]?.string, VerifyingKey.Algorithm(jose: name) != key.algorithm { return nil }
            return IssuerKey(id: json["kid"]?.string, key: key)
        }
    }

    private static func key(_ json: JSONValue) -> VerifyingKey? {
        func bytes(_ name: String) -> [UInt8] { json[name]?.string.flatMap(Base64URL.decode) ?? [] }
        return switch (json["kty"]?.string, json["crv"]?.string) {
        case ("EC", "P-256"): try? VerifyingKey(p256: bytes("x"), bytes("y"))
        case ("OKP", "Ed25519"): try? VerifyingKey(ed25519: bytes("x"))
        case ("RSA", _): try? VerifyingKey(rsa: bytes("n"), bytes("e"))
        default: nil
        }
    }
}

/// A signed ID token (OpenID Connect Core 1.0, section 2; RFC 7515 and RFC 7519).
struct IDToken {
    static let mostBytes = 16 << 10
    /// How far two clocks may differ.
    private static let leeway = 60.0
    /// A token comes at once: one that was made long ago is not for this sign-in.
    private static let longestAge = 600.0

    let keyID: String?
    let algorithm: VerifyingKey.Algorithm
    private let claims: JSONValue
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Reads a token, of which nothing is believed yet.
    init(_ text: String) throws(OpenIDFault) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.mostBytes, parts.count == 3,
            let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
            let signature = Base64URL.decode(String(parts[2]))
        else { throw .malformed }
        // Extensions that have to be understood are none (RFC 7515, section 4.1.11).
        guard header["crit"] == nil else { throw .malformed }
        guard let algorithm = header["alg"]?.string.flatMap({ VerifyingKey.Algorithm(jose: $0) }) else {
            throw .algorithm
        }
        self.algorithm = algorithm
        keyID = header["kid"]?.string
        self.claims = claims
        signed = Array("\(parts[0]).\(parts[1])".utf8)
        self.signature = signature
    }

    private static func json(_ part: Substring) -> JSONValue? {
        guard let value = Base64URL.decode(String(part)).flatMap({ try? JSONValue(parsing: $0) }), value.object != nil
        else { return nil }
        return value
    }

    /// Checks the token.
    ///
    /// - Parameters:
    ///   - keys: Of the issuer; those of the token's identifier are tried, or all of its kind where it names none.
    ///   - issuer: Whose it has to be.
    ///   - client: Whom it has to be for.
    ///   - nonce: That of this very sign-in.
    ///   - now: The time.
    /// - Returns: Who it is.
    /// - Throws: `OpenIDFault`.
    func verify(
        by keys: [IssuerKey], issuer: String, client: String, nonce: String, now: Date
    ) throws(OpenIDFault) -> OpenIDClaims {
        let fitting = keys.filter { $0.key.algorithm == algorithm && (keyID == nil || $0.id == keyID) }
        guard !fitting.isEmpty else { throw .unknownKey }
        guard fitting.contains(where: { $0.key.verifiesJOSE(signature, of: signed) }) else { throw .wrongSignature }
        guard claims["iss"]?.string == issuer else { throw .otherIssuer }
        try checkAudience(client)
        try checkTimes(now)
        guard let given = claims["nonce"]?.string, isEqualInConstantTime(given.utf8, nonce.utf8) else {
            throw .otherNonce
        }
        guard let subject = claims["sub"]?.string, 1...255 ~= subject.utf8.count else { throw .malformed }
        return OpenIDClaims(issuer: issuer, subject: subject, in: claims)
    }

    private func checkAudience(_ client: String) throws(OpenIDFault) {
        let audience = claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.array?.compactMap(\.string) ?? []
        guard audience.contains(client) else { throw .otherAudience }
        // Who it was made for, where several may read it (section 3.1.3.7, steps 4 and 5).
        let party = claims["azp"]
        guard party != nil || audience.count == 1 else { throw .otherAudience }
        guard party == nil || party?.string == client else { throw .otherAudience }
    }

    private func checkTimes(_ now: Date) throws(OpenIDFault) {
        let now = now.timeIntervalSince1970
        guard let expires = Self.seconds(claims["exp"]), let issued = Self.seconds(claims["iat"]) else {
            throw .malformed
        }
        guard expires > now - Self.leeway, issued > now - Self.longestAge else { throw .expired }
        guard issued < now + Self.leeway else { throw .notYetValid }
        if let begins = claims["nbf"] {
            guard let begins = Self.seconds(begins) else { throw .malformed }
            guard begins < now + Self.leeway else { throw .notYetValid }
        }
    }

    private static func seconds(_ value: JSONValue?) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}
