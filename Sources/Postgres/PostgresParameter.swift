package import FoundationEssentials
internal import System

/// The value of `$1`, `$2` and so on, as it goes to the server.
///
/// Text serves all types: the server reads it as the type that the SQL asks for. Bytes go as they are.
package enum PostgresParameter: Sendable, Equatable {
    case null
    case text(String)
    case bytes([UInt8])
}

/// A Swift value that can be a parameter. An enum or a wrapper around a convertible raw value needs no code of its own.
package protocol ParameterConvertible: Sendable {
    /// The value as it goes to the server.
    var parameter: PostgresParameter { get }

    /// A one-dimensional array of such values; there is a default.
    static func parameter(of values: [Self]) -> PostgresParameter
}

extension ParameterConvertible {
    package static func parameter(of values: [Self]) -> PostgresParameter {
        .text(ArrayLiteral.text(values.map(\.parameter)))
    }
}

extension ParameterConvertible where Self: RawRepresentable, RawValue: ParameterConvertible {
    package var parameter: PostgresParameter { rawValue.parameter }
}

/// The text form of an array: `{"a","b \"c\"",NULL}` (PostgreSQL manual, "Array Input and Output Syntax").
private enum ArrayLiteral {
    static func text(_ elements: [PostgresParameter]) -> String {
        var bytes = [UInt8(ascii: "{")]
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            switch element {
            case .null: bytes += "NULL".utf8
            case .text(let text): append(text.utf8, to: &bytes)
            case .bytes(let value): append(Hexadecimal.bytea(value), to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "}"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ element: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in element {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

/// The text form of `bytea`: `\x0aff` (PostgreSQL manual, "bytea Hex Format").
private enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func bytea(_ bytes: [UInt8]) -> [UInt8] {
        Array("\\x".utf8) + bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}

extension String: ParameterConvertible {
    package var parameter: PostgresParameter { .text(self) }
}

extension Substring: ParameterConvertible {
    package var parameter: PostgresParameter { .text(String(self)) }
}

extension Bool: ParameterConvertible {
    package var parameter: PostgresParameter { .text(self ? "t" : "f") }
}

extension Int: ParameterConvertible {
    package var parameter: PostgresParameter { .text(String(self)) }
}

extension Int16: ParameterConvertible {
    package var parameter: PostgresParameter { .text(String(self)) }
}

extension Int32: ParameterConvertible {
    package var parameter: PostgresParameter { .text(String(self)) }
}

extension Int64: ParameterConvertible {
    package var parameter: PostgresParameter { .text(String(self)) }
}

extension Double: ParameterConvertible {
    /// The shortest text that reads back as the same value; `inf` and `nan` are known to PostgreSQL too.
    package var parameter: PostgresParameter { .text(description) }
}

extension UUID: ParameterConvertible {
    package var parameter: PostgresParameter { .text(uuidString) }

    /// An array in its binary form (`array_recv`): dimensions, whether there are NULLs, the element's type, then for the one
    /// dimension its length and lower bound, then every element behind its length; all of them big endian.
    package static func parameter(of values: [UUID]) -> PostgresParameter {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + 20 * values.count)
        func append(_ number: Int32) { withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) } }
        append(values.isEmpty ? 0 : 1)
        append(0)
        append(Int32(PostgresType.uuid))
        if !values.isEmpty {
            append(Int32(clamping: values.count))
            append(1)
        }
        for value in values {
            append(16)
            withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
        }
        return .bytes(bytes)
    }
}

extension Date: ParameterConvertible {
    /// `timestamptz` to the microsecond. `distantFuture` and later is `infinity`, `distantPast` and earlier `-infinity`.
    package var parameter: PostgresParameter { .text(PostgresTimestamp.text(self)) }
}

extension Duration: ParameterConvertible {
    /// `interval` to the microsecond.
    package var parameter: PostgresParameter {
        let (seconds, attoseconds) = components
        return .text("\(seconds) seconds \(attoseconds / 1_000_000_000_000) microseconds")
    }
}

extension UInt8: ParameterConvertible {
    package var parameter: PostgresParameter { .text(String(self)) }

    /// `[UInt8]` is `bytea`.
    package static func parameter(of values: [UInt8]) -> PostgresParameter { .bytes(values) }
}

extension Array: ParameterConvertible where Element: ParameterConvertible {
    package var parameter: PostgresParameter { Element.parameter(of: self) }
}

extension Optional: ParameterConvertible where Wrapped: ParameterConvertible {
    package var parameter: PostgresParameter { self?.parameter ?? .null }
}

/// The values of one statement laid out as libpq takes them; its storage is used again for the next statement.
struct ParameterBuffer {
    /// A statement with more bytes than this does not leave its storage behind.
    private static let keptCapacity = 64 << 10

    private var bytes: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var pointers: [UnsafePointer<CChar>?] = []

    /// Calls `body` with values, lengths and formats (PostgreSQL manual, `PQexecParams`) that live as long as the call.
    mutating func lend<Value>(
        _ parameters: [PostgresParameter],
        to body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Value
    ) -> Value {
        guard !parameters.isEmpty else { return body(nil, nil, nil) }
        clear()
        for parameter in parameters { append(parameter) }
        return bytes.withUnsafeBytes { bytes in
            pointers.removeAll(keepingCapacity: true)
            for offset in offsets {
                pointers.append(
                    offset.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) })
            }
            return body(pointers, lengths, formats)
        }
    }

    private mutating func clear() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ parameter: PostgresParameter) {
        let start = bytes.count
        switch parameter {
        case .null: break
        case .text(let text): bytes.append(contentsOf: text.utf8)
        case .bytes(let value): bytes.append(contentsOf: value)
        }
        offsets.append(parameter == .null ? nil : start)
        lengths.append(Int32(clamping: bytes.count - start))
        if case .bytes = parameter { formats.append(1) } else { formats.append(0) }
        // Ends a text, and gives an empty value an address: a null pointer would mean NULL.
        bytes.append(0)
    }
}

/// Points in time as PostgreSQL writes and sends them.
enum PostgresTimestamp {
    /// From 2000-01-01, where PostgreSQL counts from, to 2001-01-01, where Foundation does: 366 days.
    private static let offset: Int64 = 366 * 86_400 * 1_000_000

    /// Reads the binary form: microseconds since 2000; the ends of the range are `-infinity` and `infinity`.
    static func date(microseconds: Int64) -> Date {
        switch microseconds {
        case .max: .distantFuture
        case .min: .distantPast
        default:
            // Both are whole numbers that a Double holds exactly, so the quotient is the nearest Double.
            Date(timeIntervalSinceReferenceDate: (Double(microseconds) - Double(offset)) / 1_000_000)
        }
    }

    /// Writes `2026-11-21 19:30:00.000001+00`, whatever the session's DateStyle.
    static func text(_ date: Date) -> String {
        // The server refuses "NaN" with a clear error.
        guard !date.timeIntervalSinceReferenceDate.isNaN else { return "NaN" }
        guard date < .distantFuture else { return "infinity" }
        guard date > .distantPast else { return "-infinity" }
        let microseconds = Int64((date.timeIntervalSinceReferenceDate * 1_000_000).rounded())
        let seconds = microseconds.quotient(flooredBy: 1_000_000)
        // Foundation counts from 2001-01-01.
        let time = CivilTime(secondsSince1970: seconds + 978_307_200)
        let day = "\(padded(time.date.year, to: 4))-\(padded(time.date.month, to: 2))-\(padded(time.date.day, to: 2))"
        let clock = "\(padded(time.hour, to: 2)):\(padded(time.minute, to: 2)):\(padded(time.second, to: 2))"
        return "\(day) \(clock).\(padded(Int(microseconds - seconds * 1_000_000), to: 6))+00"
    }
}
