// For NFC and NFD as the standard library compares strings by them; there is no official interface yet. Foundation's on Linux loses marks
// of long runs and leaves some Hangul apart.
@_spi(_Unicode) internal import Swift

extension StringProtocol {
    /// Without white space and line ends at both ends.
    package var trimmed: String { trimmed(of: { $0.properties.isWhitespace || $0 == "\u{200B}" }) }

    /// Without white space at both ends; line ends stay.
    package var trimmedOfSpaces: String {
        trimmed(of: { $0 == "\t" || $0 == "\u{200B}" || $0.properties.generalCategory == .spaceSeparator })
    }

    /// Without the scalars at both ends that `isDropped` names.
    package func trimmed(of isDropped: (Unicode.Scalar) -> Bool) -> String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !isDropped($0) }),
            let last = scalars.lastIndex(where: { !isDropped($0) })
        else { return "" }
        return String(self[first..<scalars.index(after: last)])
    }

    /// In Unicode's normalization form C: letters and their marks in one where there is one.
    package var composed: String { String(String.UnicodeScalarView(String(self)._nfc)) }

    /// In Unicode's normalization form D: letters and their marks apart.
    package var decomposed: String { String(String.UnicodeScalarView(String(self)._nfd)) }
}

extension Unicode.Scalar {
    /// The sign in its usual width, for one of ASCII in the double width of East Asian text; else the scalar itself.
    package var withUsualWidth: Unicode.Scalar {
        0xFF01...0xFF5E ~= value ? Unicode.Scalar(value - 0xFEE0) ?? self : self
    }
}

extension UInt8 {
    /// Whether the byte is a letter from `a` to `z` or `A` to `Z`, or a digit.
    package var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
