/// The text of a piece of HTML, for captions, which are plain.
///
/// Tags are dropped; paragraphs and lines stay apart, and a link's address stands behind its words. Takes time linear in the length.
struct HTMLText {
    private var text = ""
    /// How many line ends are due before the next word.
    private var lines = 0
    private var needsSpace = false
    /// The address of the open link, and where its words begin.
    private var link: (address: String, start: String.Index)?

    static func plain(_ html: String) -> String {
        var reader = HTMLText()
        var rest = html[...]
        while let open = rest.firstIndex(of: "<") {
            reader.take(rest[..<open])
            rest = rest[open...]
            if rest.hasPrefix("<!--") {
                rest = behind("-->", in: rest)
            } else if let close = rest.firstIndex(of: ">") {
                let tag = rest[rest.index(after: open)..<close]
                rest = rest[rest.index(after: close)...]
                let name = tag.prefix { $0.isLetter || $0.isNumber || $0 == "/" }.lowercased()
                if name == "script" || name == "style" { rest = behind(">", in: behind("</\(name)", in: rest)) }
                reader.take(tag: name, tag)
            } else {
                // No tag: a sign that nobody has written as an entity.
                reader.take(rest)
                rest = ""
            }
        }
        reader.take(rest)
        return reader.text
    }

    private static func behind(_ end: String, in text: Substring) -> Substring {
        var rest = text
        while let place = rest.firstIndex(of: end.first ?? ">") {
            if rest[place...].prefix(end.count).lowercased() == end {
                return rest[rest.index(place, offsetBy: end.count)...]
            }
            rest = rest[rest.index(after: place)...]
        }
        return ""
    }

    private mutating func take(tag name: String, _ tag: Substring) {
        switch name {
        case "br", "br/": lines = min(2, lines + 1)
        case "li", "tr", "dt", "dd": lines = max(lines, 1)
        case "p", "/p", "div", "/div", "ul", "/ul", "ol", "/ol", "blockquote", "/blockquote", "pre", "/pre", "figure",
            "/figure", "h1", "/h1", "h2", "/h2", "h3", "/h3", "h4", "/h4", "h5", "/h5", "h6", "/h6":
            lines = 2
        case "a": link = Self.address(in: tag).map { ($0, text.endIndex) }
        case "/a":
            guard let link else { return }
            self.link = nil
            let words = text[link.start...].drop { $0.isWhitespace }
            // A mention or a hashtag is its own address to people.
            guard words != link.address[...], words.first != "#", words.first != "@" else { return }
            text += words.isEmpty ? link.address : " (\(link.address))"
        default: break
        }
    }

    private static func address(in tag: Substring) -> String? {
        guard let match = tag.firstMatch(of: /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/.ignoresCase()) else { return nil }
        let address = decoded(match.1 ?? match.2 ?? "")
        return address.hasPrefix("https://") || address.hasPrefix("http://") ? address : nil
    }

    private mutating func take(_ piece: Substring) {
        for (place, word) in piece.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace).enumerated()
        {
            if place > 0 { needsSpace = true }
            guard !word.isEmpty else { continue }
            if !text.isEmpty {
                text += lines > 0 ? String(repeating: "\n", count: lines) : needsSpace ? " " : ""
            }
            (lines, needsSpace) = (0, false)
            text += Self.decoded(word)
        }
    }

    private static let entities = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "hellip": "…", "mdash": "—",
        "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "copy": "©",
    ]

    /// With the characters that entities stand for; those that are unknown stay.
    private static func decoded(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        var result = ""
        var rest = text
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            let name = rest.dropFirst().prefix(10).prefix { $0 != ";" }
            let end = rest.index(start, offsetBy: name.count + 1)
            guard end < rest.endIndex, rest[end] == ";", let character = character(name) else {
                result += "&"
                rest = rest.dropFirst()
                continue
            }
            result += character
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> String? {
        guard name.first == "#" else { return entities[String(name)] }
        let digits = name.dropFirst()
        let number = digits.first?.lowercased() == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, number != 0, let scalar = Unicode.Scalar(number) else { return nil }
        return String(Character(scalar))
    }
}
