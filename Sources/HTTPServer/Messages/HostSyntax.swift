/// `host [":" port]` (RFC 3986, section 3.2), without user information and not empty.
enum HostSyntax {
    static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let first = range.first else { return false }
        let hostEnd: Int
        if bytes[first] == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]"), in: range), bracket > first + 1,
                ((first + 1)..<bracket).allSatisfy({ isLiteral(bytes[$0]) })
            else { return false }
            hostEnd = bracket + 1
        } else {
            hostEnd = bytes.firstIndex(of: UInt8(ascii: ":"), in: range) ?? range.upperBound
            guard hostEnd > first, isName(bytes, first..<hostEnd) else { return false }
        }
        return isPort(bytes, hostEnd..<range.upperBound)
    }

    /// Unreserved characters, sub-delimiters and percent-encoded bytes.
    private static func isName(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < range.upperBound, bytes[index + 1].hexValue != nil, bytes[index + 2].hexValue != nil
                else {
                    return false
                }
                index += 3
            } else {
                guard isNameByte(bytes[index]) else { return false }
                index += 1
            }
        }
        return true
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="): true
        case UInt8(ascii: "#"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "%"): false
        default: byte.isToken
        }
    }

    /// The inside of an IP literal: an IPv6 address, or what a later version may bring.
    private static func isLiteral(_ byte: UInt8) -> Bool {
        byte.hexValue != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "v")
    }

    /// Nothing, or a colon and up to five digits (they may be missing) that are at most 65535.
    private static func isPort(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let colon = range.first else { return true }
        guard bytes[colon] == UInt8(ascii: ":"), range.count <= 6 else { return false }
        var port = 0
        for index in range.dropFirst() {
            guard bytes[index].isDigit else { return false }
            port = port * 10 + Int(bytes[index] - 0x30)
        }
        return port <= 65535
    }
}
