internal import HTTP

/// A piece of HTML. What is written in the literal is markup, what is put in is text and is escaped; markup is put in
/// as another `HTML`.
///
/// ```swift
/// let item: HTML = "<li title=\"\(title)\">\(HTML.join(children))</li>"
/// ```
struct HTML: ExpressibleByStringInterpolation {
    private(set) var markup: String

    init(stringLiteral markup: String) { self.markup = markup }

    init(stringInterpolation: StringInterpolation) { markup = stringInterpolation.markup }

    private init(markup: String) { self.markup = markup }

    /// Text, escaped for content and for attributes in double quotes.
    ///
    /// Control characters go, which no page may have, and so do the marks that turn the direction of what follows: they would
    /// reach beyond their text. Where a text's own direction matters, it stands in `bdi` or has `dir="auto"`.
    static func text(_ text: String) -> HTML {
        var markup = ""
        markup.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars where scalar.isShown {
            switch scalar {
            case "&": markup += "&amp;"
            case "<": markup += "&lt;"
            case ">": markup += "&gt;"
            case "\"": markup += "&quot;"
            case "'": markup += "&#39;"
            default: markup.unicodeScalars.append(scalar)
            }
        }
        return HTML(markup: markup)
    }

    /// The same text without what no page shows.
    static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter(\.isShown)))
    }

    /// A JSON text as the content of a `script` element that holds data: it cannot end the element.
    static func data(_ value: JSONValue) -> HTML {
        let text = String(decoding: value.serialized, as: UTF8.self)
        return HTML(markup: text.replacing("<", with: "\\u003c").replacing("&", with: "\\u0026"))
    }

    /// Pieces one after the other.
    static func join(_ pieces: [HTML]) -> HTML { HTML(markup: pieces.map(\.markup).joined()) }

    static let nothing: HTML = ""

    struct StringInterpolation: StringInterpolationProtocol {
        var markup = ""

        init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { markup += literal }

        mutating func appendInterpolation(_ text: String) { markup += HTML.text(text).markup }

        mutating func appendInterpolation(_ number: some BinaryInteger) { markup += String(number) }

        mutating func appendInterpolation(_ html: HTML) { markup += html.markup }
    }
}

extension Unicode.Scalar {
    /// Whether pages and feeds show it.
    ///
    /// `Char` of XML 1.0, section 2.2, without the C1 controls that it discourages and without what HTML calls
    /// noncharacters; and no mark that would turn the direction of what follows it.
    var isShown: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0x7F..<0xA0: false
        // Embeddings, overrides and isolates (Unicode Standard Annex 9, section 2).
        case 0x202A...0x202E, 0x2066...0x2069: false
        case 0xFDD0...0xFDEF: false
        default: value & 0xFFFE != 0xFFFE
        }
    }
}
