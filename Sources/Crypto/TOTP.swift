package import FoundationEssentials

/// The one-time codes of an authenticator app: six digits that change every 30 seconds, by HMAC-SHA1, as all such apps make them.
///
/// Source: RFC 6238; the truncation: RFC 4226, section 5.3.
package struct TOTP: Sendable {
    /// The bytes of a secret, as many as a hash has (RFC 4226, section 4, R6).
    package static let secretCount = 20
    private static let digits = 6
    private static let stepSeconds = 30.0

    private let secret: Secret<[UInt8]>

    /// The codes of a secret, of `secretCount` bytes where it is ours.
    package init(secret: Secret<[UInt8]>) { self.secret = secret }

    /// The number of the step at a time; 0 before 1970.
    package static func step(at time: Date) -> Int64 {
        Int64(max(0, min(time.timeIntervalSince1970, 1e12)) / stepSeconds)
    }

    /// The code of a step: six digits.
    package func code(of step: Int64) -> String {
        let counter = withUnsafeBytes(of: step.bigEndian) { Array($0) }
        let hash = HMAC.sha1(counter, key: secret.reveal())
        let offset = Int(hash[hash.count - 1] & 0x0F)
        let number = hash[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: Self.digits - text.utf8.count) + text
    }

    /// The step whose code this is: that of `time`, or the one before or after, for clocks that differ (RFC 6238, section 5.2). Nil for a
    /// wrong code; all three are compared.
    package func step(of code: String, at time: Date) -> Int64? {
        let now = Self.step(at: time)
        var found: Int64?
        for step in [now - 1, now, now + 1]
        where step >= 0 && isEqualInConstantTime(self.code(of: step).utf8, code.utf8) {
            found = step
        }
        return found
    }
}

/// Base32 in small letters, without padding (RFC 4648, section 6), for what people type.
package enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// The text of `bytes`.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        var (buffer, bits) = (0, 0)
        for byte in bytes {
            buffer = (buffer << 8 | Int(byte)) & 0xFFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[buffer >> bits & 31])
            }
        }
        if bits > 0 { text.append(alphabet[buffer << (5 - bits) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a text has characters of it alone.
    package static func isText(_ text: String) -> Bool { text.utf8.allSatisfy { alphabet.contains($0) } }
}
