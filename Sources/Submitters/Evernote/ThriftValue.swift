/// A value of Thrift's binary protocol.
///
/// Source: apache/thrift, `doc/specs/thrift-binary-protocol.md`; read 2026-11-21. Everything is big endian.
indirect enum ThriftValue: Sendable, Equatable {
    case bool(Bool)
    case byte(Int8)
    case double(Double)
    case i16(Int16)
    case i32(Int32)
    case i64(Int64)
    /// A text, too.
    case binary([UInt8])
    case structure(ThriftStruct)
    case list(of: UInt8, [ThriftValue])
    case set(of: UInt8, [ThriftValue])
    case map(key: UInt8, value: UInt8, [[ThriftValue]])

    static func string(_ text: String) -> ThriftValue { .binary(Array(text.utf8)) }

    /// The number that stands for its type.
    var type: UInt8 {
        switch self {
        case .bool: 2
        case .byte: 3
        case .double: 4
        case .i16: 6
        case .i32: 8
        case .i64: 10
        case .binary: 11
        case .structure: 12
        case .map: 13
        case .set: 14
        case .list: 15
        }
    }

    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    var int: Int64? {
        switch self {
        case .byte(let value): Int64(value)
        case .i16(let value): Int64(value)
        case .i32(let value): Int64(value)
        case .i64(let value): value
        default: nil
        }
    }
    var bytes: [UInt8]? { if case .binary(let value) = self { value } else { nil } }
    var string: String? { bytes.flatMap { String(validating: $0, as: UTF8.self) } }
    var structure: ThriftStruct? { if case .structure(let value) = self { value } else { nil } }
    var list: [ThriftValue]? { if case .list(_, let values) = self { values } else { nil } }
}

/// Fields by their numbers, in order.
struct ThriftStruct: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    private(set) var fields: [(id: Int16, value: ThriftValue)] = []

    init() {}

    /// Takes the fields in their order.
    init(dictionaryLiteral fields: (Int16, ThriftValue)...) {
        self.fields = fields.map { (id: $0.0, value: $0.1) }
    }

    subscript(id: Int16) -> ThriftValue? { fields.first { $0.id == id }?.value }

    mutating func add(_ id: Int16, _ value: ThriftValue) {
        fields.append((id: id, value: value))
    }

    static func == (left: ThriftStruct, right: ThriftStruct) -> Bool {
        left.fields.elementsEqual(right.fields) { $0.id == $1.id && $0.value == $1.value }
    }
}
