/// A frame (RFC 9113, section 4.1).
struct Frame {
    var type: Kind
    var flags: UInt8 = 0
    var stream: Int = 0
    var payload: [UInt8] = []

    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
        /// Of a type that nobody knows.
        case unknown = 0xB0
    }

    static let endStream: UInt8 = 1
    static let acknowledgement: UInt8 = 1
    static let endHeaders: UInt8 = 4

    var bytes: [UInt8] {
        Self.number(payload.count, 3) + [type.rawValue, flags] + Self.number(stream, 4) + payload
    }

    var endsStream: Bool { (type == .data || type == .headers) && flags & Self.endStream != 0 }

    /// Takes a frame from the front of `bytes`; nil while it is incomplete.
    init?(from bytes: inout ArraySlice<UInt8>) {
        let head = Array(bytes.prefix(9))
        guard head.count == 9 else { return nil }
        let length = Self.number(head[0..<3])
        guard bytes.count >= 9 + length else { return nil }
        type = Kind(rawValue: head[3]) ?? .unknown
        flags = head[4]
        stream = Self.number(head[5..<9]) & 0x7FFF_FFFF
        payload = Array(bytes.dropFirst(9).prefix(length))
        bytes = bytes.dropFirst(9 + length)
    }

    init(_ type: Kind, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []) {
        (self.type, self.flags, self.stream, self.payload) = (type, flags, stream, payload)
    }

    static func settings(_ values: [(id: Int, value: Int)]) -> Frame {
        Frame(.settings, values.flatMap { number($0.id, 2) + number($0.value, 4) })
    }

    static func windowUpdate(_ stream: Int, _ increment: Int) -> Frame {
        Frame(.windowUpdate, stream: stream, number(increment, 4))
    }

    static func reset(_ stream: Int, _ code: Int = 8) -> Frame { Frame(.reset, stream: stream, number(code, 4)) }

    /// Header fields in the simplest coding: nothing indexed, nothing compressed (RFC 7541, section 6.2.2).
    static func headers(_ stream: Int, _ fields: [(String, String)], ends: Bool = true, isWhole: Bool = true) -> Frame {
        Frame(
            .headers, flags: (ends ? endStream : 0) | (isWhole ? endHeaders : 0), stream: stream, block(fields))
    }

    static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + text($0.0) + text($0.1) }
    }

    static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// A length with a prefix of seven bits (RFC 7541, section 5.1), then the bytes.
    private static func text(_ text: String) -> [UInt8] {
        var length: [UInt8] = []
        var rest = text.utf8.count
        if rest < 127 {
            length = [UInt8(rest)]
        } else {
            length = [127]
            rest -= 127
            while rest >= 128 {
                length.append(UInt8(rest & 127 | 128))
                rest >>= 7
            }
            length.append(UInt8(rest))
        }
        return length + text.utf8
    }
}
