/// Protocol Buffers and the frames of gRPC as a service reads and writes them; written apart from the code under test.
struct FakeProtobuf: Sendable {
    private(set) var numbers: [Int: [UInt64]] = [:]
    private(set) var blocks: [Int: [[UInt8]]] = [:]
    private var written: [UInt8] = []

    init() {}

    func number(_ field: Int) -> UInt64 { numbers[field]?.last ?? 0 }
    func text(_ field: Int) -> String { String(decoding: blocks[field]?.last ?? [], as: UTF8.self) }
    func texts(_ field: Int) -> [String] { (blocks[field] ?? []).map { String(decoding: $0, as: UTF8.self) } }

    // MARK: Reading

    /// The message of a gRPC body; nil when it is none.
    init?(call body: [UInt8]) {
        guard body.count >= 5, body[0] == 0 else { return nil }
        let length = Int(body[1]) << 24 | Int(body[2]) << 16 | Int(body[3]) << 8 | Int(body[4])
        guard body.count == 5 + length else { return nil }
        var index = 5
        func varint() -> UInt64? {
            var value: UInt64 = 0
            var factor: UInt64 = 1
            while index < body.count {
                let byte = body[index]
                index += 1
                value &+= UInt64(byte % 128) &* factor
                factor = factor &* 128
                if byte < 128 { return value }
            }
            return nil
        }
        while index < body.count {
            guard let tag = varint() else { return nil }
            let field = Int(tag / 8)
            switch tag % 8 {
            case 0:
                guard let value = varint() else { return nil }
                numbers[field, default: []].append(value)
            case 2:
                guard let count = varint(), index + Int(count) <= body.count else { return nil }
                blocks[field, default: []].append(Array(body[index..<(index + Int(count))]))
                index += Int(count)
            default: return nil
            }
        }
    }

    // MARK: Writing

    func with(_ field: Int, _ value: UInt64) -> FakeProtobuf {
        var message = self
        message.written += Self.varint(UInt64(field * 8)) + Self.varint(value)
        return message
    }

    func with(_ field: Int, _ text: String) -> FakeProtobuf { with(field, bytes: Array(text.utf8)) }

    func with(_ field: Int, _ inner: FakeProtobuf) -> FakeProtobuf { with(field, bytes: inner.written) }

    /// Four bytes, as a `float` is written.
    func with(_ field: Int, float value: Float) -> FakeProtobuf {
        var message = self
        message.written += Self.varint(UInt64(field * 8 + 5))
        message.written += (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
        return message
    }

    private func with(_ field: Int, bytes: [UInt8]) -> FakeProtobuf {
        var message = self
        message.written += Self.varint(UInt64(field * 8 + 2)) + Self.varint(UInt64(bytes.count)) + bytes
        return message
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value % 128) + 128] + varint(value / 128)
    }

    /// The body of an answer.
    var framed: [UInt8] {
        let count = written.count
        return [0, UInt8(count >> 24 & 255), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
            + written
    }
}
