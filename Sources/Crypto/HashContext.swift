internal import CCrypto

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
