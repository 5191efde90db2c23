package import FoundationEssentials

/// Writes events, one line each, with typed fields: `logger.info("photo stored", ["photo": id, "bytes": count])`.
///
/// An event below the threshold costs one comparison: its fields are not even made. The message is a constant of the
/// program; what changes belongs into fields. Both are escaped, so that no client can forge a line or turn the
/// direction of text.
package struct Logger: Sendable {
    /// Events below it are not written; `nil` writes none.
    package let threshold: LogLevel?

    private let destination: Destination
    /// The rendered fields of this logger, written after the message of every event.
    private let context: [[UInt8]]

    /// A logger that writes to `sink`.
    ///
    /// - Parameters:
    ///   - threshold: The lowest level that is written; `nil` writes nothing.
    ///   - format: How a line looks.
    ///   - sink: Where lines go.
    ///   - now: The clock; tests give their own.
    package init(
        threshold: LogLevel? = .info, format: LogFormat = .logfmt, sink: any LogSink = StandardErrorSink.shared,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(threshold, Destination(format: format, sink: sink, now: now), context: [])
    }

    private init(_ threshold: LogLevel?, _ destination: Destination, context: [[UInt8]]) {
        self.threshold = threshold
        self.destination = destination
        self.context = context
    }

    /// A logger that writes nothing.
    package static let silent = Logger(threshold: nil)

    /// The same logger with `fields` added to each of its events.
    package func with(_ fields: LogFields) -> Logger {
        Logger(threshold, destination, context: context + LogLine.rendered(fields, as: destination.format))
    }

    /// Whether events of `level` are written: for work that only a log line needs.
    package func writes(_ level: LogLevel) -> Bool {
        guard let threshold else { return false }
        return level >= threshold
    }

    /// Writes an event if `level` is written at all.
    package func log(_ level: LogLevel, _ message: String, _ fields: @autoclosure () -> LogFields = [:]) {
        guard writes(level) else { return }
        let format = destination.format
        var line = LogLine(format: format, time: destination.now(), level: level, message: message)
        line.append(context)
        line.append(LogLine.rendered(fields(), as: format))
        destination.sink.write(line.finished())
    }

    /// Adds the line of an event behind `lines`, which their owner writes by `write(_:)`; for those that come by the thousand.
    package func add(
        to lines: inout [UInt8], _ level: LogLevel, _ message: String, _ fields: (inout LogLine) -> Void
    ) {
        guard writes(level) else { return }
        var line = LogLine(
            behind: exchange(&lines, with: []), format: destination.format, time: destination.now(), level: level,
            message: message)
        line.append(context)
        fields(&line)
        lines = line.finished()
    }

    /// Writes whole lines that were made by `add(to:)`, at most `LogLine.limit` bytes, in one piece.
    package func write(_ lines: [UInt8]) { destination.sink.write(lines) }

    /// Writes an event of level `trace`.
    package func trace(_ message: String, _ fields: @autoclosure () -> LogFields = [:]) {
        log(.trace, message, fields())
    }

    /// Writes an event of level `debug`.
    package func debug(_ message: String, _ fields: @autoclosure () -> LogFields = [:]) {
        log(.debug, message, fields())
    }

    /// Writes an event of level `info`.
    package func info(_ message: String, _ fields: @autoclosure () -> LogFields = [:]) { log(.info, message, fields()) }

    /// Writes an event of level `notice`.
    package func notice(_ message: String, _ fields: @autoclosure () -> LogFields = [:]) {
        log(.notice, message, fields())
    }

    /// Writes an event of level `warning`.
    package func warning(_ message: String, _ fields: @autoclosure () -> LogFields = [:]) {
        log(.warning, message, fields())
    }

    /// Writes an event of level `error`.
    package func error(_ message: String, _ fields: @autoclosure () -> LogFields = [:]) {
        log(.error, message, fields())
    }

    /// The state that all loggers made from one share.
    private final class Destination: Sendable {
        let format: LogFormat
        let sink: any LogSink
        let now: @Sendable () -> Date

        init(format: LogFormat, sink: any LogSink, now: @escaping @Sendable () -> Date) {
            self.format = format
            self.sink = sink
            self.now = now
        }
    }
}

/// How much an event matters; a logger writes the events of its threshold and above.
package enum LogLevel: String, CaseIterable, Sendable, Comparable {
    /// Every step, for finding a defect.
    case trace
    /// Details for developers.
    case debug
    /// Ordinary events.
    case info
    /// Events that an operator should look at some day.
    case notice
    /// Something went wrong and was dealt with.
    case warning
    /// Something went wrong and somebody has to look.
    case error

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .trace: 0
        case .debug: 1
        case .info: 2
        case .notice: 3
        case .warning: 4
        case .error: 5
        }
    }
}

/// How an event becomes a line.
package enum LogFormat: String, CaseIterable, Sendable {
    /// `2026-11-21T19:30:00.123Z info photo stored photo=… bytes=…`; values with spaces, quotes or `=` stand in
    /// quotes.
    case logfmt
    /// One JSON object (RFC 8259): `time`, `level`, `message`, then the fields. Numbers and truth values stay what they
    /// are.
    case json
}

/// The named values of an event, in the order they are written: `["photo": id, "bytes": count]`.
///
/// A value is anything that describes itself on purpose. `nil` leaves the field out. A secret is wrapped
/// in a type whose description hides it.
package struct LogFields: ExpressibleByDictionaryLiteral {
    let elements: [(name: String, value: any CustomStringConvertible)]

    package init(dictionaryLiteral elements: (String, (any CustomStringConvertible)?)...) {
        self.elements = elements.compactMap { name, value in value.map { (name, $0) } }
    }
}

/// An error that knows more than its description tells: for the log alone, as it may quote rows, files or services.
package protocol DetailedError: Error {
    /// Everything that is known, in one line.
    var detail: String { get }
}

/// The log's text of an error.
package func logText(of error: any Error) -> String { (error as? any DetailedError)?.detail ?? "\(error)" }
