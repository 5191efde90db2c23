internal import Formats
internal import HTTP

/// The redirect addresses that the page of an app names, by `rel="redirect_uri"` (IndieAuth, section 4.2.2).
///
/// A page is whatever its server wants it to be.
enum RedirectLinks {
    /// The `href` of each `link` element.
    static func inPage(_ page: [UInt8]) -> [String] {
        var links: [String] = []
        HTMLDocument(page).root.forEach { element in
            guard element.name == "link", names(element.attributes["rel"] ?? ""), let href = element.attributes["href"],
                !href.isEmpty
            else { return }
            links.append(href)
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

/// Reads a field byte by byte.
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

    /// The text in front of the next `byte`, and goes behind it, or to it; nil when there is none.
    mutating func text(before byte: UInt8, keeping: Bool = false) -> String? {
        guard let index = bytes.firstIndex(of: byte) else { return nil }
        defer { bytes = bytes[(keeping ? index : index + 1)...] }
        return String(decoding: bytes[..<index], as: UTF8.self)
    }
}
