/// A piece of XML 1.0. What is written in the literal is markup, what is put in is text and is escaped; what XML has no place
/// for, such as control characters, is left out.
struct XML: ExpressibleByStringInterpolation {
    private(set) var markup: String

    init(stringLiteral markup: String) { self.markup = markup }

    init(stringInterpolation: StringInterpolation) { markup = stringInterpolation.markup }

    private init(markup: String) { self.markup = markup }

    /// Text, escaped for content and for attributes in double quotes. A carriage return would be read as a line feed, so it
    /// becomes a reference.
    static func text(_ text: String) -> XML {
        var markup = ""
        markup.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars where isAllowed(scalar) {
            switch scalar {
            case "&": markup += "&amp;"
            case "<": markup += "&lt;"
            case ">": markup += "&gt;"
            case "\"": markup += "&quot;"
            case "\r": markup += "&#13;"
            default: markup.unicodeScalars.append(scalar)
            }
        }
        return XML(markup: markup)
    }

    /// Pieces one after the other.
    static func join(_ pieces: [XML]) -> XML { XML(markup: pieces.map(\.markup).joined()) }

    static let nothing: XML = ""

    /// `Char` of XML 1.0, section 2.2, without the C1 controls that it discourages and with the noncharacters left out; and no
    /// mark that would turn the direction of what a reader writes behind it.
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD: true
        case 0..<0x20, 0x7F..<0xA0: false
        // Embeddings, overrides and isolates (Unicode Standard Annex 9, section 2).
        case 0x202A...0x202E, 0x2066...0x2069: false
        case 0xFDD0...0xFDEF: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }

    struct StringInterpolation: StringInterpolationProtocol {
        var markup = ""

        init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { markup += literal }

        mutating func appendInterpolation(_ text: String) { markup += XML.text(text).markup }

        mutating func appendInterpolation(_ number: some BinaryInteger) { markup += String(number) }

        mutating func appendInterpolation(_ xml: XML) { markup += xml.markup }
    }
}
