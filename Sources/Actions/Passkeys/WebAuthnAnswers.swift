internal import Crypto
internal import Formats

extension VerifyingKey {
    /// The key that an authenticator has written (RFC 9052, section 7; RFC 9053, sections 2 and 7; RFC 8230, section 4).
    init(cose bytes: [UInt8]) throws(WebAuthnFault) {
        guard bytes.count <= 2048, let key = try? CBOR(bytes) else { throw .malformed }
        do {
            // The type of the key, the algorithm, the curve.
            switch (key[1]?.asInt, key[3]?.asInt, key[-1]) {
            case (2, -7, .unsigned(1)):
                try self.init(p256: key[-2]?.asBytes ?? [], key[-3]?.asBytes ?? [])
            case (1, -8, .unsigned(6)):
                try self.init(ed25519: key[-2]?.asBytes ?? [])
            case (3, -257, .bytes(let modulus)):
                try self.init(rsa: modulus, key[-2]?.asBytes ?? [])
            default: throw WebAuthnFault.unknownKey
            }
        } catch {
            throw .unknownKey
        }
    }
}

/// A new passkey, as the browser sends it (Web Authentication level 3, section 7.1).
///
/// Nothing is asked about the make of the authenticator, and what it says of that is not looked at: the attestation is `none`, or counts as that.
struct WebAuthnRegistration {
    static let mostBytes = 16 << 10

    let challenge: [UInt8]
    let credentialID: [UInt8]
    let publicKey: [UInt8]
    let signCount: UInt32
    let isVerified: Bool
    let isBackupEligible: Bool

    /// Reads an answer and checks all of it but the challenge, and whether the person was verified.
    init(clientData: [UInt8], attestationObject: [UInt8], at site: WebAuthnSite) throws(WebAuthnFault) {
        let collected = try CollectedClientData(clientData, for: .create, at: site)
        guard attestationObject.count <= Self.mostBytes, let object = try? CBOR(attestationObject),
            object["fmt"]?.asText != nil, case .map? = object["attStmt"], let bytes = object["authData"]?.asBytes
        else { throw .malformed }
        let data = try AuthenticatorData(bytes, at: site)
        guard let credential = data.credential else { throw .malformed }
        _ = try VerifyingKey(cose: credential.publicKey)
        challenge = collected.challenge
        credentialID = credential.id
        publicKey = credential.publicKey
        signCount = data.signCount
        isVerified = data.isVerified
        isBackupEligible = data.isBackupEligible
    }
}

/// A sign-in with a passkey, as the browser sends it (section 7.2).
struct WebAuthnAssertion {
    let challenge: [UInt8]
    let signCount: UInt32
    let isVerified: Bool
    let isBackupEligible: Bool
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Reads an answer and checks all of it but the challenge, whether the person was verified, the counter and the signature.
    init(
        clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], at site: WebAuthnSite
    ) throws(WebAuthnFault) {
        let collected = try CollectedClientData(clientData, for: .get, at: site)
        guard authenticatorData.count <= WebAuthnRegistration.mostBytes else { throw .malformed }
        let data = try AuthenticatorData(authenticatorData, at: site)
        challenge = collected.challenge
        signCount = data.signCount
        isVerified = data.isVerified
        isBackupEligible = data.isBackupEligible
        signed = authenticatorData + collected.hash
        self.signature = signature
    }

    /// Whether the passkey with this key, as its authenticator has written it, has signed the answer.
    func isSigned(by publicKey: [UInt8]) throws(WebAuthnFault) -> Bool {
        try VerifyingKey(cose: publicKey).verifies(signature, of: signed)
    }
}
