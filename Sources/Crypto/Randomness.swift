internal import CCrypto

/// `count` bytes that nobody can guess (OpenSSL 3 manual, RAND_bytes).
///
/// A system without randomness ends the process: there is no safe way to go on.
package func randomBytes(count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        guard RAND_bytes(buffer.baseAddress, Int32(count)) == 1 else { fatalError("The system has no randomness.") }
        initialized = count
    }
}

/// A new token of 256 random bits: `prefix`, `_` and 43 characters of base64url.
///
/// The prefix lets people and secret scanners see what a leaked token is for. Only its SHA-256 is to be stored.
package func makeToken(prefix: String) -> Secret<String> {
    Secret("\(prefix)_\(Base64URL.encode(randomBytes(count: 32)))")
}
