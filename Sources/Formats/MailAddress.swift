internal import System

/// The address of a mailbox (RFC 5322, section 3.4.1), in ASCII, and the name that is shown with it.
package struct MailAddress: Sendable, Equatable {
    /// `alice@example.com`; the domain in small letters.
    package let address: String
    /// Nil: the address alone is shown.
    package let name: String?

    /// Reads `alice@example.com` or `Alice <alice@example.com>`; nil for anything else: quoted local parts, comments, address literals, and
    /// letters that are not ASCII, which few servers take (RFC 6531).
    package init?(_ text: String) {
        let text = Self.trimmed(text)
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return nil }
        guard text.hasSuffix(">") else {
            self.init(address: text, name: nil)
            return
        }
        guard let open = text.lastIndex(of: "<") else { return nil }
        var name = Self.trimmed(text[..<open])
        if name.count >= 2, name.hasPrefix("\""), name.hasSuffix("\"") { name = String(name.dropFirst().dropLast()) }
        self.init(
            address: String(text[text.index(after: open)...].dropLast()), name: name.isEmpty ? nil : name)
    }

    /// Takes the parts; nil when the address is none. A control character in the name becomes a space when it is written.
    package init?(address: String, name: String?) {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, address.utf8.count <= Self.longest, Self.isLocalPart(parts[0]),
            Self.isDomain(parts[1])
        else { return nil }
        self.address = "\(parts[0])@\(parts[1].lowercased())"
        self.name = name
    }

    /// In bytes (RFC 5321, section 4.5.3.1: a path has 256 with its brackets).
    private static let longest = 254

    /// The part behind the `@`.
    package var domain: String { String(address.drop { $0 != "@" }.dropFirst()) }

    /// As a header field has it, in pieces that stand apart by spaces.
    var words: [String] { (name.map(MailHeader.phrase) ?? []) + ["<\(address)>"] }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return String(text)
    }

    /// A dot-atom of 64 bytes at most.
    private static func isLocalPart(_ text: Substring) -> Bool {
        text.utf8.count <= 64
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty
                    && atom.utf8.allSatisfy { $0.isASCIILetterOrDigit || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
            }
    }

    /// Labels of the domain system; a name in a home network has one.
    private static func isDomain(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            1...63 ~= label.utf8.count && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
        }
    }
}
