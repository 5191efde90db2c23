internal import CExpat

/// An element of an XML document that another server has sent.
package struct XMLElement: Sendable, Equatable {
    /// The local name: no service read here uses one name in two namespaces.
    package let name: String
    /// By local name.
    package let attributes: [String: String]
    /// All text directly in it.
    package fileprivate(set) var text = ""
    package fileprivate(set) var children: [XMLElement] = []

    /// The first child of a name.
    package subscript(name: String) -> XMLElement? { children.first { $0.name == name } }

    /// Every child of a name.
    package func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The text without surrounding white space; nil when there is none.
    package var value: String? {
        let words = text.drop(while: \.isWhitespace)
        guard let end = words.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(words[...end])
    }
}

extension XMLElement {
    /// The largest document that is read, in bytes.
    package static let maximumBytes = 16 << 20
    /// The deepest nesting that is read.
    package static let maximumDepth = 32

    /// Reads a document in UTF-8.
    ///
    /// - Returns: Nil when it is not well-formed by XML 1.0 and its namespaces, exceeds a limit, or has a document type: no
    ///   entity is ever declared.
    package init?(parsing document: [UInt8]) {
        guard document.count <= Self.maximumBytes, let root = XMLTree.root(of: document) else { return nil }
        self = root
    }
}

/// Builds a tree from the events of expat. The corresponding C functions are `XML_ParserCreateNS`, `XML_Parse` and `XML_ParserFree`.
private final class XMLTree {
    /// Stands between a namespace and a local name. Neither contains it.
    private static let separator: Unicode.Scalar = "\u{1F}"

    private let parser: OpaquePointer
    private var root: XMLElement?
    /// The elements that have not ended, outermost first.
    private var open: [XMLElement] = []
    private var isRefused = false

    /// The root of a document; nil when it is refused.
    static func root(of document: [UInt8]) -> XMLElement? {
        guard let tree = XMLTree() else { return nil }
        return withExtendedLifetime(tree) { tree.read(document) }
    }

    /// Nil when there is no memory.
    private init?() {
        // The encoding named here wins over the document's own.
        guard let parser = XML_ParserCreateNS("UTF-8", CChar(Self.separator.value)) else { return nil }
        self.parser = parser
    }

    deinit { XML_ParserFree(parser) }

    private func read(_ document: [UInt8]) -> XMLElement? {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(parser, { XMLTree.of($0)?.begin($1, $2) }, { tree, _ in XMLTree.of(tree)?.end() })
        XML_SetCharacterDataHandler(parser) { XMLTree.of($0)?.add($1, Int($2)) }
        XML_SetStartDoctypeDeclHandler(parser) { tree, _, _, _, _ in XMLTree.of(tree)?.refuse() }
        let status = document.withUnsafeBytes { bytes in
            XML_Parse(parser, bytes.bindMemory(to: CChar.self).baseAddress, CInt(bytes.count), 1)
        }
        return status == XML_STATUS_OK && !isRefused ? root : nil
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> XMLTree? {
        pointer.map { Unmanaged<XMLTree>.fromOpaque($0).takeUnretainedValue() }
    }

    /// `attributes` are names and values in turn; nil ends them.
    private func begin(
        _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        guard !isRefused, let name, let attributes, open.count < XMLElement.maximumDepth else { return refuse() }
        var values: [String: String] = [:]
        var index = 0
        while let name = attributes[index], let value = attributes[index + 1] {
            values[Self.localName(name)] = String(cString: value)
            index += 2
        }
        open.append(XMLElement(name: Self.localName(name), attributes: values))
    }

    private func end() {
        guard !isRefused, let element = open.popLast() else { return }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }

    private func add(_ text: UnsafePointer<XML_Char>?, _ count: Int) {
        guard !isRefused, !open.isEmpty else { return }
        open[open.count - 1].text += String(decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self)
    }

    private func refuse() {
        isRefused = true
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    private static func localName(_ name: UnsafePointer<XML_Char>) -> String {
        let name = String(cString: name)
        return name.split(separator: Character(separator), maxSplits: 1).last.map(String.init) ?? name
    }
}

/// Escapes a text for XML content and attributes (XML 1.0, section 2.4).
package func xmlEscaped(_ text: String) -> String {
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
