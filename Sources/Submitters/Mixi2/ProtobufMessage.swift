/// A message in the wire format of Protocol Buffers: fields by their numbers, in order.
///
/// Source: protobuf.dev, "Encoding"; read 2026-11-22. Every field that came is kept, known or not.
struct ProtobufMessage: Sendable, Equatable {
    enum Value: Sendable, Equatable {
        /// A number, an enumeration's case, a truth.
        case varint(UInt64)
        case fixed64(UInt64)
        /// A text or a message, too.
        case bytes([UInt8])
        case fixed32(UInt32)
    }

    struct Field: Sendable, Equatable {
        let number: UInt32
        let value: Value
    }

    private(set) var fields: [Field] = []

    init() {}

    // MARK: Values

    /// Adds a text, unless it is the empty one, which goes without saying.
    mutating func add(_ number: UInt32, _ text: String) {
        if !text.isEmpty { fields.append(Field(number: number, value: .bytes(Array(text.utf8)))) }
    }

    /// Adds a number, unless it is 0, which goes without saying.
    mutating func add(_ number: UInt32, _ value: UInt64) {
        if value != 0 { fields.append(Field(number: number, value: .varint(value))) }
    }

    /// The last number of a field; 0 when there is none.
    func number(_ field: UInt32) -> UInt64 {
        for case let other in fields.reversed() where other.number == field {
            if case .varint(let value) = other.value { return value }
        }
        return 0
    }

    /// The last text of a field; empty when there is none, or it is not UTF-8.
    func text(_ field: UInt32) -> String {
        bytes(field).last.flatMap { String(validating: $0, as: UTF8.self) } ?? ""
    }

    /// The message of a field: what came in pieces is one. Nil when there is none, or it is malformed.
    func message(_ field: UInt32) -> ProtobufMessage? {
        let pieces = bytes(field)
        return pieces.isEmpty ? nil : ProtobufMessage(parsing: Array(pieces.joined()))
    }

    /// The messages of a repeated field; nil when one is malformed.
    func messages(_ field: UInt32) -> [ProtobufMessage]? {
        var messages: [ProtobufMessage] = []
        for bytes in bytes(field) {
            guard let message = ProtobufMessage(parsing: bytes) else { return nil }
            messages.append(message)
        }
        return messages
    }

    private func bytes(_ field: UInt32) -> [[UInt8]] {
        fields.compactMap { other in
            guard other.number == field, case .bytes(let bytes) = other.value else { return nil }
            return bytes
        }
    }

    // MARK: The wire

    private static let numbers: ClosedRange<UInt64> = 1...0x1FFF_FFFF

    /// As it goes over the wire.
    var serialized: [UInt8] {
        var bytes: [UInt8] = []
        for field in fields {
            let number = UInt64(field.number) << 3
            switch field.value {
            case .varint(let value):
                Self.write(number, to: &bytes)
                Self.write(value, to: &bytes)
            case .fixed64(let value):
                Self.write(number | 1, to: &bytes)
                withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
            case .bytes(let value):
                Self.write(number | 2, to: &bytes)
                Self.write(UInt64(value.count), to: &bytes)
                bytes += value
            case .fixed32(let value):
                Self.write(number | 5, to: &bytes)
                withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
            }
        }
        return bytes
    }

    /// Reads a message to its end; nil when it is malformed, or has groups, which are of an older language. What a
    /// length promises must be there. Messages within are read when they are asked for: nesting costs nothing.
    init?(parsing bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let tag = Self.varint(&rest), Self.numbers.contains(tag >> 3) else { return nil }
            let value: Value?
            switch tag & 7 {
            case 0: value = Self.varint(&rest).map { .varint($0) }
            case 1: value = Self.fixed(UInt64.self, &rest).map { .fixed64($0) }
            case 2:
                let count = Self.varint(&rest).flatMap { Int(exactly: $0) }
                value = count.flatMap { Self.take($0, &rest) }.map { .bytes(Array($0)) }
            case 5: value = Self.fixed(UInt32.self, &rest).map { .fixed32($0) }
            default: value = nil
            }
            guard let value else { return nil }
            fields.append(Field(number: UInt32(tag >> 3), value: value))
        }
    }

    private static func write(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// At most ten bytes, which hold 64 bits and not more.
    private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst(), shift < 63 || byte <= 1 else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    private static func fixed<Number: FixedWidthInteger>(
        _ type: Number.Type, _ rest: inout ArraySlice<UInt8>
    ) -> Number? {
        take(MemoryLayout<Number>.size, &rest)?.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
