internal import CSecp256k1

/// A private key on the curve secp256k1 that signs as Nostr does (BIP-340).
///
/// The corresponding C functions are `secp256k1_keypair_create`, `secp256k1_schnorrsig_sign32` and
/// `secp256k1_schnorrsig_verify` of libsecp256k1 0.2.0, Debian 12's.
package struct SchnorrKey: Sendable {
    /// The bytes of a private and of a public key.
    package static let keyBytes = 32
    /// The bytes of a signature.
    package static let signatureBytes = 64

    /// The x coordinate of the public point, 32 bytes.
    package let publicKey: [UInt8]
    /// 32 bytes.
    package let secret: Secret<[UInt8]>

    /// A new random key.
    package init() throws(CryptoError) {
        // One in some 2^127 random numbers is no key, and throws.
        try self.init(Secret(randomBytes(count: Self.keyBytes)))
    }

    /// The key of 32 bytes.
    ///
    /// - Throws: `.malformed` for another count, for 0, and for a number that is not below the order of the curve.
    package init(_ secret: Secret<[UInt8]>) throws(CryptoError) {
        var pair = try Self.pair(of: secret)
        var point = secp256k1_xonly_pubkey()
        var bytes = [UInt8](repeating: 0, count: Self.keyBytes)
        guard secp256k1_keypair_xonly_pub(Curve.context, &point, nil, &pair) == 1,
            secp256k1_xonly_pubkey_serialize(Curve.context, &bytes, &point) == 1
        else { throw .malformed }
        (self.secret, publicKey) = (secret, bytes)
    }

    /// The signature of a SHA-256 or other 32 bytes: 64 bytes. Of `random` 32 bytes are mixed into the nonce; tests alone give their own.
    ///
    /// - Throws: `.malformed` for other counts.
    package func sign(_ digest: [UInt8], random: [UInt8]? = nil) throws(CryptoError) -> [UInt8] {
        let random = random ?? randomBytes(count: Self.keyBytes)
        guard digest.count == 32, random.count == 32 else { throw .malformed }
        var pair = try Self.pair(of: secret)
        var signature = [UInt8](repeating: 0, count: Self.signatureBytes)
        guard secp256k1_schnorrsig_sign32(Curve.context, &signature, digest, &pair, random) == 1 else {
            throw .malformed
        }
        return signature
    }

    /// Whether `signature` is one of `message` by the owner of `publicKey`; false for keys that are none.
    package static func isSignature(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
        var point = secp256k1_xonly_pubkey()
        guard signature.count == signatureBytes, publicKey.count == keyBytes,
            secp256k1_xonly_pubkey_parse(Curve.context, &point, publicKey) == 1
        else { return false }
        return secp256k1_schnorrsig_verify(Curve.context, signature, message, message.count, &point) == 1
    }

    private static func pair(of secret: Secret<[UInt8]>) throws(CryptoError) -> secp256k1_keypair {
        let secret = secret.reveal()
        var pair = secp256k1_keypair()
        guard secret.count == keyBytes, secp256k1_keypair_create(Curve.context, &pair, secret) == 1 else {
            throw .malformed
        }
        return pair
    }
}

/// The library's context.
private enum Curve {
    // Made and blinded once; afterwards it is read alone, by any thread (secp256k1.h, "context objects").
    nonisolated(unsafe) static let context: OpaquePointer = {
        guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE)),
            secp256k1_context_randomize(context, randomBytes(count: 32)) == 1
        else { fatalError("libsecp256k1 could not be set up.") }
        return context
    }()
}
