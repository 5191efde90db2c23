/// Reads the pieces that field values are made of (RFC 9110, section 5.6), from left to right.
struct FieldScanner {
    private var rest: Substring.UTF8View

    init(_ value: String) {
        rest = value[...].utf8
    }

    /// Whether nothing but spaces is left.
    var isAtEnd: Bool { rest.allSatisfy(isSpace) }

    mutating func skipSpaces() {
        rest = rest.drop(while: isSpace)
    }

    /// Skips spaces and then `byte`, if it comes next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipSpaces()
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads bytes while `belongs` says so; nil if there is none.
    mutating func run(while belongs: (UInt8) -> Bool) -> String? {
        let run = rest.prefix(while: belongs)
        guard !run.isEmpty else { return nil }
        rest = rest[run.endIndex...]
        return String(Substring(run))
    }

    /// Reads a token.
    mutating func token() -> String? {
        skipSpaces()
        return run(while: isTokenByte)
    }

    /// Reads a quoted string and takes its quoted pairs apart.
    mutating func quotedString() -> String? {
        guard skip("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst() else { return nil }
                text.append(next)
            default:
                text.append(byte)
            }
        }
        return nil
    }

    /// Reads `; name=value …` up to something else; names in small letters. Nil if malformed.
    mutating func parameters() -> [FieldParameter]? {
        var parameters: [FieldParameter] = []
        while skip(";") {
            guard let name = token() else { continue }
            guard rest.first == UInt8(ascii: "=") else { return nil }
            rest.removeFirst()
            guard let value = rest.first == UInt8(ascii: "\"") ? quotedString() : run(while: isTokenByte) else {
                return nil
            }
            parameters.append(FieldParameter(name: name.lowercased(), value: value))
        }
        return parameters
    }

    /// Skips the rest of a list element, and its comma; commas in quoted strings do not count.
    mutating func skipElement() {
        while let byte = rest.first, byte != UInt8(ascii: ",") {
            if byte == UInt8(ascii: "\"") {
                guard quotedString() != nil else { return }
            } else {
                rest.removeFirst()
            }
        }
        rest = rest.dropFirst()
    }
}

/// A `name=value` that belongs to a field value.
package struct FieldParameter: Hashable, Sendable {
    /// In small letters.
    package let name: String
    /// Without quotes.
    package let value: String

    /// Takes a pair as it is; `name` in small letters.
    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The value, in quotes when it is not a token.
    var serialized: String {
        if isToken(value) { return "\(name)=\(value)" }
        var quoted = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
            quoted.append(scalar)
        }
        return "\(name)=\"\(quoted)\""
    }
}

/// Whether the text is a token (RFC 9110, section 5.6.2): a method, a field name, a parameter's name.
package func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
}

/// Whether a byte may stand in a token.
package func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
        UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
        true
    default:
        false
    }
}

private func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}
