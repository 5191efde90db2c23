/// The path of a short link: 8 characters of base58 from the system's secure random source.
///
/// 58⁸ is about 1.3 × 10¹⁴, so codes cannot be walked; base58 leaves out `0 O I l`, which people confuse.
package struct ShortCode: Hashable, Sendable, CustomStringConvertible {
    package static let length = 8
    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    package let description: String

    /// A code as found in a URL; nil when it cannot be one, so that no query is spent on it.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.isInAlphabet) else { return nil }
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

    private static func isInAlphabet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "O"), UInt8(ascii: "I"), UInt8(ascii: "l"): false
        case UInt8(ascii: "1")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private init(unchecked text: String) { description = text }
}
