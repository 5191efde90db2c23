/// Content that is encrypted as `aes128gcm` (RFC 8188), in a single record.
package struct EncryptedContent: Sendable {
    private static let (saltCount, keyCount, nonceCount, tagCount) = (16, 16, 12, 16)
    /// The bytes of a record at most; a single one may be shorter.
    private static let recordSize: UInt32 = 4096

    /// Header and record.
    package let bytes: [UInt8]

    /// Encrypts `content`.
    ///
    /// - Parameters:
    ///   - content: What to encrypt.
    ///   - size: The bytes that content, delimiter and padding have together, so that the length of the content does not show.
    ///   - secret: The input keying material.
    ///   - salt: 16 bytes, random unless a test says otherwise.
    ///   - keyID: Tells the receiver which secret it is; at most 255 bytes.
    /// - Throws: `malformed` when the content does not fit.
    init(
        _ content: [UInt8], paddedTo size: Int, secret: [UInt8], salt: [UInt8], keyID: [UInt8]
    ) throws(CryptoError) {
        guard content.count < size, size + Self.tagCount <= Self.recordSize, salt.count == Self.saltCount,
            keyID.count <= 255
        else { throw .malformed }
        let keys = Keys(secret: secret, salt: salt)
        let cipher = try CipherContext(key: keys.key, nonce: keys.nonce, encrypts: true)
        // The delimiter of a last record, then zeros (section 2).
        let padding = [2] + [UInt8](repeating: 0, count: size - content.count - 1)
        let record = try cipher.process(content + padding)
        let header =
            salt + withUnsafeBytes(of: Self.recordSize.bigEndian) { Array($0) } + [UInt8(keyID.count)] + keyID
        bytes = header + record + (try cipher.makeTag(count: Self.tagCount))
    }

    /// What a record is encrypted with (sections 2.2 and 2.3); the nonce is the first record's.
    struct Keys {
        let key: [UInt8]
        let nonce: [UInt8]

        init(secret: [UInt8], salt: [UInt8]) {
            func derive(_ label: String, _ count: Int) -> [UInt8] {
                HKDF.sha256(secret, salt: salt, info: Array("Content-Encoding: \(label)\0".utf8), count: count)
            }
            key = derive("aes128gcm", EncryptedContent.keyCount)
            nonce = derive("nonce", EncryptedContent.nonceCount)
        }
    }
}

/// Derives keys from a secret (RFC 5869).
package enum HKDF {
    /// The first `count` bytes, at most 32, of HKDF-SHA256.
    package static func sha256(_ secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        precondition(count <= 32)
        return Array(HMAC.sha256(info + [1], key: HMAC.sha256(secret, key: salt)).prefix(count))
    }
}

/// The keys of a browser that takes pushed messages (RFC 8291, section 3.1).
package struct PushRecipient: Sendable {
    /// The bytes of the secret.
    package static let secretCount = 16

    /// Its point on P-256, 65 bytes; named `p256dh` in browsers.
    package let publicPoint: [UInt8]
    /// The secret that messages prove to know; named `auth` in browsers.
    private let secret: Secret<[UInt8]>

    /// - Throws: `malformed` for what is no point of the curve, or no secret of 16 bytes.
    package init(publicPoint: [UInt8], secret: Secret<[UInt8]>) throws(CryptoError) {
        guard secret.reveal().count == Self.secretCount else { throw .malformed }
        _ = try PublicKeyHandle(point: publicPoint)
        self.publicPoint = publicPoint
        self.secret = secret
    }

    /// Encrypts a message for this browser, with a key of its own (RFC 8291, section 3.4).
    ///
    /// - Parameters:
    ///   - message: What to encrypt.
    ///   - size: As `EncryptedContent` pads it.
    ///   - key: The message's key; new unless a test says otherwise.
    ///   - salt: As `EncryptedContent` takes it.
    /// - Returns: The message with its header.
    /// - Throws: `malformed` when the message does not fit.
    package func encrypt(
        _ message: [UInt8], paddedTo size: Int, key: SigningKey? = nil, salt: [UInt8]? = nil
    ) throws(CryptoError) -> EncryptedContent {
        let key = if let key { key } else { try SigningKey() }
        let info = Array("WebPush: info\0".utf8) + publicPoint + key.publicPoint
        let keying = HKDF.sha256(
            try key.sharedSecret(with: publicPoint), salt: secret.reveal(), info: info, count: 32)
        return try EncryptedContent(
            message, paddedTo: size, secret: keying, salt: salt ?? randomBytes(count: 16), keyID: key.publicPoint)
    }
}
