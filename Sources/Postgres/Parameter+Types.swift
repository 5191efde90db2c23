package import Foundation

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
    package var parameter: PostgresParameter { .text(Timestamp.text(self)) }
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
