/// Reads XML 1.0 without document types: elements, attributes, texts, CDATA; comments and instructions are passed over.
struct XMLReader {
    /// How far elements may stand in each other.
    private static let greatestDepth = 32

    private let scalars: [Unicode.Scalar]
    private var index = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    /// The root; nil when the text is no document.
    mutating func document() -> XMLElement? {
        if scalars.first == "\u{FEFF}" { index = 1 }
        guard passOver(), let root = element(depth: 0), passOver(), index == scalars.count else { return nil }
        return root
    }

    /// Passes over white space, comments and instructions; false for a broken one.
    private mutating func passOver() -> Bool {
        while true {
            while index < scalars.count, Self.isSpace(scalars[index]) { index += 1 }
            if starts("<!--") {
                guard skip(behind: "-->") else { return false }
            } else if starts("<?") {
                guard skip(behind: "?>") else { return false }
            } else {
                return true
            }
        }
    }

    private mutating func element(depth: Int) -> XMLElement? {
        guard depth < Self.greatestDepth, take("<"), let name = name(), let attributes = attributes() else {
            return nil
        }
        var element = XMLElement(name: Self.local(name), attributes: attributes)
        if take("/>") { return element }
        guard take(">") else { return nil }
        while index < scalars.count {
            if take("</") {
                guard self.name() == name else { return nil }
                skipSpaces()
                return take(">") ? element : nil
            } else if starts("<![CDATA[") {
                let begin = index + 9
                guard skip(behind: "]]>") else { return nil }
                element.text.unicodeScalars.append(contentsOf: scalars[begin..<(index - 3)])
            } else if starts("<!--") {
                guard skip(behind: "-->") else { return nil }
            } else if starts("<?") {
                guard skip(behind: "?>") else { return nil }
            } else if scalars[index] == "<" {
                guard let child = self.element(depth: depth + 1) else { return nil }
                element.children.append(child)
            } else {
                guard let text = text(until: "<") else { return nil }
                element.text += text
            }
        }
        return nil
    }

    private mutating func attributes() -> [String: String]? {
        var attributes: [String: String] = [:]
        while true {
            skipSpaces()
            guard index < scalars.count else { return nil }
            if scalars[index] == ">" || scalars[index] == "/" { return attributes }
            guard let name = name() else { return nil }
            skipSpaces()
            guard take("=") else { return nil }
            skipSpaces()
            guard index < scalars.count, scalars[index] == "\"" || scalars[index] == "'" else { return nil }
            let quote = scalars[index]
            index += 1
            guard let value = text(until: quote), index < scalars.count else { return nil }
            index += 1
            attributes[Self.local(name)] = value
        }
    }

    private mutating func name() -> String? {
        let begin = index
        while index < scalars.count, !Self.isSpace(scalars[index]), !"<>/=\"'&".unicodeScalars.contains(scalars[index])
        {
            index += 1
        }
        guard index > begin, scalars[begin] != "!" else { return nil }
        return String(String.UnicodeScalarView(scalars[begin..<index]))
    }

    /// Text with its references replaced.
    private mutating func text(until end: Unicode.Scalar) -> String? {
        var text = String.UnicodeScalarView()
        while index < scalars.count, scalars[index] != end {
            guard scalars[index] == "&" else {
                text.append(scalars[index])
                index += 1
                continue
            }
            let begin = index + 1
            guard let semicolon = scalars[begin...].prefix(12).firstIndex(of: ";") else { return nil }
            let name = String(String.UnicodeScalarView(scalars[begin..<semicolon]))
            guard let scalar = Self.scalar(of: name) else { return nil }
            text.append(scalar)
            index = semicolon + 1
        }
        return String(text)
    }

    private static func scalar(of reference: String) -> Unicode.Scalar? {
        switch reference {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard reference.hasPrefix("#") else { return nil }
            let isHex = reference.hasPrefix("#x")
            return UInt32(reference.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
        }
    }

    // MARK: Scalars

    private func starts(_ words: String) -> Bool { scalars[index...].starts(with: words.unicodeScalars) }

    private mutating func take(_ words: String) -> Bool {
        guard starts(words) else { return false }
        index += words.unicodeScalars.count
        return true
    }

    private mutating func skip(behind words: String) -> Bool {
        while index < scalars.count {
            if take(words) { return true }
            index += 1
        }
        return false
    }

    private mutating func skipSpaces() {
        while index < scalars.count, Self.isSpace(scalars[index]) { index += 1 }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }

    private static func local(_ name: String) -> String {
        name.split(separator: ":", maxSplits: 1).last.map(String.init) ?? name
    }
}
