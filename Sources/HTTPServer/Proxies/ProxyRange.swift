/// Proxies whose word is taken: an address, all addresses that begin alike, or the processes behind unix sockets.
package enum ProxyRange: Hashable, Sendable {
    /// The addresses whose first `bits` bits are those of `address` (RFC 4632, section 3.1; RFC 4291, section 2.3).
    case prefix(IPAddress, bits: Int)
    /// Every client of a unix socket.
    case unix

    /// `192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32` or `unix`. Bits behind the prefix do not matter.
    package init?(_ text: String) {
        if text == "unix" {
            self = .unix
            return
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
        let width = address.isV4 ? 32 : 128
        guard parts.count == 2 else {
            self = .prefix(address, bits: width)
            return
        }
        let digits = parts[1].utf8
        guard 1...3 ~= digits.count, digits.allSatisfy(\.isDigit), let bits = Int(parts[1]), bits <= width,
            // An IPv4 address that is written as IPv6 has another count of bits: nobody could tell which is meant.
            !(address.isV4 && parts[0].contains(":"))
        else { return nil }
        self = .prefix(address, bits: bits)
    }

    /// The text that reads as this.
    package var text: String {
        switch self {
        case .unix: "unix"
        case .prefix(let address, let bits):
            bits == (address.isV4 ? 32 : 128) ? address.text : "\(address.text)/\(bits)"
        }
    }

    func contains(_ other: IPAddress) -> Bool {
        guard case .prefix(let address, let bits) = self, address.isV4 == other.isV4 else { return false }
        // Of IPv4 just the last 32 of the 128 bits count.
        let count = address.isV4 ? bits + 96 : bits
        let highMask = Self.mask(min(count, 64))
        let lowMask = Self.mask(max(0, count - 64))
        return (address.high ^ other.high) & highMask == 0 && (address.low ^ other.low) & lowMask == 0
    }

    /// The first `bits` of 64 bits.
    private static func mask(_ bits: Int) -> UInt64 { bits == 0 ? 0 : UInt64.max << UInt64(64 - bits) }
}

/// The fields in which the proxies in front of a server tell of their clients.
package enum ProxyFields: String, CaseIterable, Sendable {
    /// Whichever comes; where both come, they have to agree.
    case any
    /// `Forwarded` alone (RFC 7239).
    case forwarded
    /// `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` alone.
    case xForwarded = "x-forwarded"
}

/// The proxies in front of a server, whose word about their clients is taken.
struct TrustedProxies: Sendable {
    let fields: ProxyFields
    private let ranges: [ProxyRange]
    private let trustsUnixSockets: Bool

    init(_ ranges: [ProxyRange], fields: ProxyFields = .any) {
        self.fields = fields
        trustsUnixSockets = ranges.contains(.unix)
        self.ranges = ranges.filter { $0 != .unix }
    }

    func contains(_ address: IPAddress) -> Bool {
        for range in ranges where range.contains(address) { return true }
        return false
    }

    func contains(_ peer: PeerAddress) -> Bool {
        guard let address = peer.ip else { return peer.isUnixSocket && trustsUnixSockets }
        return contains(address)
    }
}
