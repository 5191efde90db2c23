/// `host [":" port]` (RFC 3986, section 3.2), without user information and not empty.
enum HostSyntax {
    /// The longest name of the domain name system, written down with a dot at its end (RFC 1035, section 2.3.4).
    private static let longestName = 254

    static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return false }
        let isLiteral = bytes[range.lowerBound] == UInt8(ascii: "[")
        guard let end = isLiteral ? endOfLiteral(bytes, range) : endOfName(bytes, range), end > range.lowerBound else {
            return false
        }
        guard end - range.lowerBound <= longestName else { return false }
        return isPort(bytes, end..<range.upperBound)
    }

    /// A valid authority without its port.
    static func host(of authority: String) -> Substring {
        if authority.first == "[", let end = authority.firstIndex(of: "]") { return authority[...end] }
        return authority.prefix { $0 != ":" }
    }

    /// The place behind unreserved characters, sub-delimiters and percent-encoded bytes; nil for half an escape.
    private static func endOfName(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < range.upperBound, bytes[index + 1].hexValue != nil, bytes[index + 2].hexValue != nil
                else { return nil }
                index += 3
            } else {
                guard isNameByte(bytes[index]) else { return index }
                index += 1
            }
        }
        return index
    }

    /// The place behind `[…]`, which holds an IPv6 address or one of a later version; nil if it holds neither.
    private static func endOfLiteral(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "]"), in: range) else { return nil }
        let address = (range.lowerBound + 1)..<end
        return isV6(bytes, address) || isLaterVersion(bytes, address) ? end + 1 : nil
    }

    private static func isV6(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        bytes.firstIndex(of: UInt8(ascii: ":"), in: range) != nil && IPAddress(bytes.text(range)) != nil
    }

    /// `v`, a number in hex, a dot and an address.
    private static func isLaterVersion(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard !range.isEmpty, bytes[range.lowerBound].lowercased == UInt8(ascii: "v"),
            let dot = bytes.firstIndex(of: UInt8(ascii: "."), in: range)
        else { return false }
        let version = (range.lowerBound + 1)..<dot
        let address = (dot + 1)..<range.upperBound
        return !version.isEmpty && version.allSatisfy { bytes[$0].hexValue != nil } && !address.isEmpty
            && address.allSatisfy { isNameByte(bytes[$0]) || bytes[$0] == UInt8(ascii: ":") }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="): true
        case UInt8(ascii: "#"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "%"): false
        default: byte.isToken
        }
    }

    /// Nothing, or a colon and digits (they may be missing) that are at most 65535.
    private static func isPort(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return true }
        guard bytes[range.lowerBound] == UInt8(ascii: ":") else { return false }
        var port = 0
        var index = range.lowerBound + 1
        while index < range.upperBound {
            guard bytes[index].isDigit else { return false }
            port = min(port * 10 + Int(bytes[index] - 0x30), 65536)
            index += 1
        }
        return port <= 65535
    }
}
