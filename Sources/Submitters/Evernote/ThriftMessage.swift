/// A call or its response in Thrift's binary protocol, with its strict head.
struct ThriftMessage: Sendable, Equatable {
    enum Kind: UInt8, Sendable {
        case call = 1
        case reply
        /// The response of a server that does not know the call, or could not read it.
        case exception
        case oneWay
    }

    let kind: Kind
    let name: String
    let body: ThriftStruct

    init(_ kind: Kind, _ name: String, _ body: ThriftStruct) {
        self.kind = kind
        self.name = name
        self.body = body
    }

    /// As it goes over the wire; the sequence number is 0, for each message has a request of its own.
    var serialized: [UInt8] {
        var writer = ThriftWriter()
        writer.write(UInt32(0x8001_0000) | UInt32(kind.rawValue))
        writer.write(.string(name))
        writer.write(UInt32(0))
        writer.write(.structure(body))
        return writer.bytes
    }

    /// Reads a message, of the old form too; nil when it is none. Fields that are not known are kept.
    init?(parsing bytes: [UInt8]) {
        var reader = ThriftReader(bytes)
        guard let head = reader.i32() else { return nil }
        let code: UInt8
        let name: String?
        if head < 0 {
            guard UInt32(bitPattern: head) & 0xFFFF_0000 == 0x8001_0000 else { return nil }
            code = UInt8(truncatingIfNeeded: head)
            name = reader.value(11, depth: 0)?.string
        } else {
            name = reader.take(Int(head)).flatMap { String(validating: $0, as: UTF8.self) }
            guard let byte = reader.byte() else { return nil }
            code = byte
        }
        guard let kind = Kind(rawValue: code), let name, reader.i32() != nil,
            let body = reader.value(12, depth: 0)?.structure
        else { return nil }
        self.init(kind, name, body)
    }
}

private struct ThriftWriter {
    var bytes: [UInt8] = []

    mutating func write(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    mutating func write(_ value: ThriftValue) {
        switch value {
        case .bool(let value): bytes.append(value ? 1 : 0)
        case .byte(let value): write(value)
        case .double(let value): write(value.bitPattern)
        case .i16(let value): write(value)
        case .i32(let value): write(value)
        case .i64(let value): write(value)
        case .binary(let value):
            write(Int32(clamping: value.count))
            bytes += value
        case .structure(let value):
            for field in value.fields {
                bytes.append(field.value.type)
                write(field.id)
                write(field.value)
            }
            bytes.append(0)
        case .list(let type, let values), .set(let type, let values):
            bytes.append(type)
            write(Int32(clamping: values.count))
            for value in values { write(value) }
        case .map(let key, let value, let pairs):
            bytes += [key, value]
            write(Int32(clamping: pairs.count))
            for pair in pairs { for value in pair { write(value) } }
        }
    }
}

/// Reads values; what a length promises must be there, and nesting has an end.
private struct ThriftReader {
    private static let greatestDepth = 32

    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func take(_ count: Int) -> [UInt8]? {
        guard count >= 0, count <= bytes.count - index else { return nil }
        defer { index += count }
        return Array(bytes[index..<(index + count)])
    }

    mutating func byte() -> UInt8? { take(1)?[0] }

    mutating func i32() -> Int32? { number(Int32.self) }

    private mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        take(MemoryLayout<Number>.size)?.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    mutating func value(_ type: UInt8, depth: Int) -> ThriftValue? {
        guard depth < Self.greatestDepth else { return nil }
        switch type {
        case 2: return byte().map { .bool($0 != 0) }
        case 3: return byte().map { .byte(Int8(bitPattern: $0)) }
        case 4: return number(UInt64.self).map { .double(Double(bitPattern: $0)) }
        case 6: return number(Int16.self).map { .i16($0) }
        case 8: return i32().map { .i32($0) }
        case 10: return number(Int64.self).map { .i64($0) }
        case 11: return i32().flatMap { take(Int($0)) }.map { .binary($0) }
        case 12: return structure(depth: depth).map { .structure($0) }
        case 13: return map(depth: depth)
        case 14, 15:
            guard let element = byte(), let values = values(of: element, depth: depth) else { return nil }
            return type == 14 ? .set(of: element, values) : .list(of: element, values)
        default: return nil
        }
    }

    private mutating func structure(depth: Int) -> ThriftStruct? {
        var structure = ThriftStruct()
        while let type = byte() {
            if type == 0 { return structure }
            guard let id = number(Int16.self), let value = value(type, depth: depth + 1) else { return nil }
            structure.add(id, value)
        }
        return nil
    }

    private mutating func map(depth: Int) -> ThriftValue? {
        guard let key = byte(), let value = byte(), let count = i32(), count >= 0 else { return nil }
        var pairs: [[ThriftValue]] = []
        for _ in 0..<count {
            guard let first = self.value(key, depth: depth + 1), let second = self.value(value, depth: depth + 1) else {
                return nil
            }
            pairs.append([first, second])
        }
        return .map(key: key, value: value, pairs)
    }

    /// Each value takes a byte at least, so that a length that lies ends soon.
    private mutating func values(of type: UInt8, depth: Int) -> [ThriftValue]? {
        guard let count = i32(), count >= 0 else { return nil }
        var values: [ThriftValue] = []
        for _ in 0..<count {
            guard let value = value(type, depth: depth + 1) else { return nil }
            values.append(value)
        }
        return values
    }
}
