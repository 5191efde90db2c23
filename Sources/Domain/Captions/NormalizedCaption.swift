// For NFC as the standard library compares strings by it; there is no official interface yet. Foundation's
// `precomposedStringWithCanonicalMapping` on Linux loses marks of long runs and leaves some Hangul apart.
@_spi(_Unicode) internal import Swift

/// A caption in the form in which every service gets it, with its entities found once for all rules.
///
/// Line ends become LF and more than two in a row become two; control characters but LF and TAB, U+FEFF, U+FFFE and
/// U+FFFF go; white space at both ends goes; the rest is put into NFC. Joiners, variation selectors and bidi marks
/// stay.
package struct NormalizedCaption: Sendable {
    /// The caption's text.
    package let text: String
    /// Links, mentions and tags in `text`, in order and apart from each other.
    package let entities: [CaptionEntity]

    /// Takes time linear in the length of `caption`, whatever it holds.
    package init(_ caption: String) {
        self.init(asIs: Self.normalize(caption))
    }

    /// For text that is measured as it stands.
    init(asIs text: String) {
        self.text = text
        entities = CaptionEntity.find(in: text, EntityScanner.Links(withEndedDomains: true))
    }

    /// For a link that X takes for text, in which it may find other links.
    init(insideLink text: String) {
        self.text = text
        let links = EntityScanner.Links(withEndedDomains: true, withUnknownHosts: false)
        entities = CaptionEntity.find(in: text, links).filter { if case .link = $0.kind { true } else { false } }
    }

    private static func normalize(_ caption: String) -> String {
        var kept: [Unicode.Scalar] = []
        kept.reserveCapacity(caption.utf8.count)
        var lineBreaks = 0
        var afterReturn = false
        var isSimple = true
        for scalar in caption.unicodeScalars {
            let endsReturn = afterReturn && scalar == "\n"
            afterReturn = scalar == "\r"
            if endsReturn { continue }
            if isLineBreak(scalar) {
                lineBreaks += 1
                if lineBreaks <= 2 { kept.append("\n") }
            } else if !isDropped(scalar) {
                lineBreaks = 0
                kept.append(scalar)
                if scalar.value >= firstNeedingNFC { isSimple = false }
            }
        }
        guard let start = kept.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = kept.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        let trimmed = kept[start...last]
        if isSimple { return String(String.UnicodeScalarView(trimmed)) }
        let prepared = String(String.UnicodeScalarView(CombiningMarks.prepared(trimmed)))
        return String(String.UnicodeScalarView(prepared._nfc))
    }

    /// Text of code points below the combining marks is in NFC as it stands.
    private static let firstNeedingNFC: UInt32 = 0x300

    /// CR, LF, next line, line separator and paragraph separator.
    private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09: false
        case 0x00...0x1F, 0x7F...0x9F, 0xFEFF, 0xFFFE, 0xFFFF: true
        default: false
        }
    }
}
