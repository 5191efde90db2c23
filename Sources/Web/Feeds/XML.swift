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
        for scalar in text.unicodeScalars where scalar.isShown {
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

    struct StringInterpolation: StringInterpolationProtocol {
        var markup = ""

        init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { markup += literal }

        mutating func appendInterpolation(_ text: String) { markup += XML.text(text).markup }

        mutating func appendInterpolation(_ number: some BinaryInteger) { markup += String(number) }

        mutating func appendInterpolation(_ xml: XML) { markup += xml.markup }
    }
}
