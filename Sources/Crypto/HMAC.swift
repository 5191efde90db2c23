internal import CCrypto

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
