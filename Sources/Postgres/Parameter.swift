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
