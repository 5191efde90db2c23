internal import CCrypto

/// One AES-256-GCM encryption or decryption.
///
/// The corresponding C functions are `EVP_CipherInit_ex2`, `EVP_CipherUpdate`, `EVP_CipherFinal_ex` and
/// `EVP_CIPHER_CTX_ctrl` (OpenSSL 3 manual, EVP_EncryptInit, "AEAD Interface").
struct CipherContext: ~Copyable {
    private let pointer: OpaquePointer

    init(key: [UInt8], nonce: [UInt8], encrypts: Bool) throws(CryptoError) {
        guard let pointer = EVP_CIPHER_CTX_new() else { throw .library("make a cipher") }
        // 12 bytes are the nonce length that GCM has unless told otherwise.
        guard EVP_CipherInit_ex2(pointer, EVP_aes_256_gcm(), key, nonce, encrypts ? 1 : 0, nil) == 1 else {
            EVP_CIPHER_CTX_free(pointer)
            throw .library("start a cipher")
        }
        self.pointer = pointer
    }

    deinit { EVP_CIPHER_CTX_free(pointer) }

    /// Adds bytes that are authenticated but not encrypted; before `process`.
    func authenticate(_ bytes: [UInt8]) throws(CryptoError) {
        var length: Int32 = 0
        guard EVP_CipherUpdate(pointer, nil, &length, bytes, Int32(bytes.count)) == 1 else {
            throw .library("authenticate a context")
        }
    }

    /// Encrypts or decrypts all bytes at once; decrypted ones must not be used before `check(tag:)`.
    func process(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        // An empty array may have no address, and without one for the output the bytes would be taken for context.
        guard !bytes.isEmpty else { return [] }
        var result = [UInt8](repeating: 0, count: bytes.count)
        var length: Int32 = 0
        guard EVP_CipherUpdate(pointer, &result, &length, bytes, Int32(bytes.count)) == 1 else {
            throw .library("use a cipher")
        }
        return result
    }

    /// Ends an encryption.
    func makeTag(count: Int) throws(CryptoError) -> [UInt8] {
        var rest: [UInt8] = [0]
        var length: Int32 = 0
        var tag = [UInt8](repeating: 0, count: count)
        guard EVP_CipherFinal_ex(pointer, &rest, &length) == 1,
            EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, Int32(count), &tag) == 1
        else { throw .library("make a tag") }
        return tag
    }

    /// Ends a decryption.
    ///
    /// - Throws: `notAuthentic` when the bytes, the context or the tag are not those of the encryption.
    func check(tag: [UInt8]) throws(CryptoError) {
        var tag = tag
        var rest: [UInt8] = [0]
        var length: Int32 = 0
        guard EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1 else {
            throw .library("set a tag")
        }
        guard EVP_CipherFinal_ex(pointer, &rest, &length) == 1 else {
            ERR_clear_error()
            throw .notAuthentic
        }
    }
}
