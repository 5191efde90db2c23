internal import Foundation
internal import System

/// One event as bytes, at most `limit` long with its newline.
struct LogLine {
    /// What a pipe takes in one piece: lines of several processes do not mix (POSIX.1-2017, write, PIPE_BUF on Linux).
    static let limit = 4096
    /// The bytes of a message or value that are shown; of more, the rest is counted.
    static let valueLimit = 1024

    private let format: LogFormat
    private var bytes: [UInt8] = []
    private var leftOut = 0

    init(format: LogFormat, time: Date, level: LogLevel, message: String) {
        self.format = format
        bytes.reserveCapacity(256)
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
        for field in fields {
            // 64 bytes stay free for `left_out` and the end of the line.
            if bytes.count + field.count <= Self.limit - 64 { bytes += field } else { leftOut += 1 }
        }
    }

    /// The whole line with its newline.
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
