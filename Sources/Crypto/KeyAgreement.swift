internal import CCrypto

extension SigningKey {
    /// The secret that this key and the owner of `point` alone can compute (SEC 1, section 3.3.1): 32 bytes.
    ///
    /// - Throws: `malformed` when `point` is none of the curve.
    package func sharedSecret(with point: [UInt8]) throws(CryptoError) -> [UInt8] {
        let peer = try PublicKeyHandle(point: point)
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { throw .library("agree on a secret") }
        defer { EVP_PKEY_CTX_free(context) }
        var secret = [UInt8](repeating: 0, count: 32)
        var count = secret.count
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, peer.pointer) == 1,
            EVP_PKEY_derive(context, &secret, &count) == 1, count == secret.count
        else { throw .library("agree on a secret") }
        return secret
    }
}

/// A public key on P-256, freed once.
struct PublicKeyHandle: ~Copyable {
    /// What comes before the point in the structure that libcrypto reads (RFC 5480, section 2).
    private static let prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    let pointer: OpaquePointer

    /// The key at an uncompressed point of 65 bytes.
    ///
    /// - Throws: `malformed` when it is no point of the curve.
    init(point: [UInt8]) throws(CryptoError) {
        guard point.count == 65, point[0] == 4 else { throw .malformed }
        let bytes = Self.prefix + point
        let key = bytes.withUnsafeBufferPointer { bytes in
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
