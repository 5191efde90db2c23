internal import CCurl
internal import Glibc

/// Whether a socket address is of the public Internet.
func isPublicAddress(_ address: UnsafePointer<sockaddr>) -> Bool {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { isPublicIPv4($0.pointee.sin_addr) }
    case AF_INET6:
        address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { isPublicIPv6($0.pointee.sin6_addr) }
    default:
        false
    }
}

/// Whether an address in text form is of the public Internet; false for anything else.
func isPublicAddress(_ text: String) -> Bool {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 { return isPublicIPv4(four) }
    if inet_pton(AF_INET6, text, &six) == 1 { return isPublicIPv6(six) }
    return false
}

private func isPublicIPv4(_ address: in_addr) -> Bool {
    isPublicIPv4(UInt32(bigEndian: address.s_addr))
}

private func isPublicIPv4(_ address: UInt32) -> Bool {
    !notPublic.contains { address >> (32 - $0.bits) == $0.network >> (32 - $0.bits) }
}

/// Blocks that are not globally reachable.
///
/// Source: IANA IPv4 Special-Purpose Address Registry (RFC 6890 and later), and multicast (RFC 5771).
private let notPublic: [(network: UInt32, bits: UInt32)] = [
    (0x0000_0000, 8),  // 0.0.0.0/8 this network
    (0x0A00_0000, 8),  // 10.0.0.0/8 private
    (0x6440_0000, 10),  // 100.64.0.0/10 carrier-grade NAT
    (0x7F00_0000, 8),  // 127.0.0.0/8 loopback
    (0xA83F_8110, 32),  // 168.63.129.16 metadata of Azure
    (0xA9FE_0000, 16),  // 169.254.0.0/16 link-local, metadata of clouds
    (0xAC10_0000, 12),  // 172.16.0.0/12 private
    (0xC000_0000, 24),  // 192.0.0.0/24 protocol assignments
    (0xC000_0200, 24),  // 192.0.2.0/24 documentation
    (0xC058_6300, 24),  // 192.88.99.0/24 relays of 6to4
    (0xC0A8_0000, 16),  // 192.168.0.0/16 private
    (0xC612_0000, 15),  // 198.18.0.0/15 benchmarks
    (0xC633_6400, 24),  // 198.51.100.0/24 documentation
    (0xCB00_7100, 24),  // 203.0.113.0/24 documentation
    (0xE000_0000, 4),  // 224.0.0.0/4 multicast
    (0xF000_0000, 4),  // 240.0.0.0/4 reserved, broadcast
]

/// Only 2000::/3 is assigned to the public Internet; some blocks in it are not of it.
///
/// Source: IANA IPv6 Special-Purpose Address Registry (RFC 6890 and later), RFC 6052 for NAT64.
private func isPublicIPv6(_ address: in6_addr) -> Bool {
    let bytes = withUnsafeBytes(of: address) { Array($0) }
    let words = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    if words[0] == 0x64, words[1] == 0xFF9B, words[2..<6].allSatisfy({ $0 == 0 }) {
        // 64:ff9b::/96: what a network without IPv4 makes of an IPv4 address.
        return isPublicIPv4(UInt32(words[6]) << 16 | UInt32(words[7]))
    }
    switch (words[0], words[1]) {
    case (0x2001, 0..<0x200), (0x2001, 0xDB8), (0x2002, _): return false  // protocols, documentation, 6to4
    case (0x3FFF, 0..<0x1000): return false  // documentation
    default: return words[0] >> 13 == 1
    }
}

/// Scheme, host and port of a URL, for logs: without user, path and query.
func origin(of url: String) -> String {
    let malformed = "a malformed URL"
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0].hasSuffix(":"), parts[1].isEmpty else { return malformed }
    let authority = parts[2].prefix { $0 != "?" && $0 != "#" && $0 != "\\" }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    // Text that is no port may be the password of a user that was cut off at a slash.
    let port = host.split(separator: "]").last?.split(separator: ":", omittingEmptySubsequences: false).dropFirst()
    guard port?.allSatisfy({ Int($0) != nil }) ?? true else { return malformed }
    return "\(parts[0])//\(host)"
}
