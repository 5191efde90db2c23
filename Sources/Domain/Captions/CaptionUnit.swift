/// The unit in which a service measures a caption.
package enum CaptionUnit: String, Codable, CaseIterable, Hashable, Sendable {
    /// Unicode code points; captions are counted in NFC.
    case codePoints = "code_points"
    /// X's weights, twitter-text configuration version 3: most scripts 1, CJK and others 2, an emoji 2 in all.
    case weighted
    /// Extended grapheme clusters (UAX #29): what a person sees as one character.
    case graphemes
    /// UTF-16 code units.
    case utf16Units = "utf16_units"
    /// UTF-8 bytes.
    case utf8Bytes = "utf8_bytes"
    /// Threads: an emoji is as long as its UTF-8 bytes, any other code point is 1.
    case emojiBytes = "emoji_bytes"

    /// The length of text that begins and ends between grapheme clusters, links and mentions counted as written.
    func length(of text: Substring) -> Int {
        // One byte is one in every unit, and most captions are made of these.
        if text.utf8.count == 1 { return 1 }
        return switch self {
        case .codePoints: text.unicodeScalars.count
        case .graphemes: text.count
        case .utf16Units: text.utf16.count
        case .utf8Bytes: text.utf8.count
        case .weighted: Self.length(of: text.unicodeScalars, emoji: { _ in 2 }, other: Self.weight)
        case .emojiBytes: Self.length(of: text.unicodeScalars, emoji: { $0.utf8.count }, other: { _ in 1 })
        }
    }

    private static func length(
        of scalars: Substring.UnicodeScalarView, emoji: (Substring) -> Int, other: (Unicode.Scalar) -> Int
    ) -> Int {
        var length = 0
        var position = scalars.startIndex
        while position < scalars.endIndex {
            if let end = EmojiSequence.end(in: scalars, from: position) {
                length += emoji(Substring(scalars[position..<end]))
                position = end
            } else {
                length += other(scalars[position])
                position = scalars.index(after: position)
            }
        }
        return length
    }

    /// Source: twitter-text, `config/v3.json`: `ranges`, `defaultWeight` and `scale`, divided by the scale of 100.
    private static func weight(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0...0x10FF, 0x2000...0x200D, 0x2010...0x201F, 0x2032...0x2037: 1
        default: 2
        }
    }
}
