package import Crypto
// For NFC as the standard library compares strings by it; see `NormalizedCaption`.
@_spi(_Unicode) internal import Swift

/// A password as typed.
///
/// Any characters are allowed and none is demanded; only its length counts (NIST SP 800-63B, section 5.1.1.2). It is taken in
/// NFC, so that two keyboards that write an accent differently mean the same password.
package struct Password: Sendable {
    /// The fewest code points of a new one.
    package static let minimumCount = 10
    /// The most bytes of UTF-8, far above the 64 characters that have to be allowed.
    package static let maximumBytes = 1024

    /// The bytes that are hashed.
    package let text: Secret<String>

    /// Nil when it is empty or longer than anybody types.
    package init?(_ entered: String) {
        guard 1...Self.maximumBytes ~= entered.utf8.count else { return nil }
        text = Secret(String(String.UnicodeScalarView(entered._nfc)))
    }

    /// Whether it may become somebody's: it is not too short.
    package var isLongEnough: Bool { text.reveal().unicodeScalars.count >= Self.minimumCount }
}
