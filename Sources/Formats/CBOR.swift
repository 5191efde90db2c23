/// A value of CBOR, as authenticators write it: the part of RFC 8949 that CTAP2 allows.
///
/// Source: CTAP 2.1, section 8, "Message Encoding"; RFC 8949. Lengths are definite, numbers in their shortest form, keys of maps numbers or
/// texts that come once. Tags and floating-point numbers are refused: nothing that is asked for here has any.
package enum CBOR: Sendable, Equatable {
    case unsigned(UInt64)
    /// −1 − the number.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBOR])
    case map([Entry])
    case bool(Bool)
    case null

    /// An entry of a map.
    package struct Entry: Sendable, Equatable {
        package let key: CBOR
        package let value: CBOR
    }

    /// Why bytes are no CBOR of this kind.
    package enum Fault: Error, Equatable {
        /// They end too early.
        case tooShort
        /// More follows than a single value.
        case trailingBytes
        /// A value that CTAP2 does not allow.
        case notAllowed
        /// More levels or values than anything that is asked for has.
        case tooLarge
    }

    private static let mostLevels = 8
    private static let mostValues = 256

    /// Reads a single value.
    package init(_ bytes: some Collection<UInt8>) throws(Fault) {
        let (value, count) = try Self.first(in: bytes)
        guard count == bytes.count else { throw .trailingBytes }
        self = value
    }

    /// Reads the value that bytes begin with; and the number of its bytes.
    package static func first(in bytes: some Collection<UInt8>) throws(Fault) -> (value: CBOR, count: Int) {
        var reader = Reader(Array(bytes))
        let value = try reader.value(level: 0)
        return (value, reader.offset)
    }

    // MARK: What is asked for

    /// The value of a map's entry; nil for none, and for what is no map.
    package subscript(_ key: String) -> CBOR? { self[.text(key)] }

    /// The value of a map's entry whose key is a number.
    package subscript(_ key: Int) -> CBOR? {
        self[key < 0 ? .negative(UInt64(-1 - key)) : .unsigned(UInt64(key))]
    }

    private subscript(_ key: CBOR) -> CBOR? {
        guard case .map(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }

    package var asBytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

    package var asText: String? { if case .text(let text) = self { text } else { nil } }

    /// The number, if it fits.
    package var asInt: Int? {
        switch self {
        case .unsigned(let number): Int(exactly: number)
        case .negative(let number): Int(exactly: number).map { -1 - $0 }
        default: nil
        }
    }

    // MARK: Reading

    private struct Reader {
        private let bytes: [UInt8]
        private(set) var offset = 0
        private var valuesLeft = CBOR.mostValues

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func value(level: Int) throws(Fault) -> CBOR {
            valuesLeft -= 1
            guard level <= CBOR.mostLevels, valuesLeft >= 0 else { throw .tooLarge }
            let first = try byte()
            switch first >> 5 {
            case 0: return .unsigned(try number(first))
            case 1: return .negative(try number(first))
            case 2: return .bytes(try run(first))
            case 3:
                guard let text = String(validating: try run(first), as: UTF8.self) else { throw .notAllowed }
                return .text(text)
            case 4:
                var elements: [CBOR] = []
                for _ in 0..<(try count(first)) { elements.append(try value(level: level + 1)) }
                return .array(elements)
            case 5:
                return .map(try entries(try count(first), level: level + 1))
            case 7 where first == 0xF4: return .bool(false)
            case 7 where first == 0xF5: return .bool(true)
            case 7 where first == 0xF6: return .null
            default: throw .notAllowed
            }
        }

        private mutating func entries(_ count: Int, level: Int) throws(Fault) -> [Entry] {
            var entries: [Entry] = []
            for _ in 0..<count {
                let key = try value(level: level)
                switch key {
                case .unsigned, .negative, .text: break
                default: throw .notAllowed
                }
                guard !entries.contains(where: { $0.key == key }) else { throw .notAllowed }
                entries.append(Entry(key: key, value: try value(level: level)))
            }
            return entries
        }

        private mutating func byte() throws(Fault) -> UInt8 {
            guard offset < bytes.count else { throw .tooShort }
            defer { offset += 1 }
            return bytes[offset]
        }

        /// The argument of a first byte (RFC 8949, section 3), in its shortest form.
        private mutating func number(_ first: UInt8) throws(Fault) -> UInt64 {
            let (width, least): (Int, UInt64)
            switch first & 31 {
            case let small where small < 24: return UInt64(small)
            case 24: (width, least) = (1, 24)
            case 25: (width, least) = (2, 1 << 8)
            case 26: (width, least) = (4, 1 << 16)
            case 27: (width, least) = (8, 1 << 32)
            default: throw .notAllowed
            }
            var number: UInt64 = 0
            for _ in 0..<width { number = number << 8 | UInt64(try byte()) }
            guard number >= least else { throw .notAllowed }
            return number
        }

        /// A number of values that follow, each of a byte at least.
        private mutating func count(_ first: UInt8) throws(Fault) -> Int {
            let count = try number(first)
            guard count <= UInt64(CBOR.mostValues) else { throw .tooLarge }
            return Int(count)
        }

        private mutating func run(_ first: UInt8) throws(Fault) -> [UInt8] {
            let count = try number(first)
            guard count <= UInt64(bytes.count - offset) else { throw .tooShort }
            defer { offset += Int(count) }
            return Array(bytes[offset..<(offset + Int(count))])
        }
    }
}
