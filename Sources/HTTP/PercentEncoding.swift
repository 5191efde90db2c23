/// Percent-encoding of URI parts (RFC 3986, section 2).
package enum PercentEncoding {
    /// Encodes every byte of the UTF-8 text that is not unreserved: letters, digits, `-`, `.`, `_` and `~` stay.
    package static func encode(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isUnreserved) else { return text }
        return encode(Array(text.utf8))
    }

    /// Encodes every byte that is not unreserved.
    package static func encode(_ bytes: [UInt8]) -> String { encode(bytes, keeping: isUnreserved) }

    /// Encodes only these ASCII bytes, one by one: to a `String` CR LF is one character, and so is a quote with a mark that
    /// combines with it.
    static func encode(_ text: String, only special: StaticString) -> String {
        encode(Array(text.utf8)) { byte in !special.withUTF8Buffer { $0.contains(byte) } }
    }

    private static func encode(_ bytes: [UInt8], keeping isKept: (UInt8) -> Bool) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count * 3)
        for byte in bytes {
            if isKept(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(hexDigits[Int(byte >> 4)])
                encoded.append(hexDigits[Int(byte & 15)])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Decodes text; nil when a `%` is not followed by two hex digits or the result is not UTF-8 or holds a NUL.
    package static func decode(_ text: String) -> String? {
        decode(text[...])
    }

    /// Decodes a part of a text, as `decode(_: String)` does.
    package static func decode(_ text: Substring) -> String? {
        decode(text, plusIsSpace: false)
    }

    static func decode(_ text: Substring, plusIsSpace: Bool) -> String? {
        let plain = { (byte: UInt8) in byte != UInt8(ascii: "%") && byte != 0 && byte != UInt8(ascii: "+") }
        guard !text.utf8.allSatisfy(plain) else { return String(text) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.utf8.count)
        var rest = text.utf8
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
                    return nil
                }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                decoded.append(UInt8(ascii: " "))
            default:
                decoded.append(byte)
            }
        }
        return decoded.contains(0) ? nil : String(validating: decoded, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
}

/// The value of an ASCII hex digit of either case.
func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}
