/// Thrift's binary protocol as a service reads and writes it; written apart from the code under test.
indirect enum FakeThrift: Sendable {
    case number(Int64, type: UInt8)
    case double(Double)
    case bytes([UInt8])
    case fields([Int16: FakeThrift])
    case list([FakeThrift])

    static func text(_ text: String) -> FakeThrift { .bytes(Array(text.utf8)) }
    static func i32(_ value: Int) -> FakeThrift { .number(Int64(value), type: 8) }
    static func i64(_ value: Int64) -> FakeThrift { .number(value, type: 10) }

    subscript(id: Int16) -> FakeThrift? { if case .fields(let fields) = self { fields[id] } else { nil } }

    var text: String? { if case .bytes(let bytes) = self { String(validating: bytes, as: UTF8.self) } else { nil } }
    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var number: Int64? { if case .number(let value, _) = self { value } else { nil } }
    var list: [FakeThrift]? { if case .list(let values) = self { values } else { nil } }
    var double: Double? { if case .double(let value) = self { value } else { nil } }

    // MARK: Reading

    /// The name and the arguments of a call; nil when it is none, or something follows it.
    static func call(_ bytes: [UInt8]) -> (name: String, arguments: FakeThrift)? {
        var rest = bytes[...]
        guard integer(4, &rest) == Int64(Int32(bitPattern: 0x8001_0001)), let length = integer(4, &rest),
            let name = take(Int(length), &rest), integer(4, &rest) != nil, let arguments = read(12, &rest),
            rest.isEmpty
        else { return nil }
        return (String(decoding: name, as: UTF8.self), arguments)
    }

    private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard 0 <= count, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private static func integer(_ size: Int, _ rest: inout ArraySlice<UInt8>) -> Int64? {
        guard let bytes = take(size, &rest) else { return nil }
        let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let shift = UInt64(64 - 8 * size)
        return Int64(bitPattern: value << shift) >> Int64(shift)
    }

    private static func read(_ type: UInt8, _ rest: inout ArraySlice<UInt8>) -> FakeThrift? {
        switch type {
        case 2, 3: return integer(1, &rest).map { .number($0, type: type) }
        case 4: return integer(8, &rest).map { .double(Double(bitPattern: UInt64(bitPattern: $0))) }
        case 6: return integer(2, &rest).map { .number($0, type: type) }
        case 8: return integer(4, &rest).map { .number($0, type: type) }
        case 10: return integer(8, &rest).map { .number($0, type: type) }
        case 11:
            guard let length = integer(4, &rest) else { return nil }
            return take(Int(length), &rest).map { .bytes(Array($0)) }
        case 12:
            var fields: [Int16: FakeThrift] = [:]
            while let kind = integer(1, &rest), kind != 0 {
                guard let id = integer(2, &rest), let value = read(UInt8(kind), &rest) else { return nil }
                fields[Int16(id)] = value
            }
            return .fields(fields)
        case 15:
            guard let kind = integer(1, &rest), let count = integer(4, &rest) else { return nil }
            var values: [FakeThrift] = []
            for _ in 0..<count {
                guard let value = read(UInt8(kind), &rest) else { return nil }
                values.append(value)
            }
            return .list(values)
        default: return nil
        }
    }

    // MARK: Writing

    /// The reply to a call: field 0 holds the result, fields 1 to 3 an exception.
    static func reply(_ name: String, _ field: Int16, _ value: FakeThrift) -> [UInt8] {
        var bytes: [UInt8] = [0x80, 0x01, 0, 2]
        bytes += big(Int64(name.utf8.count), 4) + Array(name.utf8) + big(0, 4)
        return bytes + FakeThrift.fields([field: value]).written
    }

    private static func big(_ value: Int64, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> Int64(8 * (size - 1 - $0))) }
    }

    private var type: UInt8 {
        switch self {
        case .number(_, let type): type
        case .double: 4
        case .bytes: 11
        case .fields: 12
        case .list: 15
        }
    }

    private var written: [UInt8] {
        switch self {
        case .number(let value, let type): Self.big(value, [2: 1, 3: 1, 6: 2, 8: 4][type] ?? 8)
        case .double(let value): Self.big(Int64(bitPattern: value.bitPattern), 8)
        case .bytes(let bytes): Self.big(Int64(bytes.count), 4) + bytes
        case .fields(let fields):
            fields.sorted { $0.key < $1.key }.flatMap {
                [$0.value.type] + Self.big(Int64($0.key), 2) + $0.value.written
            }
                + [0]
        case .list(let values):
            [values.first?.type ?? 12] + Self.big(Int64(values.count), 4) + values.flatMap(\.written)
        }
    }
}
