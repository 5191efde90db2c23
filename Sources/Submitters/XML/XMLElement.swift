/// An element of an XML document that a service has sent.
struct XMLElement: Sendable, Equatable {
    /// Without the prefix of its namespace: services differ in their prefixes, and none of those here uses one name
    /// twice.
    let name: String
    /// By name, without prefixes.
    let attributes: [String: String]
    /// All text directly in it.
    var text: String
    var children: [XMLElement]

    /// The first child of a name.
    subscript(name: String) -> XMLElement? { children.first { $0.name == name } }

    /// Every child of a name.
    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The text without surrounding white space; nil when there is none.
    var value: String? {
        let words = text.drop(while: \.isWhitespace)
        guard let end = words.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(words[...end])
    }

    /// Reads a document; nil when it is not well-formed, or has a document type: whoever declares entities is not read.
    init?(parsing document: [UInt8]) {
        guard let text = String(validating: document, as: UTF8.self) else { return nil }
        var parser = XMLReader(text)
        guard let root = parser.document() else { return nil }
        self = root
    }

    init(name: String, attributes: [String: String], text: String = "", children: [XMLElement] = []) {
        self.name = name
        self.attributes = attributes
        self.text = text
        self.children = children
    }
}

/// What XML needs in texts and attributes (XML 1.0, section 2.4).
func xmlEscaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
        // No other control character may stand in XML at all (section 2.2).
        case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": continue
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}
