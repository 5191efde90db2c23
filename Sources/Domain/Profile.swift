internal import FoundationEssentials
internal import System

/// The public profile of a user: a name, a few words and links.
package struct Profile: Sendable, Equatable {
    /// 1 to 100 characters on one line, of which one is visible and none turns the direction of text; nil: the user's name stands for it.
    package var displayName: String?
    /// 1 to 500 characters; nil: nothing.
    package var about: String?
    /// Addresses by http or https, at most `mostLinks`.
    package var links: [String]

    package static let mostLinks = 5

    package init(displayName: String? = nil, about: String? = nil, links: [String] = []) {
        (self.displayName, self.about, self.links) = (displayName, about, links)
    }

    /// Which of its parts is not what it may be.
    package enum Mistake: Error, Equatable {
        case displayName
        case about
        case link(String)
        case tooManyLinks
    }

    /// Takes what somebody has entered. Spaces around it go, and so do empty links; one without a scheme gets `https`.
    package static func read(displayName: String, about: String, links: [String]) throws(Mistake) -> Profile {
        let name = displayName.trimmed
        let scalars = name.unicodeScalars
        guard scalars.count <= 100, !scalars.contains(where: { $0.isControl || $0.turnsText }),
            scalars.isEmpty || scalars.contains(where: \.isVisible)
        else { throw .displayName }
        let words: String?
        do throws(ShortWords.Mistake) { words = try ShortWords.read(about) } catch { throw .about }
        var addresses: [String] = []
        for link in links {
            let text = link.trimmed
            if text.isEmpty { continue }
            guard let address = address(text) else { throw .link(text) }
            if !addresses.contains(address) { addresses.append(address) }
            guard addresses.count <= mostLinks else { throw .tooManyLinks }
        }
        return Profile(displayName: name.isEmpty ? nil : name, about: words, links: addresses)
    }

    /// The address that `text` is; nil for another scheme, for one with a user or password, and for what no browser would open.
    private static func address(_ text: String) -> String? {
        let whole = text.withScheme
        guard whole.utf8.count <= 500, let parts = URLComponents(string: whole.withEncodedHost),
            let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host, host.contains("."), parts.user == nil,
            parts.password == nil, parts.port.map({ 1...65_535 ~= $0 }) ?? true, let address = parts.string
        else { return nil }
        return address
    }
}

/// A few words that somebody writes of themselves, or of an album: at most 500 characters.
package enum ShortWords {
    /// They are too long, or have control characters.
    package struct Mistake: Error, Equatable {}

    /// The words without spaces around them, with line ends as LF; nil when nothing is left.
    package static func read(_ text: String) throws(Mistake) -> String? {
        let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        let words = lines.trimmed
        guard words.unicodeScalars.count <= 500,
            !words.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" })
        else { throw Mistake() }
        return words.isEmpty ? nil : words
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }

    /// Whether it changes the direction of what follows: an embedding, an override or an isolate (Unicode Annex 9, section 2).
    fileprivate var turnsText: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }

    fileprivate var isVisible: Bool {
        // U+2800 is a Braille pattern without dots.
        !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && value != 0x2800
    }
}
