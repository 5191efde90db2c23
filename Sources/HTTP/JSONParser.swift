/// Why a text is not the JSON we read. Safe to show: it quotes nothing of the text.
package struct JSONError: Error, Equatable, CustomStringConvertible {
    /// The offences, each with a sentence about it.
    package enum Reason: String, Sendable {
        case unexpectedEnd = "the text ends too early"
        case unexpectedByte = "this may not stand here"
        case badNumber = "not a number JSON knows, or too large"
        case badEscape = "not an escape JSON knows, or half of a surrogate pair"
        case controlCharacter = "a control character must be escaped"
        case notUTF8 = "the text is not UTF-8"
        case duplicateName = "the object has this name twice"
        case tooDeep = "nested too deep"
        case trailingBytes = "something follows the value"
    }

    /// The mistake.
    package let reason: Reason
    /// Where, in bytes from the start of the text.
    package let offset: Int

    package var description: String { "byte \(offset): \(reason.rawValue)" }
}

extension JSONValue {
    /// Parses a JSON text strictly (RFC 8259).
    ///
    /// Names that come twice, lone surrogates, a byte order mark and anything after the value are errors.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8; the caller bounds its length, which bounds the memory of the value.
    ///   - depth: How many arrays and objects may stand in each other.
    /// - Throws: `JSONError` with the offset of the first offence.
    package init(parsing bytes: [UInt8], depth: Int = 32) throws(JSONError) {
        var parser = JSONParser(bytes: bytes)
        self = try parser.text(depth: depth)
    }
}

/// A recursive descent over the bytes; the depth bounds the stack.
private struct JSONParser {
    let bytes: [UInt8]
    var index = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func text(depth: Int) throws(JSONError) -> JSONValue {
        skipSpaces()
        let value = try value(depth: depth)
        skipSpaces()
        guard index == bytes.count else { throw error(.trailingBytes) }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error(.unexpectedByte)
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        guard depth > 0 else { throw error(.tooDeep) }
        index += 1
        var members: [JSONObject.Member] = []
        var names: Set<String> = []
        skipSpaces()
        if try take(UInt8(ascii: "}")) { return JSONObject() }
        while true {
            let start = index
            guard try peek() == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
            let name = try string()
            guard isNew(name, members, &names) else { throw JSONError(reason: .duplicateName, offset: start) }
            skipSpaces()
            guard try take(UInt8(ascii: ":")) else { throw error(.unexpectedByte) }
            skipSpaces()
            members.append(JSONObject.Member(name: name, value: try value(depth: depth - 1)))
            skipSpaces()
            if try take(UInt8(ascii: "}")) { return JSONObject(unique: members) }
            guard try take(UInt8(ascii: ",")) else { throw error(.unexpectedByte) }
            skipSpaces()
        }
    }

    /// Looks through a few members; many are kept in a set besides, so that a huge object costs no square of its size.
    private func isNew(_ name: String, _ members: [JSONObject.Member], _ names: inout Set<String>) -> Bool {
        guard members.count >= 16 else { return !members.contains { $0.name == name } }
        if names.isEmpty { names = Set(members.map(\.name)) }
        return names.insert(name).inserted
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth > 0 else { throw error(.tooDeep) }
        index += 1
        var elements: [JSONValue] = []
        skipSpaces()
        if try take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value(depth: depth - 1))
            skipSpaces()
            if try take(UInt8(ascii: "]")) { return elements }
            guard try take(UInt8(ascii: ",")) else { throw error(.unexpectedByte) }
            skipSpaces()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for offset in 0..<word.utf8CodeUnitCount {
            guard try peek() == word.utf8Start[offset] else { throw error(.unexpectedByte) }
            index += 1
        }
        return value
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        if try peek() == UInt8(ascii: "0") { index += 1 } else { try digits() }
        var isWhole = true
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            isWhole = false
            index += 1
            try digits()
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            index += 1
            let sign = try peek()
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole, let value = Int64(text) { return .int(value) }
        guard let value = Double(text), value.isFinite else { throw JSONError(reason: .badNumber, offset: start) }
        return .double(value)
    }

    private mutating func digits() throws(JSONError) {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= (try peek()) else { throw error(.badNumber) }
        while index < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] { index += 1 }
    }

    private mutating func string() throws(JSONError) -> String {
        let start = index
        index += 1
        var run = index
        var unescaped: [UInt8] = []
        while true {
            switch try peek() {
            case UInt8(ascii: "\""):
                let text =
                    unescaped.isEmpty
                    ? String(validating: bytes[run..<index], as: UTF8.self)
                    : String(validating: unescaped + bytes[run..<index], as: UTF8.self)
                index += 1
                guard let text else { throw JSONError(reason: .notUTF8, offset: start) }
                return text
            case UInt8(ascii: "\\"):
                unescaped += bytes[run..<index]
                index += 1
                try escape(into: &unescaped)
                run = index
            case 0..<0x20:
                throw error(.controlCharacter)
            default:
                index += 1
            }
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        let letter = try peek()
        index += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += Character(try scalar()).utf8
        default: throw JSONError(reason: .badEscape, offset: index - 2)
        }
    }

    /// The scalar of `\uXXXX`, or of two of them that form a surrogate pair; the first `\u` is behind us.
    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let start = index - 2
        let first = try codeUnit()
        var code = UInt32(first)
        if 0xD800..<0xDC00 ~= first {
            guard try take(UInt8(ascii: "\\")), try take(UInt8(ascii: "u")) else {
                throw JSONError(reason: .badEscape, offset: start)
            }
            let second = try codeUnit()
            guard 0xDC00..<0xE000 ~= second else { throw JSONError(reason: .badEscape, offset: start) }
            code = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw JSONError(reason: .badEscape, offset: start) }
        return scalar
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = hexValue(try peek()) else { throw error(.badEscape) }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }

    private func peek() throws(JSONError) -> UInt8 {
        guard index < bytes.count else { throw error(.unexpectedEnd) }
        return bytes[index]
    }

    private mutating func take(_ byte: UInt8) throws(JSONError) -> Bool {
        guard try peek() == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpaces() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    private func error(_ reason: JSONError.Reason) -> JSONError {
        JSONError(reason: reason, offset: index)
    }
}
