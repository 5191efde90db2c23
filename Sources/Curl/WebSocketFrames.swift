/// The kinds of frames (RFC 6455, section 5.2).
enum WebSocketOpcode: UInt8 {
    case continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10

    var isControl: Bool { rawValue >= 8 }
}

/// Writes the frames of a client, each with a mask of its own.
enum WebSocketEncoder {
    /// The longest payload of a control frame, in bytes.
    static let longestControl = 125

    /// A frame that is a whole message, or a control frame of `longestControl` bytes at most. `mask` has 4 bytes.
    static func frame(_ opcode: WebSocketOpcode, _ payload: some Collection<UInt8>, mask: [UInt8]) -> [UInt8] {
        let count = payload.count
        var frame: [UInt8] = []
        frame.reserveCapacity(count + 14)
        frame.append(0x80 | opcode.rawValue)
        switch count {
        case ...125: frame.append(0x80 | UInt8(count))
        case ...0xFFFF: frame += [0x80 | 126, UInt8(count >> 8), UInt8(count & 0xFF)]
        default:
            frame.append(0x80 | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                frame.append(UInt8(truncatingIfNeeded: count >> shift))
            }
        }
        frame += mask
        for (place, byte) in payload.enumerated() { frame.append(byte ^ mask[place & 3]) }
        return frame
    }
}

/// Why what a server sends is no WebSocket.
enum WebSocketFault: Error, Equatable {
    /// It breaks a rule of RFC 6455.
    case malformed(String)
    /// A text is no UTF-8.
    case notUTF8
    /// A message is longer than allowed.
    case tooLong

    /// The status that the connection is closed with (RFC 6455, section 7.4.1).
    var code: UInt16 {
        switch self {
        case .malformed: 1002
        case .notUTF8: 1007
        case .tooLong: 1009
        }
    }
}

/// Reads the frames of a server and joins fragments, from bytes that come in any pieces (RFC 6455, sections 5 to 8).
///
/// It keeps a message and one frame's head at most: a message that would be too long is refused by its head.
struct WebSocketDecoder {
    enum Event: Equatable {
        case text(String)
        case binary([UInt8])
        case ping([UInt8])
        case pong([UInt8])
        /// `code` is nil where the server gives none.
        case close(code: UInt16?)
    }

    /// In bytes.
    private let maxMessageBytes: Int
    /// Bytes that make no whole frame yet.
    private var pending: [UInt8] = []
    /// Of a message whose last fragment is missing.
    private var message: (opcode: WebSocketOpcode, bytes: [UInt8])?
    private var hasClosed = false

    init(maxMessageBytes: Int) { self.maxMessageBytes = maxMessageBytes }

    /// What is whole now. After an error, and behind a close, nothing may be read any more.
    mutating func read(_ bytes: some Collection<UInt8>) throws(WebSocketFault) -> [Event] {
        pending.append(contentsOf: bytes)
        var events: [Event] = []
        var start = 0
        // What follows a close is nobody's (section 5.5.1).
        while !hasClosed, let head = try Head(pending[start...]) {
            try check(head)
            guard pending.count - start - head.bytes >= head.length else { break }
            let from = start + head.bytes
            start = from + head.length
            if let event = try take(head, Array(pending[from..<start])) { events.append(event) }
        }
        pending.removeFirst(hasClosed ? pending.count : start)
        return events
    }

    private func check(_ head: Head) throws(WebSocketFault) {
        if head.opcode.isControl {
            guard head.isFinal else { throw .malformed("a control frame is fragmented") }
            guard head.length <= WebSocketEncoder.longestControl else {
                throw .malformed("a control frame is too long")
            }
            return
        }
        guard (head.opcode == .continuation) == (message != nil) else {
            throw .malformed("a fragment has no message, or a message begins within another")
        }
        guard head.length <= maxMessageBytes - (message?.bytes.count ?? 0) else { throw .tooLong }
    }

    private mutating func take(_ head: Head, _ payload: [UInt8]) throws(WebSocketFault) -> Event? {
        switch head.opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong(payload)
        case .close: return try closed(payload)
        case .text, .binary: message = (head.opcode, payload)
        case .continuation: message?.bytes += payload
        }
        guard head.isFinal, let whole = message else { return nil }
        message = nil
        guard whole.opcode == .text else { return .binary(whole.bytes) }
        guard let text = String(validating: whole.bytes, as: UTF8.self) else { throw .notUTF8 }
        return .text(text)
    }

    /// Codes that may be sent: RFC 6455, section 7.4, and the registry of IANA.
    private mutating func closed(_ payload: [UInt8]) throws(WebSocketFault) -> Event {
        hasClosed = true
        guard !payload.isEmpty else { return .close(code: nil) }
        guard payload.count >= 2 else { throw .malformed("half of a code closes") }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code) else {
            throw .malformed("no code of RFC 6455 closes")
        }
        guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else { throw .notUTF8 }
        return .close(code: code)
    }

    /// The head of a frame.
    private struct Head {
        let isFinal: Bool
        let opcode: WebSocketOpcode
        /// Of the payload.
        let length: Int
        /// Of the head itself.
        let bytes: Int

        /// Nil until it is whole. What its first bytes break is told at once.
        init?(_ data: ArraySlice<UInt8>) throws(WebSocketFault) {
            guard let first = data.first else { return nil }
            guard first & 0x70 == 0 else { throw .malformed("a reserved bit is set") }
            guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
                throw .malformed("a frame is of no kind")
            }
            guard data.count >= 2 else { return nil }
            let second = data[data.startIndex + 1]
            guard second & 0x80 == 0 else { throw .malformed("a server masks") }
            let extra = second == 126 ? 2 : second == 127 ? 8 : 0
            guard data.count >= 2 + extra else { return nil }
            let length = data.dropFirst(2).prefix(extra).reduce(UInt64(extra == 0 ? second : 0)) {
                $0 << 8 | UInt64($1)
            }
            guard extra == 0 || length > (extra == 2 ? 125 : 0xFFFF), let length = Int(exactly: length) else {
                throw .malformed("a length is written wrongly")
            }
            (isFinal, self.opcode, self.length, bytes) = (first & 0x80 != 0, opcode, length, 2 + extra)
        }
    }
}
