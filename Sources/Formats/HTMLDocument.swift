/// A page of HTML as a tree of elements, as far as programs read pages: for links, texts and microformats.
///
/// Whatever the bytes are, there is a tree, made in time linear in them. It is that of browsers for pages without gross errors: elements
/// without an end, ends that are left out, raw texts and character references are as in the HTML standard, but a `<` between attributes ends a tag; tables take no elements out of
/// themselves, and formatting is not spread over blocks.
package struct HTMLDocument {
    /// Has no name; its children are the page.
    package let root: HTMLElement

    package init(_ bytes: some Sequence<UInt8>) {
        var reader = HTMLReader(bytes: Array(bytes))
        root = reader.document()
    }

    package init(_ text: some StringProtocol) { self.init(text.utf8) }
}

/// An element of a page.
package final class HTMLElement {
    package enum Child {
        case element(HTMLElement)
        case text(String)
    }

    /// In small letters.
    package let name: String
    /// By their names in small letters; of two of a name the first.
    package let attributes: [String: String]
    package fileprivate(set) var children: [Child] = []

    fileprivate init(_ name: String, _ attributes: [String: String] = [:]) {
        (self.name, self.attributes) = (name, attributes)
    }

    /// The words of an attribute that is a list, such as `class` and `rel`.
    package func words(_ attribute: String) -> [Substring] {
        (attributes[attribute] ?? "").split(whereSeparator: \.isWhitespace)
    }

    package var elements: some Sequence<HTMLElement> {
        children.lazy.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// Calls `visit` with every element below this one, in the order of the page.
    package func forEach(_ visit: (HTMLElement) -> Void) {
        for element in elements {
            visit(element)
            element.forEach(visit)
        }
    }
}

/// Reads a page from its first byte to its last, once.
private struct HTMLReader {
    let bytes: [UInt8]
    private var place = 0
    /// The elements that are open, from the root.
    private var open = [HTMLElement("")]
    /// How many of each name are open.
    private var openCounts: [String: Int] = [:]

    /// Elements within elements. What lies deeper stands beside them, so that whoever follows the tree needs no deep stack.
    private static let deepest = 200
    private static let voids: Set = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    ]
    /// Their content is text up to their own end.
    private static let raws: Set = ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"]
    /// A paragraph ends where one of these begins.
    private static let blocks: Set = [
        "address", "article", "aside", "blockquote", "details", "div", "dl", "fieldset", "figcaption", "figure",
        "footer",
        "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "main", "nav", "ol", "p", "pre", "section", "table",
        "ul",
    ]
    /// Elements that end where one of the same group begins, unless one of the last lies between.
    private static let siblings: [(group: Set<String>, within: Set<String>)] = [
        (["li"], ["ul", "ol", "menu"]), (["dt", "dd"], ["dl"]), (["option"], ["select", "datalist"]),
        (["td", "th"], ["tr", "table"]), (["tr"], ["table"]), (["thead", "tbody", "tfoot"], ["table"]),
    ]

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() -> HTMLElement {
        var textStart = 0
        while let sign = next(UInt8(ascii: "<"), from: place) {
            place = sign
            let end = markup(at: sign, textStart)
            if let end { (place, textStart) = (end, end) } else { place = sign + 1 }
        }
        add(textStart..<bytes.count)
        return open[0]
    }

    /// Takes the tag or comment at a `<`, and the text before it.
    ///
    /// - Returns: The place behind it; nil when the sign is text.
    private mutating func markup(at sign: Int, _ textStart: Int) -> Int? {
        guard sign + 1 < bytes.count else { return nil }
        switch bytes[sign + 1] {
        case UInt8(ascii: "!"):
            add(textStart..<sign)
            let isComment = has("!--", at: sign + 1)
            return isComment ? behind("-->", from: sign + 2) : behind(">", from: sign)
        case UInt8(ascii: "?"):
            add(textStart..<sign)
            return behind(">", from: sign)
        case UInt8(ascii: "/"):
            guard sign + 2 < bytes.count, Self.isLetter(bytes[sign + 2]) else { return nil }
            add(textStart..<sign)
            let (name, nameEnd) = name(from: sign + 2)
            end(name)
            return behind(">", from: nameEnd)
        case let byte where Self.isLetter(byte):
            add(textStart..<sign)
            let (name, nameEnd) = name(from: sign + 1)
            return begin(name, behind: nameEnd)
        default: return nil
        }
    }

    // MARK: Elements

    /// Opens an element; the place behind its tag, or behind its content when that is text alone.
    private mutating func begin(_ name: String, behind nameEnd: Int) -> Int {
        let (attributes, tagEnd, isClosed) = attributes(from: nameEnd)
        if Self.blocks.contains(name) { close("p", notWithin: ["button", "table", "td", "th"]) }
        for (group, within) in Self.siblings where group.contains(name) {
            for sibling in group { close(sibling, notWithin: within) }
        }
        let element = HTMLElement(name, attributes)
        open[open.count - 1].children.append(.element(element))
        guard !Self.voids.contains(name) else { return tagEnd }
        if Self.raws.contains(name) {
            let end = rawEnd(of: name, from: tagEnd)
            let text = String(decoding: bytes[tagEnd..<end], as: UTF8.self)
            let hasReferences = name == "title" || name == "textarea"
            if end > tagEnd { element.children.append(.text(hasReferences ? CharacterReferences.resolve(text) : text)) }
            return end < bytes.count ? behind(">", from: end) : end
        }
        // Of elements of other vocabularies, such as SVG, some have no end.
        if open.count <= Self.deepest, !isClosed || !open.contains(where: { $0.name == "svg" || $0.name == "math" }) {
            open.append(element)
            openCounts[name, default: 0] += 1
        }
        return tagEnd
    }

    /// Ends the innermost open element of a name, with those in it; nothing if there is none.
    private mutating func end(_ name: String) {
        guard openCounts[name] ?? 0 > 0, let index = open.lastIndex(where: { $0.name == name }) else { return }
        leave(from: index)
    }

    private mutating func leave(from index: Int) {
        for element in open[index...] { openCounts[element.name, default: 1] -= 1 }
        open.removeSubrange(index...)
    }

    private mutating func close(_ name: String, notWithin borders: Set<String>) {
        guard openCounts[name] ?? 0 > 0,
            let index = open.lastIndex(where: { $0.name == name || borders.contains($0.name) }), index > 0,
            open[index].name == name
        else { return }
        leave(from: index)
    }

    private func add(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let text = CharacterReferences.resolve(String(decoding: bytes[range], as: UTF8.self))
        open[open.count - 1].children.append(.text(text))
    }

    // MARK: Attributes

    private func attributes(from start: Int) -> (attributes: [String: String], end: Int, isClosed: Bool) {
        var (place, attributes, isClosed) = (start, [String: String](), false)
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: ">") { return (attributes, place + 1, isClosed) }
            // A tag that was not ended: nothing behind it is taken for its own.
            if byte == UInt8(ascii: "<") { return (attributes, place, false) }
            if Self.isSpace(byte) || byte == UInt8(ascii: "/") {
                isClosed = byte == UInt8(ascii: "/")
                place += 1
                continue
            }
            isClosed = false
            // A first `=` is part of a name (HTML, section 13.2.5.32).
            var end = place + 1
            while end < bytes.count, !Self.isSpace(bytes[end]), !"=>/".utf8.contains(bytes[end]) { end += 1 }
            let name = String(decoding: bytes[place..<end], as: UTF8.self).lowercased()
            place = end
            while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
            var value = ""
            if place < bytes.count, bytes[place] == UInt8(ascii: "=") {
                (value, place) = attributeValue(from: place + 1)
            }
            if attributes[name] == nil { attributes[name] = value }
        }
        return (attributes, bytes.count, false)
    }

    private func attributeValue(from start: Int) -> (value: String, end: Int) {
        var place = start
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
        guard place < bytes.count else { return ("", place) }
        let quote = bytes[place]
        let range: Range<Int>
        var end: Int
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let close = next(quote, from: place + 1) ?? bytes.count
            (range, end) = (place + 1..<close, min(close + 1, bytes.count))
        } else {
            end = place
            while end < bytes.count, !Self.isSpace(bytes[end]), bytes[end] != UInt8(ascii: ">") { end += 1 }
            range = place..<end
        }
        return (CharacterReferences.resolve(String(decoding: bytes[range], as: UTF8.self)), end)
    }

    // MARK: Places

    private func next(_ byte: UInt8, from start: Int) -> Int? { bytes[start...].firstIndex(of: byte) }

    private func name(from start: Int) -> (name: String, end: Int) {
        let name = bytes[start...].prefix { !Self.isSpace($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
        return (String(decoding: name, as: UTF8.self).lowercased(), name.endIndex)
    }

    /// The place behind the next `text`; the end of the page when there is none.
    private func behind(_ text: StaticString, from start: Int) -> Int {
        var place = start
        while let found = next(text.utf8Start.pointee, from: place) {
            if has(text, at: found) { return found + text.utf8CodeUnitCount }
            place = found + 1
        }
        return bytes.count
    }

    private func has(_ text: StaticString, at place: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        return place + count <= bytes.count
            && text.withUTF8Buffer { zip(bytes[place..<place + count], $0).allSatisfy(==) }
    }

    /// The place of the tag that ends the raw text of an element; the end of the page when there is none.
    private func rawEnd(of name: String, from start: Int) -> Int {
        var place = start
        while let found = next(UInt8(ascii: "<"), from: place) {
            let end = found + 2 + name.utf8.count
            if end <= bytes.count, bytes[found + 1] == UInt8(ascii: "/"),
                zip(bytes[(found + 2)..<end], name.utf8).allSatisfy({ $0 | 0x20 == $1 }),
                end == bytes.count || Self.isSpace(bytes[end]) || bytes[end] == UInt8(ascii: ">")
                    || bytes[end] == UInt8(ascii: "/")
            {
                return found
            }
            place = found + 1
        }
        return bytes.count
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B }
}

/// Character references of HTML: all numbers, and the names that people write.
private enum CharacterReferences {
    private static let names = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "hellip": "…", "mdash": "—",
        "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "copy": "©", "auml": "ä", "ouml": "ö",
        "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à",
        "ccedil": "ç", "euro": "€", "middot": "·", "bull": "•", "times": "×", "rarr": "→", "larr": "←", "reg": "®",
        "trade": "™", "laquo": "«", "raquo": "»", "deg": "°", "shy": "\u{AD}", "zwj": "\u{200D}", "zwnj": "\u{200C}",
    ]

    /// A text with the characters that references stand for; those that are unknown stay.
    static func resolve(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = text[...]
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
        guard name.first == "#" else { return names[String(name)] }
        let digits = name.dropFirst()
        let number = digits.first?.lowercased() == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, number != 0, let scalar = Unicode.Scalar(number) else { return nil }
        return String(Character(scalar))
    }
}
