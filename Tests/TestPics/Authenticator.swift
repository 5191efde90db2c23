internal import Crypto
package import HTTP

/// An authenticator with one passkey, as a telephone has: it writes what browsers pass on.
package struct Authenticator: Sendable {
    /// What it says of each act.
    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let present = Flags(rawValue: 1)
        package static let verified = Flags(rawValue: 4)
        package static let backupEligible = Flags(rawValue: 8)
    }

    package let credentialID: [UInt8]
    private let key: SigningKey
    package var origin: String
    package var site: String
    /// Before the next act; stays 0 where it has no counter.
    package var signCount: UInt32
    package var flags: Flags = [.present, .verified]

    package init(origin: String, site: String, signCount: UInt32 = 0) throws {
        self.origin = origin
        self.site = site
        self.signCount = signCount
        credentialID = randomBytes(count: 32)
        key = try SigningKey()
    }

    private func clientData(_ type: String, _ challenge: String) -> [UInt8] {
        JSONValue.object(
            JSONObject([
                ("type", .string(type)), ("challenge", .string(challenge)), ("origin", .string(origin)),
                ("crossOrigin", .bool(false)),
            ])
        ).serialized
    }

    private func data(_ more: UInt8 = 0) -> [UInt8] {
        SHA256Digest(of: site).bytes + [flags.rawValue | more]
            + withUnsafeBytes(of: signCount.bigEndian) { Array($0) }
    }

    /// The fields of the form of a registration.
    package func register(_ challenge: String) -> FormFields {
        let coordinates = key.publicPoint.dropFirst()
        let cose: [UInt8] =
            [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32] + coordinates.prefix(32)
            + [0x22, 0x58, 32] + coordinates.suffix(32)
        let authData =
            data(0x40) + [UInt8](repeating: 0, count: 16) + [0, UInt8(credentialID.count)] + credentialID + cose
        let object: [UInt8] =
            [0xA3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8) + [0x67] + Array("attStmt".utf8) + [
                0xA0, 0x68,
            ]
            + Array("authData".utf8) + [0x58, UInt8(authData.count)] + authData
        return [
            "client_data": Base64URL.encode(clientData("webauthn.create", challenge)),
            "attestation_object": Base64URL.encode(object),
        ]
    }

    /// The fields of the form of a sign-in.
    package mutating func signIn(_ challenge: String, user: [UInt8]) throws -> FormFields {
        if signCount > 0 { signCount += 1 }
        let (clientData, authData) = (clientData("webauthn.get", challenge), data())
        let signature = try key.sign(authData + SHA256Digest(of: clientData).bytes)
        return [
            "id": Base64URL.encode(credentialID), "client_data": Base64URL.encode(clientData),
            "authenticator_data": Base64URL.encode(authData), "signature": Base64URL.encode(Self.der(signature)),
            "user_handle": Base64URL.encode(user),
        ]
    }

    /// Two numbers as a structure of ASN.1.
    private static func der(_ signature: [UInt8]) -> [UInt8] {
        let numbers = [signature.prefix(32), signature.suffix(32)].flatMap { half -> [UInt8] in
            let trimmed = Array(half.drop { $0 == 0 })
            let number = (trimmed.first ?? 0x80) >= 0x80 ? [0] + trimmed : trimmed
            return [0x02, UInt8(number.count)] + number
        }
        return [0x30, UInt8(numbers.count)] + numbers
    }
}
