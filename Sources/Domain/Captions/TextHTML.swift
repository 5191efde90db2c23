internal import FoundationEssentials

/// Plain text as HTML for programs: paragraphs, links and line breaks, and nothing else of what the text says.
package struct TextHTML: Sendable {
    package let html: String
    /// Its hashtags without their signs, each once.
    package private(set) var tags: [String] = []

    /// Links and hashtags beyond are text: an answer stays in proportion to its caption.
    private static let mostLinks = 100

    /// `hashtag` gives the address of a hashtag, which comes without its sign; nil: it is text.
    package init(_ text: String, hashtag: (String) -> String? = { _ in nil }) {
        guard !text.isEmpty else {
            html = ""
            return
        }
        var (html, links, seen) = ("", 0, Set<String>())
        var rest = text.startIndex
        for entity in CaptionEntity.find(in: text, paths: .international) where links < Self.mostLinks {
            let words = String(text[entity.range])
            let piece: String
            switch entity.kind {
            case .link(let hasScheme): piece = Self.link(hasScheme ? words : "https://\(words)", shown: words)
            case .hashtag:
                let tag = String(words.dropFirst())
                if seen.insert(tag.lowercased()).inserted { tags.append(tag) }
                guard let url = hashtag(tag) else { continue }
                let (address, name) = (Self.escaped(url), Self.escaped(tag))
                piece = "<a href=\"\(address)\" class=\"mention hashtag\" rel=\"tag\">#<span>\(name)</span></a>"
            case .mention, .cashtag, .customEmoji: continue
            }
            links += 1
            html += Self.lines(text[rest..<entity.range.lowerBound]) + piece
            rest = entity.range.upperBound
        }
        self.html = "<p>\(html + Self.lines(text[rest...]))</p>"
    }

    package static func link(_ url: String, shown: String? = nil) -> String {
        "<a href=\"\(escaped(url))\" rel=\"nofollow noopener\" target=\"_blank\">\(escaped(shown ?? url))</a>"
    }

    /// An empty line begins a paragraph.
    private static func lines(_ text: Substring) -> String {
        escaped(String(text)).replacing("\r\n", with: "\n").replacing("\n\n", with: "</p><p>")
            .replacing("\n", with: "<br />")
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n", "\t", "\r": escaped.unicodeScalars.append(scalar)
            // Signs that turn the direction of the words behind them.
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": continue
            default: if scalar.properties.generalCategory != .control { escaped.unicodeScalars.append(scalar) }
            }
        }
        return escaped
    }
}
