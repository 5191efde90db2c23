/// The path of a short link: 8 characters of base58 from the system's secure random source.
///
/// 58⁸ is about 1.3 × 10¹⁴, so codes cannot be walked; base58 leaves out `0 O I l`, which people confuse.
package struct ShortCode: Hashable, Sendable, CustomStringConvertible {
    package static let length = 8
    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    /// By byte: whether the alphabet has it. Each page behind a short link is asked for by a code.
    private static let isLetter = (UInt8.min...UInt8.max).map(alphabet.contains)

    package let description: String

    /// A code as found in a URL; nil when it cannot be one, so that no query is spent on it.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        guard text.utf8.count == Self.length, text.utf8.allSatisfy({ Self.isLetter[Int($0)] }) else { return nil }
        description = text
    }

    /// A new code. Uniqueness is the database's to decide.
    package static func make() -> ShortCode {
        var random = SystemRandomNumberGenerator()
        let characters = (0..<length).map { _ in
            Character(Unicode.Scalar(alphabet[Int(random.next(upperBound: UInt(alphabet.count)))]))
        }
        return ShortCode(unchecked: String(characters))
    }

    private init(unchecked text: String) { description = text }
}
