package import Crypto
package import Domain
package import Foundation

/// Addresses of the pictures of private photos for their owner's apps, which load pictures without a token.
///
/// Such an address shows the pictures of one photo to everybody until it ends, in one to two weeks. It stays the same for a week, so that apps
/// need not load a picture twice.
package struct PictureAccess: Sendable {
    private let keys: KeyRing
    private let now: @Sendable () -> Date

    private static let period: Int64 = 7 * 86_400
    private static let context = "picture access"
    /// In bytes; half a SHA-256 (RFC 2104, section 5).
    private static let codeCount = 16

    package init(keys: KeyRing, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.keys, self.now) = (keys, now)
    }

    /// The value of the parameter `access` in the address of a photo's picture.
    package func token(for code: ShortCode) -> String {
        let end = (Int64(now().timeIntervalSince1970) / Self.period + 2) * Self.period
        let mac = keys.authenticationCode(of: Self.message(code, end), context: Self.context)
        return "\(end).\(Base64URL.encode(mac.prefix(Self.codeCount)))"
    }

    /// Whether a token lets its bearer see a photo's pictures now.
    package func lets(_ token: String, see code: ShortCode) -> Bool {
        let parts = token.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let end = Int64(parts[0]), end > Int64(now().timeIntervalSince1970),
            let mac = Base64URL.decode(String(parts[1])), mac.count == Self.codeCount
        else { return false }
        return keys.isAuthenticationCode(mac, of: Self.message(code, end), context: Self.context)
    }

    private static func message(_ code: ShortCode, _ end: Int64) -> [UInt8] { Array("\(code) \(end)".utf8) }
}
