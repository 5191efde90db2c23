internal import HTTP

/// The address of a link that somebody has written for people, as a URL (RFC 3986).
enum LinkAddress {
    /// `text` with percent-encoding behind the host, for letters beyond ASCII and for signs that no URL has; what is encoded
    /// stays. Letters of the host stay too: browsers know what is asked for them.
    static func url(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard let host = text.firstRange(of: "://")?.upperBound else { return text }
        let rest = text[host...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? text.endIndex
        var url = String(text[..<rest])
        var hasFragment = false
        for index in text.utf8.distance(from: text.startIndex, to: rest)..<bytes.count {
            let byte = bytes[index]
            let stays =
                switch byte {
                case UInt8(ascii: "#"): !hasFragment
                case UInt8(ascii: "%"): bytes[(index + 1)...].prefix(2).filter(isHexDigit).count == 2
                default: isAllowed(byte)
                }
            if byte == UInt8(ascii: "#") { hasFragment = true }
            url += stays ? String(UnicodeScalar(byte)) : PercentEncoding.encode([byte])
        }
        return url
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool { Character(UnicodeScalar(byte)).isHexDigit }

    /// The characters of paths and queries (RFC 3986, section 3.3): `pchar` and what separates.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@/?".utf8.contains(byte)
        }
    }
}
