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
    static func text(_ text: String) -> HTML {
        var markup = ""
        markup.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
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
