/// The text of HTML as a reader would see it, without its marks.
///
/// Paragraphs and lists stay apart, and a link's address stands behind its words. What is no text, such as a script, is left out.
package struct HTMLText {
    private var text = ""
    /// How many line ends are due before the next word.
    private var lines = 0
    private var needsSpace = false
    private let showsAddresses: Bool
    /// Bytes of text and elements that are still looked at.
    private var left: Int

    private init(showsAddresses: Bool, limit: Int) { (self.showsAddresses, left) = (showsAddresses, limit) }

    package static func plain(_ html: String) -> String { plain(HTMLDocument(html).root) }

    /// The text within an element. Without `showsAddresses` a link is its words alone.
    package static func plain(_ element: HTMLElement, showsAddresses: Bool = true) -> String {
        var budget = Int.max
        return plain(element, showsAddresses: showsAddresses, budget: &budget)
    }

    /// The same of no more than about `budget` bytes and elements, which are taken from it.
    static func plain(_ element: HTMLElement, showsAddresses: Bool, budget: inout Int) -> String {
        var reader = HTMLText(showsAddresses: showsAddresses, limit: budget)
        reader.take(childrenOf: element)
        budget = max(0, reader.left)
        return reader.text
    }

    private mutating func take(childrenOf element: HTMLElement) {
        for child in element.children {
            guard left > 0 else { return }
            left -= 1
            switch child {
            case .text(let text): take(text)
            case .element(let element): take(element)
            }
        }
    }

    private mutating func take(_ element: HTMLElement) {
        switch element.name {
        case "script", "style", "template", "head", "noembed", "noframes", "iframe": return
        case "br": lines = min(2, lines + 1)
        case "li", "tr", "dt", "dd":
            lines = max(lines, 1)
            take(childrenOf: element)
        case "p", "div", "ul", "ol", "blockquote", "pre", "figure", "h1", "h2", "h3", "h4", "h5", "h6":
            lines = 2
            take(childrenOf: element)
            lines = 2
        case "a":
            let start = text.utf8.count
            take(childrenOf: element)
            if showsAddresses, let address = element.attributes["href"] { take(address, behind: start) }
        default: take(childrenOf: element)
        }
    }

    private mutating func take(_ address: String, behind start: Int) {
        guard address.hasPrefix("https://") || address.hasPrefix("http://") else { return }
        let words = text.utf8.dropFirst(start).drop { $0 == 0x20 || $0 == 0x0A }
        // A mention or a hashtag is its own address to people.
        guard !words.elementsEqual(address.utf8), words.first != UInt8(ascii: "#"), words.first != UInt8(ascii: "@")
        else { return }
        if words.isEmpty { take(address) } else { text += " (\(address))" }
    }

    private mutating func take(_ piece: String) {
        left -= piece.utf8.count
        for (place, word) in piece.split(
            omittingEmptySubsequences: false, whereSeparator: { $0.isWhitespace && $0 != "\u{A0}" }
        )
        .enumerated() {
            if place > 0 { needsSpace = true }
            guard !word.isEmpty else { continue }
            if !text.isEmpty {
                text += lines > 0 ? String(repeating: "\n", count: lines) : needsSpace ? " " : ""
            }
            (lines, needsSpace) = (0, false)
            text += word
        }
    }
}

extension HTMLText {
    /// A text as it stands in HTML, in an attribute too. By scalars: a sign may join its neighbours, and is markup all the same.
    /// `others` are further scalars that mean something there, with their references.
    package static func escaped(_ text: String, _ others: [Unicode.Scalar: String] = [:]) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;".unicodeScalars
            case "<": escaped += "&lt;".unicodeScalars
            case ">": escaped += "&gt;".unicodeScalars
            case "\"": escaped += "&quot;".unicodeScalars
            default:
                if let reference = others[scalar] {
                    escaped += reference.unicodeScalars
                } else {
                    escaped.append(scalar)
                }
            }
        }
        return String(escaped)
    }
}
