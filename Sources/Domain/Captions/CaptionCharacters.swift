/// Classes of characters that the rules for entities speak of.
extension Unicode.Scalar {
    var isASCIILetter: Bool {
        switch self {
        case "a"..."z", "A"..."Z": true
        default: false
        }
    }

    var isASCIIDigit: Bool { ("0"..."9").contains(self) }

    var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }

    /// A letter, digit or underscore of ASCII: what X allows in a name.
    var isNameCharacter: Bool { isASCIIAlphanumeric || self == "_" }

    /// Source: twitter-text, `latinAccentChars`.
    var isLatinAccent: Bool {
        switch value {
        case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x253, 0x254, 0x256, 0x257, 0x259, 0x25B, 0x263, 0x268, 0x26F,
            0x272, 0x289, 0x28B, 0x2BB, 0x300...0x36F, 0x1E00...0x1EFF:
            true
        default: false
        }
    }

    var isLetterOrMark: Bool {
        if isASCII { return isASCIILetter }
        return switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark:
            true
        default: false
        }
    }

    /// Letters, marks, decimal digits, and what twitter-text calls `hashtagSpecialChars`.
    var isHashtagCharacter: Bool {
        if isASCII { return isNameCharacter }
        return switch value {
        case 0xB7, 0x5BE, 0x5F3, 0x5F4, 0xF0B, 0xF0C, 0x200C, 0x200D, 0x3003, 0x301C, 0x309B, 0x309C, 0x30A0, 0x30FB,
            0xA67E, 0xFF5E:
            true
        default: isLetterOrMark || properties.generalCategory == .decimalNumber
        }
    }

    var isWordCharacter: Bool {
        isASCII ? isNameCharacter : isLetterOrMark || properties.generalCategory == .decimalNumber
    }
}
