/// Where a caption may be cut between words, after UAX #29 (sections 4.1 and 4.1.1) without a dictionary.
///
/// Ideographs and hiragana stand alone; katakana, and any other letters and digits, hold together; so do a word and
/// the apostrophe or dot inside it.
enum WordBoundary {
    /// Is there a boundary between the clusters that begin with `before` and `after`? `wayBefore` and `wayAfter` begin
    /// the clusters on the far sides of these; nil at the ends of the text.
    static func lies(
        between before: Unicode.Scalar, and after: Unicode.Scalar, wayBefore: Unicode.Scalar?, wayAfter: Unicode.Scalar?
    ) -> Bool {
        switch (Kind(before), Kind(after)) {
        case (.word, .word), (.katakana, .katakana): false
        case (.word, _): !joins(before, after, wayAfter)
        case (_, .word): !joins(wayBefore, before, after)
        default: true
        }
    }

    /// Is `middle` part of the word or number around it? "don't", "example.com", "1,000".
    private static func joins(_ left: Unicode.Scalar?, _ middle: Unicode.Scalar, _ right: Unicode.Scalar?) -> Bool {
        guard let left, let right else { return false }
        return switch middle {
        case "'", "\u{2019}", ".", ":", "\u{B7}": Kind(left) == .word && Kind(right) == .word
        case ",", ";": left.properties.numericType != nil && right.properties.numericType != nil
        default: false
        }
    }

    private enum Kind {
        case word, katakana, other

        init(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x3005, 0x3040...0x309F: self = .other
            case 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .katakana
            default: self = !scalar.properties.isIdeographic && scalar.isWordCharacter ? .word : .other
            }
        }
    }
}
