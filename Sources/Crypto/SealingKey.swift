internal import CCrypto

/// The identifier of a sealing key: the first 4 bytes of a hash of the key.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    /// 4 of them; they stand behind the version in what the key seals.
    package let bytes: [UInt8]

    /// 8 hexadecimal digits.
    package var description: String { Hex.encode(bytes) }
}

/// A key that seals bytes so that only its owner can read them, and nobody can change them unnoticed.
///
/// AES-256-GCM (NIST SP 800-38D). Sealed bytes are: 1 byte version (1), 4 bytes key ID, 12 bytes random nonce, the
/// cipher text, 16 bytes tag. Version, key ID and context are authenticated. With random nonces one key may seal 2³²
/// times (section 8.3).
package struct SealingKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The bytes of a key.
    package static let byteCount = 32

    /// Which key this is; it tells nothing about the key.
    package let id: KeyID
    private let key: [UInt8]

    /// A key of these 32 bytes, `nil` for another count.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(Array(bytes))
    }

    private init(_ key: [UInt8]) {
        self.key = key
        id = KeyID(bytes: Array(SHA256Digest(of: Array("sealing key".utf8) + key).bytes.prefix(4)))
    }

    /// The key of a passphrase, by scrypt (RFC 7914) with N = 2^17, r = 8, p = 1: it takes some tenths of a second and 128 MiB.
    ///
    /// - Throws: `library` when there is no memory.
    package init(passphrase: Secret<String>, salt: [UInt8]) throws(CryptoError) {
        self.init(try PasswordHash.key(of: passphrase, salt: salt, count: Self.byteCount))
    }

    /// A new random key.
    package static func random() -> SealingKey { SealingKey(randomBytes(count: byteCount)) }

    /// The key as it stands in a key file.
    var base64: String { Base64.encode(key) }

    package var description: String { "sealing key \(id)" }

    package var customMirror: Mirror { Mirror(self, children: ["id": id]) }

    /// Seals `plaintext` for `context`, the place it belongs to: `connections/0198c2…/credentials`.
    ///
    /// Sealed bytes open only with the same context, so that a row's secret cannot be moved to another row.
    package func seal(_ plaintext: some Collection<UInt8>, context: String) throws(CryptoError) -> [UInt8] {
        let header = SealedBox.header(id)
        let nonce = randomBytes(count: SealedBox.nonceCount)
        let cipher = try CipherContext(key: key, nonce: nonce, encrypts: true)
        try cipher.authenticate(header + Array(context.utf8))
        let ciphertext = try cipher.process(Array(plaintext))
        return header + nonce + ciphertext + (try cipher.makeTag(count: SealedBox.tagCount))
    }

    /// As `KeyRing.authenticationCode`, by a key of its own for each context.
    package func authenticationCode(of message: some Collection<UInt8>, context: String) -> [UInt8] {
        HMAC.sha256(message, key: HMAC.sha256(Array("authentication code: \(context)".utf8), key: key))
    }

    /// Opens what this key sealed for `context`.
    ///
    /// - Throws: `malformed`, `unknownKey` or `notAuthentic`.
    package func open(_ sealed: some Collection<UInt8>, context: String) throws(CryptoError) -> [UInt8] {
        let box = try SealedBox(Array(sealed))
        guard box.keyID == id else { throw .unknownKey(box.keyID) }
        let cipher = try CipherContext(key: key, nonce: box.nonce, encrypts: false)
        try cipher.authenticate(box.header + Array(context.utf8))
        let plaintext = try cipher.process(box.ciphertext)
        try cipher.check(tag: box.tag)
        return plaintext
    }
}

/// The parts of sealed bytes.
struct SealedBox {
    static let version: UInt8 = 1
    static let headerCount = 5
    static let nonceCount = 12
    static let tagCount = 16

    let header: [UInt8]
    let nonce: [UInt8]
    let ciphertext: [UInt8]
    let tag: [UInt8]

    var keyID: KeyID { KeyID(bytes: Array(header.dropFirst())) }

    init(_ sealed: [UInt8]) throws(CryptoError) {
        guard sealed.count >= Self.headerCount + Self.nonceCount + Self.tagCount, sealed.first == Self.version else {
            throw .malformed
        }
        let rest = sealed.dropFirst(Self.headerCount)
        header = Array(sealed.prefix(Self.headerCount))
        nonce = Array(rest.prefix(Self.nonceCount))
        ciphertext = Array(rest.dropFirst(Self.nonceCount).dropLast(Self.tagCount))
        tag = Array(rest.suffix(Self.tagCount))
    }

    static func header(_ id: KeyID) -> [UInt8] { [version] + id.bytes }
}

/// One AES-GCM encryption or decryption; a key of 16 bytes makes it AES-128.
///
/// The corresponding C functions are `EVP_CipherInit_ex2`, `EVP_CipherUpdate`, `EVP_CipherFinal_ex` and
/// `EVP_CIPHER_CTX_ctrl` (OpenSSL 3 manual, EVP_EncryptInit, "AEAD Interface").
struct CipherContext: ~Copyable {
    private let pointer: OpaquePointer

    init(key: [UInt8], nonce: [UInt8], encrypts: Bool) throws(CryptoError) {
        guard let pointer = EVP_CIPHER_CTX_new() else { throw .library("make a cipher") }
        let cipher = key.count == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm()
        // 12 bytes are the nonce length that GCM has unless told otherwise.
        guard EVP_CipherInit_ex2(pointer, cipher, key, nonce, encrypts ? 1 : 0, nil) == 1 else {
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
