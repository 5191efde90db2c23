internal import FoundationEssentials
internal import System

/// One event as bytes, at most `limit` long with its newline, behind what is in the same array already.
package struct LogLine: ~Copyable {
    /// The bytes that a pipe takes in one piece: lines of several processes do not mix (POSIX.1-2017, write, PIPE_BUF on Linux).
    package static let limit = 4096
    /// The bytes of a message or value that are shown; of more, the rest is counted.
    static let valueLimit = 1024

    private let format: LogFormat
    private var bytes: [UInt8]
    private let start: Int
    private var leftOut = 0

    init(behind lines: consuming [UInt8] = [], format: LogFormat, time: Date, level: LogLevel, message: String) {
        self.format = format
        bytes = lines
        start = bytes.count
        if start == 0 { bytes.reserveCapacity(256) }
        switch format {
        case .logfmt:
            append(time)
            bytes += " \(level.rawValue) ".utf8
            LogText.append(message, to: &bytes, quoted: false)
        case .json:
            bytes += "{\"time\":\"".utf8
            append(time)
            bytes += "\",\"level\":\"\(level.rawValue)\",\"message\":".utf8
            LogText.append(message, to: &bytes, quoted: true)
        }
    }

    private mutating func append(_ time: Date) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: CivilTime.lengthOfRFC3339) { text in
            let milliseconds = (time.timeIntervalSince1970 * 1000).rounded(.down)
            CivilTime.writeRFC3339(millisecondsSince1970: Int64(milliseconds), to: text)
            bytes += text
        }
    }

    /// Appends rendered fields; one that would make the line too long is left out and counted.
    mutating func append(_ fields: [[UInt8]]) {
        for field in fields { appendField { line in line.bytes += field } }
    }

    // MARK: Fields of events that happen for each request, without a value in between

    /// Adds a text; nil leaves the field out.
    package mutating func add(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        appendField { line in
            line.begin(name)
            LogText.append(value, to: &line.bytes, quoted: line.format == .json || LogText.needsQuotes(value))
        }
    }

    /// Adds a number.
    package mutating func add(_ name: StaticString, _ value: Int64) {
        appendField { line in
            line.begin(name)
            line.append(value)
        }
    }

    /// Adds a duration as milliseconds to three places, as texts of other durations are.
    package mutating func add(_ name: StaticString, nanoseconds: Int64) {
        appendField { line in
            line.begin(name)
            if line.format == .json { line.bytes.append(UInt8(ascii: "\"")) }
            let microseconds = (nanoseconds + 500) / 1000
            line.append(microseconds / 1000)
            line.bytes.append(UInt8(ascii: "."))
            var (rest, place) = (microseconds % 1000, Int64(100))
            repeat {
                line.bytes.append(UInt8(ascii: "0") + UInt8(rest / place))
                (rest, place) = (rest % place, place / 10)
            } while rest > 0
            line.bytes += "ms".utf8
            if line.format == .json { line.bytes.append(UInt8(ascii: "\"")) }
        }
    }

    /// Adds what is true.
    package mutating func add(_ name: StaticString) {
        appendField { line in
            line.begin(name)
            line.bytes += "true".utf8
        }
    }

    private mutating func begin(_ name: StaticString) {
        bytes += (format == .json ? ",\"" : " ").utf8
        name.withUTF8Buffer { bytes += $0 }
        bytes += (format == .json ? "\":" : "=").utf8
    }

    private mutating func append(_ number: Int64) {
        guard number >= 0 else {
            bytes += number.description.utf8
            return
        }
        var (rest, place) = (number, Int64(1))
        while place <= rest / 10 { place *= 10 }
        while place > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(rest / place))
            (rest, place) = (rest % place, place / 10)
        }
    }

    /// Takes the field back, and counts it, when it makes the line too long: 64 bytes stay free for `left_out` and the end of the line.
    private mutating func appendField(_ write: (inout LogLine) -> Void) {
        let end = bytes.count
        write(&self)
        guard bytes.count - start > Self.limit - 64 else { return }
        bytes.removeSubrange(end...)
        leftOut += 1
    }

    /// The whole line with its newline, behind what was there before.
    consuming func finished() -> [UInt8] {
        if leftOut > 0 { bytes += Self.field("left_out", leftOut, format) }
        if format == .json { bytes.append(UInt8(ascii: "}")) }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// The fields as they stand in a line, each with what separates it from the one before.
    static func rendered(_ fields: LogFields, as format: LogFormat) -> [[UInt8]] {
        fields.elements.map { field($0.name, $0.value, format) }
    }

    private static func field(_ name: String, _ value: any CustomStringConvertible, _ format: LogFormat) -> [UInt8] {
        var bytes: [UInt8] = []
        switch format {
        case .logfmt:
            bytes += " \(name)=".utf8
            let text = text(of: value)
            LogText.append(text, to: &bytes, quoted: LogText.needsQuotes(text))
        case .json:
            bytes += ",\"\(name)\":".utf8
            if isNumberOrTruth(value) {
                bytes += value.description.utf8
            } else {
                LogText.append(text(of: value), to: &bytes, quoted: true)
            }
        }
        return bytes
    }

    private static func isNumberOrTruth(_ value: any CustomStringConvertible) -> Bool {
        // JSON has no infinity and no NaN.
        value is any FixedWidthInteger || value is Bool || (value as? Double)?.isFinite == true
    }

    /// Durations in milliseconds, everything else as it describes itself.
    private static func text(of value: any CustomStringConvertible) -> String {
        guard let duration = value as? Duration else { return value.description }
        let microseconds = duration / .microseconds(1)
        return "\(microseconds.rounded() / 1000)ms"
    }
}

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
