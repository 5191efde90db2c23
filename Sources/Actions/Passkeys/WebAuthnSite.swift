internal import Crypto
internal import Formats
internal import HTTP

/// The site that passkeys are for: the relying party of WebAuthn.
package struct WebAuthnSite: Sendable, Equatable {
    /// The domain, which an authenticator binds a passkey to.
    package let id: String
    /// Scheme, host and port of the pages.
    package let origin: String

    /// The site with this base address. Nil where browsers have no passkeys: without HTTPS, but for `localhost`, and at an address without a name
    /// (Web Authentication level 3, section 5.1.3).
    package init?(base: String) {
        guard let scheme = base.firstRange(of: "://") else { return nil }
        let rest = base[scheme.upperBound...].prefix { $0 != "/" }
        let host = rest.prefix { $0 != ":" }.lowercased()
        let isLocal = host == "localhost" || host.hasSuffix(".localhost")
        guard base.hasPrefix("https://") || (base.hasPrefix("http://") && isLocal),
            host.split(separator: ".").last?.contains(where: { !$0.isNumber }) == true,
            host.utf8.allSatisfy({ $0 < 0x80 }), !rest.hasPrefix("[")
        else { return nil }
        id = host
        let isUsual = rest.hasSuffix(":443") && base.hasPrefix("https://") || rest.hasSuffix(":80") && isLocal
        let shown = isUsual ? rest.prefix { $0 != ":" } : rest
        origin = base[..<scheme.upperBound] + shown.lowercased()
    }

    /// What the authenticator hashes.
    var idHash: [UInt8] { SHA256Digest(of: id).bytes }
}

/// Why an answer of an authenticator does not count. It never holds what came.
package enum WebAuthnFault: String, Error, Sendable {
    /// It is not what authenticators and browsers write.
    case malformed
    /// It was made for another act, such as a sign-in rather than a registration.
    case otherType
    case otherChallenge
    case otherOrigin
    /// It was made in a frame of another site.
    case crossOrigin
    case otherSite
    /// Nobody has touched the authenticator, or it has not made sure who did.
    case notVerified
    /// The key is of a kind that Pics does not take.
    case unknownKey
    case wrongSignature
    /// The counter has not gone up: there may be a copy of the authenticator.
    case usedCounter
    /// The passkey is of another user, or of another kind than it was.
    case otherPasskey
}

/// What the browser says that was signed (section 5.8.1).
struct CollectedClientData {
    enum Act: String {
        case create = "webauthn.create"
        case get = "webauthn.get"
    }

    static let mostBytes = 4096

    let challenge: [UInt8]
    let hash: [UInt8]

    /// Reads it, and checks all but the challenge.
    init(_ json: [UInt8], for act: Act, at site: WebAuthnSite) throws(WebAuthnFault) {
        guard json.count <= Self.mostBytes, let value = try? JSONValue(parsing: json),
            let type = value["type"]?.string, let origin = value["origin"]?.string,
            let challenge = value["challenge"]?.string.flatMap(Base64URL.decode)
        else { throw .malformed }
        guard type == act.rawValue else { throw .otherType }
        guard origin == site.origin else { throw .otherOrigin }
        if value["crossOrigin"] == .bool(true) || value["topOrigin"] != nil { throw .crossOrigin }
        self.challenge = challenge
        hash = SHA256Digest(of: json).bytes
    }
}

/// What the authenticator signs (section 6.1).
struct AuthenticatorData {
    private static let (hashCount, headCount, idCountLimit) = (32, 37, 1023)

    let isVerified: Bool
    let isBackupEligible: Bool
    let signCount: UInt32
    /// Of a registration.
    let credential: (id: [UInt8], publicKey: [UInt8])?

    /// Reads it, and checks that it is for `site`, and that a person was there.
    init(_ bytes: [UInt8], at site: WebAuthnSite) throws(WebAuthnFault) {
        guard bytes.count >= Self.headCount else { throw .malformed }
        guard Array(bytes.prefix(Self.hashCount)) == site.idHash else { throw .otherSite }
        let flags = bytes[Self.hashCount]
        func has(_ bit: UInt8) -> Bool { flags & 1 << bit != 0 }
        guard has(0) else { throw .notVerified }
        isVerified = has(2)
        isBackupEligible = has(3)
        // What is backed up can be.
        guard has(3) || !has(4) else { throw .malformed }
        signCount = bytes[33..<Self.headCount].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = bytes.dropFirst(Self.headCount)
        if has(6) {
            credential = try Self.credential(&rest)
        } else {
            credential = nil
        }
        if has(7) {
            guard let (value, count) = try? CBOR.first(in: rest), case .map = value else { throw .malformed }
            rest = rest.dropFirst(count)
        }
        guard rest.isEmpty else { throw .malformed }
    }

    /// AAGUID, length, identifier and key (section 6.5.2).
    private static func credential(
        _ rest: inout ArraySlice<UInt8>
    ) throws(WebAuthnFault) -> (id: [UInt8], publicKey: [UInt8]) {
        let (modelCount, lengthCount) = (16, 2)
        guard rest.count >= modelCount + lengthCount else { throw .malformed }
        let count = rest.dropFirst(modelCount).prefix(lengthCount).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(modelCount + lengthCount)
        guard 1...idCountLimit ~= count, rest.count > count else { throw .malformed }
        let id = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        guard let (_, length) = try? CBOR.first(in: rest) else { throw .malformed }
        defer { rest = rest.dropFirst(length) }
        return (id, Array(rest.prefix(length)))
    }
}
