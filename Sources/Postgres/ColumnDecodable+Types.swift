package import FoundationEssentials

extension String: ColumnDecodable {
    /// Text, JSON as its text, and the types that a database defines itself, such as enums.
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> String {
        guard !value.isNull else { throw value.mismatch("text") }
        switch value.type {
        case PostgresType.text, PostgresType.varchar, PostgresType.bpchar, PostgresType.name, PostgresType.json,
            PostgresType.firstOwn...:
            return String(decoding: value.bytes, as: UTF8.self)
        case PostgresType.jsonb:
            // One byte, the version of the format, comes first (`jsonb_send`).
            guard value.bytes.first == 1 else { throw value.mismatch("jsonb of version 1") }
            return String(decoding: value.bytes.dropFirst(), as: UTF8.self)
        default:
            throw value.mismatch("text")
        }
    }
}

extension Bool: ColumnDecodable {
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> Bool {
        guard value.holds(PostgresType.bool, count: 1) else { throw value.mismatch("bool") }
        return value.bytes[0] != 0
    }
}

extension FixedWidthInteger where Self: ColumnDecodable {
    /// Any of PostgreSQL's integers whose value fits.
    fileprivate static func decodeInteger(_ value: borrowing ColumnValue) throws(PostgresError) -> Self {
        let number: Int64
        if value.holds(PostgresType.int8, count: 8) {
            number = value.integer(Int64.self)
        } else if value.holds(PostgresType.int4, count: 4) {
            number = Int64(value.integer(Int32.self))
        } else if value.holds(PostgresType.int2, count: 2) {
            number = Int64(value.integer(Int16.self))
        } else {
            throw value.mismatch("an integer")
        }
        guard let fitting = Self(exactly: number) else { throw value.mismatch("an integer of \(bitWidth) bits") }
        return fitting
    }
}

extension Int: ColumnDecodable {
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> Int { try decodeInteger(value) }
}

extension Int64: ColumnDecodable {
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> Int64 {
        try decodeInteger(value)
    }
}

extension Int32: ColumnDecodable {
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> Int32 {
        try decodeInteger(value)
    }
}

extension Int16: ColumnDecodable {
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> Int16 {
        try decodeInteger(value)
    }
}

extension UInt8: ColumnDecodable {
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> UInt8 {
        try decodeInteger(value)
    }

    /// `[UInt8]` is `bytea`.
    package static func decodeArray(_ value: borrowing ColumnValue) throws(PostgresError) -> [UInt8] {
        guard value.type == PostgresType.bytea, !value.isNull else { throw value.mismatch("bytea") }
        return Array(value.bytes)
    }
}

extension Double: ColumnDecodable {
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> Double {
        if value.holds(PostgresType.float8, count: 8) { return Double(bitPattern: value.integer(UInt64.self)) }
        if value.holds(PostgresType.float4, count: 4) { return Double(Float(bitPattern: value.integer(UInt32.self))) }
        throw value.mismatch("float8")
    }
}

extension UUID: ColumnDecodable {
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> UUID {
        guard value.holds(PostgresType.uuid, count: 16) else { throw value.mismatch("uuid") }
        return UUID(uuid: value.bytes.loadUnaligned(as: uuid_t.self))
    }
}

extension Date: ColumnDecodable {
    /// `timestamptz` to the microsecond (`infinity` is `distantFuture`, `-infinity` `distantPast`), or the begin of a
    /// `date` in UTC.
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> Date {
        if value.holds(PostgresType.timestamptz, count: 8) {
            return PostgresTimestamp.date(microseconds: value.integer(Int64.self))
        }
        guard value.holds(PostgresType.date, count: 4) else { throw value.mismatch("timestamptz") }
        return switch value.integer(Int32.self) {
        case .max: .distantFuture
        case .min: .distantPast
        case let days: PostgresTimestamp.date(microseconds: Int64(days) * 86_400_000_000)
        }
    }
}

extension Duration: ColumnDecodable {
    /// An `interval` without months; a day counts 24 hours.
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> Duration {
        guard value.holds(PostgresType.interval, count: 16),
            value.bytes.loadUnaligned(fromByteOffset: 12, as: Int32.self) == 0
        else { throw value.mismatch("an interval without months") }
        let days = Int32(bigEndian: value.bytes.loadUnaligned(fromByteOffset: 8, as: Int32.self))
        return .microseconds(value.integer(Int64.self)) + .seconds(Int64(days) * 86_400)
    }
}

extension Array: ColumnDecodable where Element: ColumnDecodable {
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> [Element] {
        try Element.decodeArray(value)
    }
}

extension Optional: ColumnDecodable where Wrapped: ColumnDecodable {
    package static func decode(_ value: borrowing ColumnValue) throws(PostgresError) -> Wrapped? {
        value.isNull ? nil : try Wrapped.decode(value)
    }
}
