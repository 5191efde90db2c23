/// Makes any text safe to stand inside a line of a log.
enum LogText {
    /// Whether logfmt could misread `text` without quotes.
    static func needsQuotes(_ text: String) -> Bool {
        text.isEmpty || text.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "=") }
    }

    /// Appends at most `LogLine.valueLimit` bytes of `text`, and says how many more there were.
    ///
    /// Control, format and line-separating characters (Unicode general categories Cc, Cf, Zl, Zp: newlines, terminal
    /// escapes, bidi overrides, invisible tags) become escapes as JSON has them; so do `"` and `\` inside quotes
    /// (RFC 8259, section 7).
    static func append(_ text: String, to line: inout [UInt8], quoted: Bool) {
        if isPlain(text) {
            // Most texts are.
            if quoted { line.append(UInt8(ascii: "\"")) }
            line += text.utf8
            if quoted { line.append(UInt8(ascii: "\"")) }
        } else {
            appendEscaped(text, to: &line, quoted: quoted)
        }
    }

    /// Whether `text` is short, and visible ASCII without `"` and `\`.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= LogLine.valueLimit
            && text.utf8.allSatisfy {
                0x20...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
    }

    private static func appendEscaped(_ text: String, to line: inout [UInt8], quoted: Bool) {
        if quoted { line.append(UInt8(ascii: "\"")) }
        let start = line.count
        var shown = 0
        for scalar in text.unicodeScalars {
            let width = UTF8.width(scalar)
            // Escapes make the line longer than the text, so both are bounded.
            guard shown + width <= LogLine.valueLimit, line.count - start < LogLine.valueLimit else {
                line += "…(+\(text.utf8.count - shown) bytes)".utf8
                break
            }
            shown += width
            append(scalar, to: &line, quoted: quoted)
        }
        if quoted { line.append(UInt8(ascii: "\"")) }
    }

    private static func append(_ scalar: Unicode.Scalar, to line: inout [UInt8], quoted: Bool) {
        switch scalar {
        case "\n": line += "\\n".utf8
        case "\r": line += "\\r".utf8
        case "\t": line += "\\t".utf8
        case "\"", "\\":
            if quoted { line.append(UInt8(ascii: "\\")) }
            line.append(UInt8(ascii: scalar))
        case " "..."~": line.append(UInt8(ascii: scalar))
        default:
            if isInvisible(scalar) {
                for unit in UTF16.encode(scalar)?.map({ $0 }) ?? [] { line += escape(unit).utf8 }
            } else {
                line += UTF8.encode(scalar)?.map { $0 } ?? []
            }
        }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
