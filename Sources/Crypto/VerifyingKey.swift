internal import CCrypto

/// The public key of somebody who signs: a passkey, or an issuer of tokens.
package struct VerifyingKey: Sendable, Equatable {
    /// How it signs, by the names of JOSE (RFC 7518, section 3.1; RFC 8037, section 3.1).
    package enum Algorithm: String, Sendable {
        /// ECDSA on P-256 with SHA-256.
        case es256 = "ES256"
        /// Ed25519.
        case edDSA = "EdDSA"
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        case rs256 = "RS256"

        /// By its name in a key or a token; Ed25519 has two (RFC 9864, section 2.2).
        package init?(jose name: String) { self.init(rawValue: name == "Ed25519" ? Self.edDSA.rawValue : name) }
    }

    package let algorithm: Algorithm
    /// A `SubjectPublicKeyInfo` in DER (RFC 5280, section 4.1.2.7).
    private let info: [UInt8]

    /// The key at a point of P-256, whose coordinates have 32 bytes each.
    ///
    /// - Throws: `malformed` when it is no point of the curve.
    package init(p256 x: [UInt8], _ y: [UInt8]) throws(CryptoError) {
        guard x.count == 32, y.count == 32 else { throw .malformed }
        // id-ecPublicKey, prime256v1 (RFC 5480, section 2.1.1).
        let algorithm = DER.sequence([
            DER.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]),
            DER.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]),
        ])
        try self.init(.es256, DER.sequence([algorithm, DER.bits([4] + x + y)]))
    }

    /// The key of 32 bytes on edwards25519.
    ///
    /// - Throws: `malformed`.
    package init(ed25519 key: [UInt8]) throws(CryptoError) {
        guard key.count == 32 else { throw .malformed }
        // id-Ed25519 (RFC 8410, section 3).
        try self.init(.edDSA, DER.sequence([DER.sequence([DER.identifier([0x2B, 0x65, 0x70])]), DER.bits(key)]))
    }

    /// The key of a modulus of 2,048 to 4,096 bits and an exponent of at most 32, without zeros before them.
    ///
    /// - Throws: `malformed`.
    package init(rsa modulus: [UInt8], _ exponent: [UInt8]) throws(CryptoError) {
        guard 256...512 ~= modulus.count, let first = modulus.first, modulus.count > 256 || first >= 0x80,
            first != 0, let last = modulus.last, last & 1 == 1, 1...4 ~= exponent.count, exponent[0] != 0,
            exponent[exponent.count - 1] & 1 == 1, exponent != [1]
        else { throw .malformed }
        // rsaEncryption (RFC 3279, section 2.3.1).
        let algorithm = DER.sequence([
            DER.identifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]), [0x05, 0x00],
        ])
        let numbers = DER.sequence([DER.integer(modulus), DER.integer(exponent)])
        try self.init(.rs256, DER.sequence([algorithm, DER.bits(numbers)]))
    }

    private init(_ algorithm: Algorithm, _ info: [UInt8]) throws(CryptoError) {
        self.algorithm = algorithm
        self.info = info
        _ = try InfoHandle(info)
    }

    /// Whether the owner of the key has signed `message`. A signature of ECDSA is in DER, as those of WebAuthn are.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        guard signature.count <= 1024, let key = try? InfoHandle(info), let context = EVP_MD_CTX_new() else {
            return false
        }
        defer { EVP_MD_CTX_free(context) }
        let digest = algorithm == .edDSA ? nil : EVP_sha256()
        return EVP_DigestVerifyInit(context, nil, digest, nil, key.pointer) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// As `verifies`, for a signature of JOSE, where that of ECDSA is two numbers of 32 bytes (RFC 7518, section 3.4).
    package func verifiesJOSE(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard algorithm == .es256 else { return verifies(signature, of: message) }
        guard signature.count == 64 else { return false }
        let halves = [signature.prefix(32), signature.suffix(32)].map { half in
            DER.integer(Array(half.drop { $0 == 0 }))
        }
        return verifies(DER.sequence(halves), of: message)
    }
}

/// A public key, freed once.
private struct InfoHandle: ~Copyable {
    let pointer: OpaquePointer

    /// - Throws: `malformed` for what is no key, such as a point beside the curve.
    init(_ info: [UInt8]) throws(CryptoError) {
        let key = info.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_PUBKEY(nil, &start, bytes.count)
        }
        guard let key else {
            ERR_clear_error()
            throw .malformed
        }
        pointer = key
    }

    deinit { EVP_PKEY_free(pointer) }
}

/// The few structures of a public key in DER (X.690).
private enum DER {
    static func sequence(_ parts: [[UInt8]]) -> [UInt8] { value(0x30, Array(parts.joined())) }

    static func identifier(_ content: [UInt8]) -> [UInt8] { value(0x06, content) }

    static func bits(_ content: [UInt8]) -> [UInt8] { value(0x03, [0] + content) }

    /// A number that is not negative; empty for zero.
    static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        let isPlain = magnitude.first.map { $0 < 0x80 } ?? false
        return value(0x02, isPlain ? magnitude : [0] + magnitude)
    }

    private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case ..<128: [UInt8(count)]
            case ..<256: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8), UInt8(count & 255)]
            }
        return [tag] + length + content
    }
}
