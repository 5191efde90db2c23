internal import CLinux
internal import Glibc

/// The remote peer of a connection, or the client that a trusted proxy reports.
struct PeerAddress: Sendable, Equatable {
    /// The numeric address, without a port; `unix` for a unix socket; what a proxy calls a client whose address it does not
    /// tell, or its own address.
    let text: String
    /// Nil for a unix socket, and where a proxy tells no address.
    let ip: IPAddress?
    /// The group that connections and requests are counted in: an IPv4 address, or the first 64 bits of an IPv6 one, which one client
    /// may own whole. Nil for a unix socket: a process that may open it is trusted.
    let group: Group?

    struct Group: Hashable, Sendable {
        enum Kind: UInt8 {
            case v4, v6
            /// All clients whose address a proxy does not tell, together.
            case untold
        }

        let kind: Kind
        let bits: UInt64
    }

    /// The other end of a unix socket.
    static let unix = PeerAddress(text: "unix", ip: nil, group: nil)

    /// A client without an address from its proxy, under another name or that of its proxy.
    static func untold(_ text: String) -> PeerAddress {
        PeerAddress(text: text, ip: nil, group: Group(kind: .untold, bits: 0))
    }

    init(_ address: IPAddress) {
        text = address.text
        ip = address
        group = Group(kind: address.isV4 ? .v4 : .v6, bits: address.isV4 ? address.low : address.high)
    }

    /// The address that the kernel tells.
    static func of(_ storage: sockaddr_storage) -> PeerAddress {
        withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET:
                let bits = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
                return PeerAddress(IPAddress(v4: UInt32(bigEndian: bits)))
            case AF_INET6:
                let high = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                let low = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
                return PeerAddress(IPAddress(v6: UInt64(bigEndian: high), UInt64(bigEndian: low)))
            default:
                return .unix
            }
        }
    }

    private init(text: String, ip: IPAddress?, group: Group?) {
        self.text = text
        self.ip = ip
        self.group = group
    }

    var isUnixSocket: Bool { ip == nil && group == nil }

    /// Whether it is this machine itself, by its loopback interface or a unix socket.
    var isThisMachine: Bool { ip?.isLoopback ?? isUnixSocket }
}
