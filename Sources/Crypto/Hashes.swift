internal import CCrypto

/// The SHA-256 of some bytes (FIPS 180-4): always 32 bytes.
package struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes.
    package let bytes: [UInt8]

    /// The digest of `content`.
    package init(of content: some Collection<UInt8>) {
        bytes = HashAlgorithm.sha256.hash(of: content)
    }

    /// The digest of the UTF-8 of `text`.
    package init(of text: String) { self.init(of: text.utf8) }

    /// A digest from its 32 bytes, `nil` for another count.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }

    /// A digest from its 64 hexadecimal digits, `nil` for any other text.
    package init?(hex: String) {
        guard let bytes = Hex.decode(hex) else { return nil }
        self.init(bytes: bytes)
    }

    init(finishing context: consuming HashContext) { bytes = context.finish() }

    /// 64 small hexadecimal digits.
    package var hex: String { Hex.encode(bytes) }

    /// 44 characters of base64.
    package var base64: String { Base64.encode(bytes) }

    package var description: String { hex }
}

/// A SHA-256 of bytes that come in pieces; pieces of 16 KiB and more are hashed fastest.
package struct SHA256: ~Copyable {
    private var context: HashContext

    /// The hash of nothing yet.
    package init() { context = HashContext(.sha256) }

    /// Adds `bytes`.
    package mutating func update(_ bytes: some Collection<UInt8>) { context.update(bytes) }

    /// The digest of all bytes.
    package consuming func finish() -> SHA256Digest { SHA256Digest(finishing: context) }
}

/// Authenticates a message with a key (RFC 2104).
package enum HMAC {
    /// HMAC-SHA256, 32 bytes.
    package static func sha256(_ message: some Collection<UInt8>, key: some Collection<UInt8>) -> [UInt8] {
        code(.sha256, message, key)
    }

    /// HMAC-SHA1, 20 bytes, as OAuth 1.0a signs (RFC 5849, section 3.4.2).
    package static func sha1(_ message: some Collection<UInt8>, key: some Collection<UInt8>) -> [UInt8] {
        code(.sha1, message, key)
    }

    private static func code(
        _ algorithm: HashAlgorithm, _ message: some Collection<UInt8>, _ key: some Collection<UInt8>
    ) -> [UInt8] {
        // A null key would mean the key of an earlier call; a zero byte gives the empty key an address. Keys are padded
        // with zeros anyway (RFC 2104, section 2), so that it changes nothing.
        let key = key.isEmpty ? [0] : Array(key)
        return withContiguousBytes(of: message) { message in
            [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
                var length: UInt32 = 0
                let result = CCrypto.HMAC(
                    algorithm.method, key, Int32(key.count), message.baseAddress, message.count, buffer.baseAddress,
                    &length)
                // It fails only without memory.
                precondition(result != nil, "libcrypto could not authenticate a message")
                count = Int(length)
            }
        }
    }
}

/// Whether two byte strings are equal, in a time that does not tell where they differ; only their lengths may show.
package func isEqualInConstantTime(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    withContiguousBytes(of: left) { left in
        withContiguousBytes(of: right) { right in
            left.count == right.count && CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
        }
    }
}

/// The hash functions that protocols ask for.
package enum HashAlgorithm: Sendable {
    /// SHA-256 (FIPS 180-4), 32 bytes.
    case sha256
    /// SHA-1 (FIPS 180-4), 20 bytes; no longer safe against collisions, only for protocols that demand it.
    case sha1
    /// MD5 (RFC 1321), 16 bytes; broken, only for protocols that name things by it.
    case md5

    /// The hash of `bytes`.
    package func hash(of bytes: some Collection<UInt8>) -> [UInt8] {
        var context = HashContext(self)
        context.update(bytes)
        return context.finish()
    }

    var method: OpaquePointer {
        switch self {
        case .sha256: Self.fetchedSHA256
        case .sha1: Self.fetchedSHA1
        case .md5: Self.fetchedMD5
        }
    }

    // Fetched once, as the manual advises (OpenSSL 3, crypto(7), "Explicit fetching"). An EVP_MD never changes, its
    // references are counted atomically, and these are never freed: any thread may use them.
    private nonisolated(unsafe) static let fetchedSHA256 = fetch("SHA256")
    private nonisolated(unsafe) static let fetchedSHA1 = fetch("SHA1")
    private nonisolated(unsafe) static let fetchedMD5 = fetch("MD5")

    private static func fetch(_ name: String) -> OpaquePointer {
        guard let method = EVP_MD_fetch(nil, name, nil) else { fatalError("This libcrypto has no \(name).") }
        return method
    }
}

/// A hash of bytes that come in pieces; pieces of 16 KiB and more are hashed fastest.
///
/// The corresponding C functions are `EVP_DigestInit_ex`, `EVP_DigestUpdate` and `EVP_DigestFinal_ex`. They fail only
/// without memory.
package struct HashContext: ~Copyable {
    private let pointer: OpaquePointer

    /// An empty hash.
    package init(_ algorithm: HashAlgorithm) {
        guard let pointer = EVP_MD_CTX_new(), EVP_DigestInit_ex(pointer, algorithm.method, nil) == 1 else {
            fatalError("libcrypto could not start a hash.")
        }
        self.pointer = pointer
    }

    deinit { EVP_MD_CTX_free(pointer) }

    /// Adds `bytes`.
    package mutating func update(_ bytes: some Collection<UInt8>) {
        let result = withContiguousBytes(of: bytes) { EVP_DigestUpdate(pointer, $0.baseAddress, $0.count) }
        precondition(result == 1, "libcrypto could not continue a hash")
    }

    /// The hash of all bytes.
    package consuming func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var length: UInt32 = 0
            let result = EVP_DigestFinal_ex(pointer, buffer.baseAddress, &length)
            precondition(result == 1, "libcrypto could not end a hash")
            count = Int(length)
        }
    }
}

/// Calls `body` with the bytes of `bytes` in one piece, copied only when they are not.
func withContiguousBytes<Value>(
    of bytes: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Value
) -> Value {
    bytes.withContiguousStorageIfAvailable(body) ?? Array(bytes).withUnsafeBufferPointer(body)
}
