internal import FoundationEssentials

/// Where an app wants its person back: an address of a scheme of its own, such as `myapp://connected`.
package struct AppRedirect: Sendable, Equatable {
    /// At most so many bytes.
    package static let longest = 2000

    package let text: String
    /// In small letters.
    package let scheme: String

    /// Nil for anything that is no address, and for schemes that no app has for itself: a page, a script or a file.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = parts.scheme.flatMap(AppScheme.init), parts.user == nil, parts.password == nil,
            parts.fragment == nil
        else { return nil }
        self.text = text
        self.scheme = scheme.name
    }

    /// The address with further parameters.
    package func adding(_ parameters: [(name: String, value: String)]) -> String {
        guard var parts = URLComponents(string: text) else { return text }
        parts.queryItems = (parts.queryItems ?? []) + parameters.map { URLQueryItem(name: $0.name, value: $0.value) }
        return parts.string ?? text
    }
}

/// The scheme of an app's own addresses, such as `myapp`.
package struct AppScheme: Sendable, Hashable {
    /// In small letters.
    package let name: String

    /// Schemes that browsers and systems keep for themselves.
    private static let taken: Set<String> = [
        "http", "https", "ws", "wss", "ftp", "file", "data", "blob", "about", "javascript", "vbscript", "view-source",
        "filesystem", "mailto", "tel", "sms", "intent", "chrome", "content",
    ]

    /// Nil for what is no scheme (RFC 3986, section 3.1), and for schemes that no app has for itself.
    package init?(_ text: String) {
        let name = text.lowercased()
        let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        guard (1...64).contains(name.utf8.count), let first = name.utf8.first, isLetter(first),
            name.utf8.allSatisfy({
                isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
            }), !Self.taken.contains(name)
        else { return nil }
        self.name = name
    }
}
