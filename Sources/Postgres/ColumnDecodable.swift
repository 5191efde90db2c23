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
