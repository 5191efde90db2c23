internal import CLinux
internal import Glibc

/// Who is at the other end of a connection.
struct PeerAddress {
    /// The numeric address, without a port; `unix` for a unix socket.
    let text: String
    /// What connections are counted by: an IPv4 address, or the first 64 bits of an IPv6 one, which one client may own
    /// whole. Nil for a unix socket: whoever may open it is trusted.
    let group: Group?

    struct Group: Hashable, Sendable {
        let high: UInt64
    }

    init(_ storage: sockaddr_storage) {
        (text, group) = withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET:
                return Self.v4(UnsafeRawBufferPointer(rebasing: bytes[4..<8]))
            case AF_INET6:
                // ::ffff:a.b.c.d is an IPv4 client of a socket that listens for both (RFC 4291, section 2.5.5.2).
                let isMapped = bytes[8..<18].allSatisfy { $0 == 0 } && bytes[18] == 0xFF && bytes[19] == 0xFF
                return isMapped ? Self.v4(UnsafeRawBufferPointer(rebasing: bytes[20..<24])) : Self.v6(bytes)
            default:
                return ("unix", nil)
            }
        }
    }

    private static func v4(_ bytes: UnsafeRawBufferPointer) -> (String, Group?) {
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return ("\(bytes[0]).\(bytes[1]).\(bytes[2]).\(bytes[3])", Group(high: number))
    }

    /// `bytes` is a `sockaddr_in6`, whose address begins at its eighth byte.
    private static func v6(_ bytes: UnsafeRawBufferPointer) -> (String, Group?) {
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            inet_ntop(AF_INET6, bytes.baseAddress?.advanced(by: 8), buffer.baseAddress, socklen_t(buffer.count))
                .map { String(cString: $0) } ?? "?"
        }
        return (text, Group(high: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}
