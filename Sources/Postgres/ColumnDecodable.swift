/// A Swift value that a column can be read as. An enum or a wrapper around a decodable raw value needs no code of its
/// own.
package protocol ColumnDecodable {
    /// Reads one value; throws `value.mismatch(…)` when it does not fit.
    static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> Self

    /// Reads a one-dimensional array of such values; there is a default.
    static func decodeArray(_ value: borrowing ColumnValue) throws(PostgresError) -> [Self]
}

extension ColumnDecodable {
    /// The layout is that of `array_send`: dimensions, flags, element type; per dimension length and lower bound; then
    /// each element with its length, which is -1 for NULL.
    package static func decodeArray(_ value: borrowing ColumnValue) throws(PostgresError) -> [Self] {
        var rest = ByteReader(value.bytes)
        guard !value.isNull, let dimensions = rest.integer(), rest.integer() != nil, let type = rest.integer() else {
            throw value.mismatch("an array of \(Self.self)")
        }
        if dimensions == 0 { return [] }
        guard dimensions == 1, let count = rest.integer(), rest.integer() != nil, count <= value.bytes.count / 4 else {
            throw value.mismatch("an array of \(Self.self) with one dimension")
        }
        var elements: [Self] = []
        elements.reserveCapacity(Int(count))
        for _ in 0..<max(0, count) {
            guard let length = rest.integer(), let bytes = rest.bytes(max(0, Int(length))) else {
                throw value.mismatch("an array of \(Self.self)")
            }
            elements.append(
                try decode(
                    ColumnValue(bytes: bytes, type: UInt32(bitPattern: type), isNull: length < 0, name: value.name)))
        }
        return elements
    }
}

extension ColumnDecodable where Self: RawRepresentable, RawValue: ColumnDecodable {
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> Self {
        guard let decoded = Self(rawValue: try RawValue.decode(value)) else { throw value.mismatch("\(Self.self)") }
        return decoded
    }
}

/// Takes big-endian integers and bytes from the front of a buffer; nil when it is too short.
private struct ByteReader {
    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count <= rest.count else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }

    mutating func integer() -> Int32? { bytes(4).map { Int32(bigEndian: $0.loadUnaligned(as: Int32.self)) } }
}

/// One value in PostgreSQL's binary format, lent to the type that decodes it.
package struct ColumnValue: ~Copyable {
    let bytes: UnsafeRawBufferPointer
    /// The OID of its type (`pg_type.dat` of PostgreSQL).
    let type: UInt32
    package let isNull: Bool
    let name: StaticString

    /// The error for a value that is not what the code reads.
    package func mismatch(_ expected: String) -> PostgresError {
        .decoding(column: "\(name)", expected: expected, found: isNull ? "NULL" : PostgresType.name(type))
    }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
        Number(bigEndian: bytes.loadUnaligned(as: Number.self))
    }

    /// Whether this is a value of type `type` with a length of `count` bytes.
    func holds(_ type: UInt32, count: Int) -> Bool { self.type == type && bytes.count == count && !isNull }
}

/// The types whose binary form is known here, by OID.
enum PostgresType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let name: UInt32 = 19
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let json: UInt32 = 114
    static let float4: UInt32 = 700
    static let float8: UInt32 = 701
    static let bpchar: UInt32 = 1042
    static let varchar: UInt32 = 1043
    static let date: UInt32 = 1082
    static let timestamptz: UInt32 = 1184
    static let interval: UInt32 = 1186
    static let uuid: UInt32 = 2950
    static let jsonb: UInt32 = 3802
    /// From here on OIDs are of types that a database defines itself, such as enums (`FirstNormalObjectId`).
    static let firstOwn: UInt32 = 16_384

    static func name(_ type: UInt32) -> String {
        switch type {
        case bool: "bool"
        case bytea: "bytea"
        case name: "name"
        case int8: "int8"
        case int2: "int2"
        case int4: "int4"
        case text: "text"
        case json: "json"
        case float4: "float4"
        case float8: "float8"
        case bpchar: "char"
        case varchar: "varchar"
        case date: "date"
        case timestamptz: "timestamptz"
        case interval: "interval"
        case uuid: "uuid"
        case jsonb: "jsonb"
        case 1114: "timestamp"
        case 1700: "numeric"
        default: "of type \(type)"
        }
    }
}
