extension JSONValue {
    /// The value as UTF-8 without spaces; equal values give equal bytes.
    ///
    /// `<`, `>`, `&`, U+2028 and U+2029 are escaped, so the text may stand in an HTML script element.
    package var serialized: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        write(to: &bytes)
        return bytes
    }

    /// Appends what `serialized` gives.
    package func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .int(let value): bytes += String(value).utf8
        case .double(let value): bytes += (value.isFinite ? value.description : "null").utf8
        case .string(let value): writeString(value, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                writeString(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

/// Appends a text in quotes, escaped.
func writeString(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    text.utf8Span.span.withUnsafeBufferPointer { utf8 in
        var clean = 0
        var index = 0
        while index < utf8.count {
            let byte = utf8[index]
            guard mayNeedEscape[Int(byte)], let length = escapedLength(utf8, index) else {
                index += 1
                continue
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean..<index]))
            bytes.append(contentsOf: escape(of: byte, last: utf8[index + length - 1]).utf8)
            index += length
            clean = index
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean...]))
    }
    bytes.append(UInt8(ascii: "\""))
}

/// By first byte of a character, whether it may have to be escaped.
private let mayNeedEscape: [256 of Bool] = {
    var table = [256 of Bool](repeating: false)
    for byte in 0..<0x20 { table[byte] = true }
    for byte in [0x22, 0x26, 0x3C, 0x3E, 0x5C, 0xE2] { table[byte] = true }
    return table
}()

/// The bytes of the character at `index`; nil when it may stand as it is.
private func escapedLength(_ utf8: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
    guard utf8[index] == 0xE2 else { return 1 }
    // U+2028 and U+2029.
    return utf8[index + 1] == 0x80 && utf8[index + 2] & 0xFE == 0xA8 ? 3 : nil
}

/// The escape for a one-byte character, or for a line separator by its `last` byte.
private func escape(of byte: UInt8, last: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "\\"): "\\\\"
    case 0x08: "\\b"
    case 0x09: "\\t"
    case 0x0A: "\\n"
    case 0x0C: "\\f"
    case 0x0D: "\\r"
    case 0xE2: last == 0xA8 ? "\\u2028" : "\\u2029"
    default: (byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)
    }
}
