package import Crypto
package import Domain
package import FoundationEssentials

/// Addresses of the pictures of private photos for their owner's apps, which load pictures without a token.
///
/// Such an address shows the pictures of one photo to everybody until it ends, in one to two weeks. It stays the same for a week, so that apps
/// need not load a picture twice. Beside them, links to one picture that an owner hands over.
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
        isGood(token, context: Self.context) { Self.message(code, $0) }
    }

    // MARK: Links that an owner hands over

    private static let linkContext = "picture link"

    /// The value of the parameter `link` in the address of one picture of a photo, or of its video, which everybody may open until it ends.
    package func link(to file: String, of code: ShortCode, until end: Date) -> String {
        let end = Int64(end.timeIntervalSince1970)
        let mac = keys.authenticationCode(of: Self.message(code, end, file), context: Self.linkContext)
        return "\(end).\(Base64URL.encode(mac.prefix(Self.codeCount)))"
    }

    /// Whether a link lets its bearer open a picture now.
    package func lets(_ link: String, open file: String, of code: ShortCode) -> Bool {
        isGood(link, context: Self.linkContext) { Self.message(code, $0, file) }
    }

    private func isGood(_ token: String, context: String, _ message: (_ end: Int64) -> [UInt8]) -> Bool {
        let parts = token.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let end = Int64(parts[0]), end > Int64(now().timeIntervalSince1970),
            let mac = Base64URL.decode(String(parts[1])), mac.count == Self.codeCount
        else { return false }
        return keys.isAuthenticationCode(mac, of: message(end), context: context)
    }

    private static func message(_ code: ShortCode, _ end: Int64, _ file: String? = nil) -> [UInt8] {
        Array("\(code) \(end)\(file.map { " \($0)" } ?? "")".utf8)
    }
}
