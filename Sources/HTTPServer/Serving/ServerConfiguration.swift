/// Where a server listens and what it allows.
package struct ServerConfiguration: Sendable {
    /// An IPv4 or IPv6 address, a name that has one, or the path of a unix socket, which begins with `/`.
    ///
    /// `::` takes IPv4 as well.
    package var address = "127.0.0.1"
    /// The TCP port; 0 takes a free one.
    package var port: UInt16 = 8080
    /// How many connections may wait to be accepted (listen(2)).
    package var backlog: Int32 = 1024
    package var limits = Limits()
    /// Whether every request is logged at level `info`. A line costs about as much as a hot answer.
    package var accessLog = true
    /// Which pages of other origins may use the server; nil means none.
    package var cors: CORSPolicy?

    /// The defaults above.
    package init() {}
}

/// Where a server listens.
package struct BoundAddress: Sendable, Equatable, CustomStringConvertible {
    /// The numeric address, or the path of a unix socket.
    package let address: String
    /// Nil for a unix socket.
    package let port: UInt16?

    /// `127.0.0.1:8080`, `[::1]:8080` or `unix:/path`.
    package var description: String {
        guard let port else { return "unix:\(address)" }
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}

/// Why a server does not start.
package enum ServerError: Error, Equatable, CustomStringConvertible {
    /// Somebody listens there already.
    case addressInUse(String)
    /// The address is none of this machine's, or no address at all.
    case badAddress(String)
    /// A system call failed with this `errno`.
    case failed(call: String, code: Int32)

    package var description: String {
        switch self {
        case .addressInUse(let address): "\(address) is in use by another process"
        case .badAddress(let address): "\(address) is not an address of this machine"
        case .failed(let call, let code): "\(call) failed with errno \(code)"
        }
    }
}
