internal import Glibc

/// An IPv4 or IPv6 address, compared by its bits.
///
/// An IPv4 address that stands in an IPv6 one is the IPv4 address: `::ffff:192.0.2.1` is `192.0.2.1`, because a socket that listens
/// for both shows its IPv4 clients so (RFC 4291, section 2.5.5.2).
package struct IPAddress: Hashable, Sendable {
    /// In network order; of IPv4 the last 32 bits.
    let high: UInt64
    let low: UInt64
    let isV4: Bool

    init(v4 bits: UInt32) { (high, low, isV4) = (0, UInt64(bits), true) }

    init(v6 high: UInt64, _ low: UInt64) {
        isV4 = high == 0 && low >> 32 == 0xFFFF
        self.high = high
        self.low = isV4 ? low & 0xFFFF_FFFF : low
    }

    /// Four or sixteen bytes in network order; anything else is nil.
    init?(bytes: Span<UInt8>) {
        switch bytes.count {
        case 4: self.init(v4: UInt32(truncatingIfNeeded: Self.number(bytes, 0..<4)))
        case 16: self.init(v6: Self.number(bytes, 0..<8), Self.number(bytes, 8..<16))
        default: return nil
        }
    }

    private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var number: UInt64 = 0
        for index in range { number = number << 8 | UInt64(bytes[index]) }
        return number
    }

    /// `192.0.2.1` or `2001:db8::1`, without brackets, port or zone (inet_pton(3)).
    package init?(_ text: String) {
        // C would end the text at a zero byte and see another address.
        guard 2...45 ~= text.utf8.count, !text.utf8.contains(0) else { return nil }
        var storage: (UInt64, UInt64) = (0, 0)
        let isV6 = text.utf8.contains(UInt8(ascii: ":"))
        let status = withUnsafeMutableBytes(of: &storage) { inet_pton(isV6 ? AF_INET6 : AF_INET, text, $0.baseAddress) }
        guard status == 1 else { return nil }
        if isV6 {
            self.init(v6: UInt64(bigEndian: storage.0), UInt64(bigEndian: storage.1))
        } else {
            let bits = withUnsafeBytes(of: storage) { $0.loadUnaligned(as: UInt32.self) }
            self.init(v4: UInt32(bigEndian: bits))
        }
    }

    /// The same form in small letters (RFC 5952).
    package var text: String {
        if isV4 { return "\(low >> 24).\(low >> 16 & 255).\(low >> 8 & 255).\(low & 255)" }
        let storage = (high.bigEndian, low.bigEndian)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            withUnsafeBytes(of: storage) { bytes in
                inet_ntop(AF_INET6, bytes.baseAddress, buffer.baseAddress, socklen_t(buffer.count))
                    .map { String(cString: $0) } ?? "?"
            }
        }
    }

    /// Of an IPv4 address its first 24 bits, of an IPv6 one 64.
    var network: String {
        isV4 ? "\(IPAddress(v4: UInt32(low) & 0xFFFF_FF00).text)/24" : "\(IPAddress(v6: high, 0).text)/64"
    }

    /// 127.0.0.0/8 and ::1.
    /// Of this machine or of a network that is not the internet (RFC 1918, 3927, 4193, 4291).
    var isNear: Bool {
        guard isV4 else { return isLoopback || high >> 57 == 0x7E || high >> 54 == 0x3FA }
        return isLoopback || low >> 24 == 10 || low >> 20 == 0xAC1 || low >> 16 == 0xC0A8 || low >> 16 == 0xA9FE
    }

    var isLoopback: Bool { isV4 ? low >> 24 == 127 : high == 0 && low == 1 }
}
