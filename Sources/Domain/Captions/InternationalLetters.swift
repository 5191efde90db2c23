/// Letters beyond ASCII in the path of an address that is written for people, as `https://ja.wikipedia.org/wiki/日本`.
///
/// In scripts that put spaces between words they belong to the address. Where there are none, a sentence goes on right behind
/// an address; there a part of the path counts that begins with such letters, and not with a particle.
struct InternationalLetters {
    /// Whether the present part of the path has begun with letters of a script without spaces.
    private(set) var isOpen = false

    /// Notes a character of the path that any rule takes.
    mutating func pass(_ scalar: Unicode.Scalar) {
        if scalar == "/" { isOpen = false }
    }

    /// Whether a character behind `previous` belongs to the address.
    mutating func take(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Bool {
        guard Self.isLetter(scalar) else { return false }
        if isOpen || !Self.isWithoutSpaces(scalar) { return true }
        isOpen = previous.map(Self.separates) == true && !Self.isParticle(scalar)
        return isOpen
    }

    /// Whether a character stands between letters, and never ends an address: a middle dot, a joiner.
    func joins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{200C}", "\u{200D}": true
        case "\u{30FB}": isOpen
        default: false
        }
    }

    /// Beyond ASCII alone.
    static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return false }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber:
            true
        default: false
        }
    }

    private static func separates(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "/", "_", "-", "=", "#", "&", ":": true
        default: false
        }
    }

    /// Chinese, Japanese and the scripts of South East Asia; Korean too, whose particles follow without a space.
    private static func isWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0xA4CF, 0xAC00...0xD7FF, 0xF900...0xFAFF,
            0xFF00...0xFFEF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    /// Japanese: what a sentence goes on with behind an address.
    private static func isParticle(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "を", "は", "が", "に", "で", "と", "の", "も", "へ", "や": true
        default: false
        }
    }
}
