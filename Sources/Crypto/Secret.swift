internal import CCrypto

/// A value that never shows itself: not in a log, an error, a debugger's print or a mirror.
///
/// It also has no coding, so that it cannot slip into JSON. Code that needs the value says so with `reveal()`.
package struct Secret<Value: Sendable>: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let value: Value

    /// Hides `value`.
    package init(_ value: Value) { self.value = value }

    /// The value itself, for the one place that uses it.
    package func reveal() -> Value { value }

    package var description: String { "[secret]" }

    package var debugDescription: String { "[secret]" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Equality for tests and for noticing a change; to check what a client sent, use `isEqualInConstantTime`.
extension Secret: Equatable where Value: Equatable {}

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
