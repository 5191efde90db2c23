internal import CCrypto

/// A private key on the curve P-256 that signs as ES256 (RFC 7518, section 3.4), or agrees on a secret with another.
///
/// `@unchecked Sendable`: libcrypto reads the key, which nobody changes (OpenSSL 3 manual, openssl-threads).
package final class SigningKey: @unchecked Sendable {
    /// The bytes of each coordinate and of each half of a signature.
    private static let width = 32

    let pointer: OpaquePointer
    /// The public point: 0x04, then both coordinates, 65 bytes in all (SEC 1, section 2.3.3).
    package let publicPoint: [UInt8]

    /// A new random key.
    package convenience init() throws(CryptoError) {
        guard let generator = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw .library("make a key") }
        defer { EVP_PKEY_CTX_free(generator) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(generator) == 1, EVP_PKEY_CTX_set_group_name(generator, "P-256") == 1,
            EVP_PKEY_generate(generator, &key) == 1, let key
        else { throw .library("make a key") }
        try self.init(owning: key)
    }

    /// The key that `pem` has written.
    ///
    /// - Throws: `malformed` when it holds no key on P-256.
    package convenience init(pem: Secret<String>) throws(CryptoError) {
        let bytes = Array(pem.reveal().utf8)
        guard let file = BIO_new_mem_buf(bytes, Int32(bytes.count)) else { throw .library("read a key") }
        defer { BIO_free(file) }
        // A key with a passphrase is none of ours, and must not ask for it on the terminal.
        guard let key = PEM_read_bio_PrivateKey(file, nil, { _, _, _, _ in -1 }, nil) else {
            ERR_clear_error()
            throw .malformed
        }
        try self.init(owning: key)
    }

    private init(owning key: OpaquePointer) throws(CryptoError) {
        pointer = key
        var point = [UInt8](repeating: 0, count: 2 * Self.width + 2)
        var count = 0
        guard
            EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, &point, point.count, &count) == 1,
            count == 2 * Self.width + 1, point[0] == 4
        else {
            ERR_clear_error()
            publicPoint = []
            throw .malformed
        }
        publicPoint = Array(point.prefix(count))
    }

    deinit { EVP_PKEY_free(pointer) }

    /// The key in PEM, as PKCS #8 without a passphrase (RFC 7468, section 10).
    package var pem: Secret<String> {
        get throws(CryptoError) {
            guard let file = BIO_new(BIO_s_mem()) else { throw .library("write a key") }
            defer { BIO_free(file) }
            guard PEM_write_bio_PrivateKey(file, pointer, nil, nil, 0, nil, nil) == 1 else {
                throw .library("write a key")
            }
            var bytes = [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(file)))
            guard BIO_read(file, &bytes, Int32(bytes.count)) == bytes.count else { throw .library("write a key") }
            return Secret(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The public key as a JSON web key in the form that is hashed for its thumbprint: members in order, without spaces
    /// (RFC 7638, section 3).
    package var publicJWK: String {
        let coordinates = publicPoint.dropFirst()
        let x = Base64URL.encode(coordinates.prefix(Self.width))
        let y = Base64URL.encode(coordinates.suffix(Self.width))
        return #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
    }

    /// The SHA-256 of `publicJWK` in base64url: 43 characters.
    package var thumbprint: String { Base64URL.encode(SHA256Digest(of: publicJWK).bytes) }

    /// The signature of `message`: 64 bytes.
    package func sign(_ message: some Collection<UInt8>) throws(CryptoError) -> [UInt8] {
        try fixedWidth(try signDER(Array(message)))
    }

    private func signDER(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw .library("sign") }
        defer { EVP_MD_CTX_free(context) }
        var count = 0
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pointer) == 1,
            EVP_DigestSign(context, nil, &count, message, message.count) == 1
        else { throw .library("sign") }
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else { throw .library("sign") }
        return Array(signature.prefix(count))
    }

    /// Two numbers of fixed width one after the other, instead of a structure of ASN.1.
    private func fixedWidth(_ signature: [UInt8]) throws(CryptoError) -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        let parsed = signature.withUnsafeBufferPointer { bytes in
            start = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &start, bytes.count)
        }
        guard let parsed else { throw .library("sign") }
        defer { ECDSA_SIG_free(parsed) }
        var halves = [UInt8](repeating: 0, count: 2 * Self.width)
        let isWritten = halves.withUnsafeMutableBufferPointer { halves in
            BN_bn2binpad(ECDSA_SIG_get0_r(parsed), halves.baseAddress, Int32(Self.width)) == Self.width
                && BN_bn2binpad(
                    ECDSA_SIG_get0_s(parsed), halves.baseAddress.map { $0 + Self.width }, Int32(Self.width))
                    == Self.width
        }
        guard isWritten else { throw .library("sign") }
        return halves
    }
}
