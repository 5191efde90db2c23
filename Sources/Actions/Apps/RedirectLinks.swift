internal import HTTP

/// The redirect addresses that the page of an app names, by `rel="redirect_uri"` (IndieAuth, section 4.2.2).
///
/// Read from first to last once: a page is whatever its server wants it to be.
enum RedirectLinks {
    /// The `href` of each `link` element; comments and other elements have none.
    static func inPage(_ page: [UInt8]) -> [String] {
        var scanner = Scanner(bytes: page[...])
        var links: [String] = []
        while scanner.skip(behind: UInt8(ascii: "<")) {
            if scanner.takes("!--") {
                scanner.skip(behind: "-->")
                continue
            }
            guard scanner.takes("link"), scanner.isBetweenAttributes else { continue }
            var (href, isRedirect): (String?, Bool) = (nil, false)
            while let attribute = scanner.attribute() {
                switch attribute.name {
                case "href": href = href ?? attribute.value
                case "rel": isRedirect = isRedirect || names(attribute.value)
                default: break
                }
            }
            if isRedirect, let href, !href.isEmpty { links.append(href) }
        }
        return links
    }

    /// The targets in the values of `Link` fields (RFC 8288, section 3).
    static func inFields(_ values: [String]) -> [String] {
        values.flatMap { value in
            var scanner = Scanner(bytes: Array(value.utf8)[...])
            var links: [String] = []
            while scanner.skip(behind: UInt8(ascii: "<")) {
                guard let target = scanner.text(before: UInt8(ascii: ">")) else { break }
                let parameters = scanner.text(before: UInt8(ascii: "<"), keeping: true) ?? scanner.rest
                let isRedirect = parameters.split(whereSeparator: { ";,".contains($0) }).contains { parameter in
                    let parts = parameter.split(separator: "=", maxSplits: 1)
                    guard parts.count == 2, trimmed(parts[0]).lowercased() == "rel" else { return false }
                    return names(trimmed(parts[1]).filter { $0 != "\"" })
                }
                if isRedirect { links.append(target) }
            }
            return links
        }
    }

    private static func names(_ relations: String) -> Bool {
        relations.split(whereSeparator: \.isWhitespace).contains { $0.lowercased() == "redirect_uri" }
    }

    private static func trimmed(_ text: Substring) -> String { text.filter { !" \t".contains($0) } }
}

/// Reads markup byte by byte.
private struct Scanner {
    var bytes: ArraySlice<UInt8>

    var rest: String { String(decoding: bytes, as: UTF8.self) }

    /// Goes behind the next `byte`; false, and at the end, when there is none.
    mutating func skip(behind byte: UInt8) -> Bool {
        guard let index = bytes.firstIndex(of: byte) else {
            bytes = []
            return false
        }
        bytes = bytes[(index + 1)...]
        return true
    }

    mutating func skip(behind text: StaticString) {
        while !bytes.isEmpty, !takes(text) { bytes.removeFirst() }
    }

    /// Goes behind `text`, in letters of either case, if it is next.
    mutating func takes(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard bytes.count >= length,
            text.withUTF8Buffer({ text in zip(bytes, text).allSatisfy { $0 == $1 || $0 | 0x20 == $1 } })
        else { return false }
        bytes = bytes.dropFirst(length)
        return true
    }

    /// The text in front of the next `byte`, and goes behind it, or to it; nil when there is none.
    mutating func text(before byte: UInt8, keeping: Bool = false) -> String? {
        guard let index = bytes.firstIndex(of: byte) else { return nil }
        defer { bytes = bytes[(keeping ? index : index + 1)...] }
        return String(decoding: bytes[..<index], as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) }

    /// Whether a name has ended here.
    var isBetweenAttributes: Bool {
        bytes.first.map { Self.isSpace($0) || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") } ?? false
    }

    /// The next attribute of an element, its name in small letters; nil behind the last (HTML, section 13.2.5.32 and on).
    mutating func attribute() -> (name: String, value: String)? {
        bytes = bytes.drop { Self.isSpace($0) || $0 == UInt8(ascii: "/") }
        guard let first = bytes.first, first != UInt8(ascii: ">"), first != UInt8(ascii: "<") else { return nil }
        let name = take { !Self.isSpace($0) && !"=>/".utf8.contains($0) }
        bytes = bytes.drop(while: Self.isSpace)
        guard bytes.first == UInt8(ascii: "=") else {
            // Nothing but a sign: it is left behind.
            if name.isEmpty { bytes = bytes.dropFirst() }
            return (name.lowercased(), "")
        }
        bytes = bytes.dropFirst().drop(while: Self.isSpace)
        guard let quote = bytes.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return (name.lowercased(), Self.plain(take { !Self.isSpace($0) && $0 != UInt8(ascii: ">") }))
        }
        bytes = bytes.dropFirst()
        guard let value = text(before: quote) else {
            bytes = []
            return nil
        }
        return (name.lowercased(), Self.plain(value))
    }

    private mutating func take(while isPart: (UInt8) -> Bool) -> String {
        let part = bytes.prefix(while: isPart)
        bytes = bytes[part.endIndex...]
        return String(decoding: part, as: UTF8.self)
    }

    /// The one reference that stands in addresses.
    private static func plain(_ value: String) -> String { value.replacing("&amp;", with: "&") }
}
