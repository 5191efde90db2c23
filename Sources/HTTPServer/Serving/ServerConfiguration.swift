package import EventLoops
internal import Glibc
package import TLS

/// Where a server listens and what it allows.
package struct ServerConfiguration: Sendable {
    /// Where connections come in; at least one.
    package var listeners = [ListenerConfiguration()]
    /// How many connections may wait to be accepted (listen(2)).
    package var backlog: Int32 = 1024
    package var limits = Limits()
    /// Counts what clients take; nil lets them take what they like. Several servers may share one.
    package var rateLimiter: RateLimiter?
    /// The proxies whose `Forwarded` (RFC 7239), or else `X-Forwarded-For`, `-Proto` and `-Host`, is believed. Nobody else's is.
    /// They have to set or remove these fields, whatever their clients have sent.
    package var trustedProxies: [ProxyRange] = []
    /// Which of these fields they set.
    package var proxyFields = ProxyFields.any
    /// The descriptors of the process that are not for connections; `limits.connections` is lowered to what the soft limit
    /// leaves (getrlimit(2), RLIMIT_NOFILE).
    package var descriptorReserve = 128
    /// Whether a client may speak HTTP/2.
    package var http2 = true
    /// Whether every request is logged at level `info`. A line costs about as much as a hot response.
    package var accessLog = true
    /// For how long browsers that came by TLS shall come by nothing else (RFC 6797); zero does not say so.
    package var strictTransport: Duration = .zero
    /// Which pages of other origins may use which parts of the server.
    package var cors: [CORSPolicy] = []
    /// Which hosts are served; nil means all.
    package var hosts: HostPolicy?
    /// The pages that browsers get where something goes wrong; nil: problem details like everybody.
    package var problemPages: ProblemPages?
    /// The forms that problems have below some paths.
    package var problemForms: [ProblemForm] = []

    /// The clock of every deadline, duration and rate.
    package var clock: any ServerClock = SystemClock()

    /// The defaults above.
    package init() {}

    /// The first listener's address.
    package var address: String {
        get { listeners[0].address }
        set { listeners[0].address = newValue }
    }

    /// The first listener's port.
    package var port: UInt16 {
        get { listeners[0].port }
        set { listeners[0].port = newValue }
    }
}

/// One address that a server listens at.
package struct ListenerConfiguration: Sendable {
    /// An IPv4 or IPv6 address, a name that has one, or the path of a unix socket, which begins with `/`.
    ///
    /// `::` takes IPv4 as well.
    package var address: String
    /// The TCP port; 0 takes a free one.
    package var port: UInt16
    /// Sockets that listen already, from a service manager or a predecessor; the server takes them over and opens none.
    package var inherited: [Int32]
    /// The certificates that clients are shown; nil for plain HTTP.
    package var tls: TLSServerContext?
    /// Whether every connection begins with a header of the PROXY protocol, version 2. Those of others than trusted proxies,
    /// and those without it, are closed without a response.
    package var wantsProxyHeader = false
    /// The role that its connections are served in.
    package var role: Role

    /// The purpose of a listener.
    package enum Role: Sendable {
        case serve
        /// Every request is sent to the same place at https, which this port serves.
        case redirect(toPort: UInt16)
    }

    package init(
        address: String = "127.0.0.1", port: UInt16 = 8080, inherited: [Int32] = [], tls: TLSServerContext? = nil,
        role: Role = .serve
    ) {
        self.tls = tls
        self.address = address
        self.port = port
        self.inherited = inherited
        self.role = role
    }
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
package enum ServerStartError: Error, Equatable, CustomStringConvertible {
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

/// The time that a server goes by: every deadline, duration and rate, and the field `Date`.
///
/// A server has one. Tests give it one that stands still until they move it.
package protocol ServerClock: Sendable {
    /// The present moment; never earlier than a moment before.
    var now: Moment { get }
    /// The time of day in whole seconds since 1970, UTC.
    var secondsSince1970: Int64 { get }

    /// Calls `action` on `loop` once `delay` has passed, never early, unless cancelled before; on the loop only.
    func schedule(after delay: Duration, on loop: EventLoop, _ action: @escaping () -> Void) -> any ServerTimer
}

/// A call that a clock makes later. Confined to the loop that it is made on.
package protocol ServerTimer: AnyObject {
    /// The call is not made. Does nothing when it was made already.
    func cancel()
}

extension LoopTimer: ServerTimer {}

/// The machine's own clocks: CLOCK_BOOTTIME, and CLOCK_REALTIME_COARSE for the time of day (clock_gettime(2)).
package struct SystemClock: ServerClock {
    package init() {}

    package var now: Moment { .now }

    package var secondsSince1970: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec)
    }

    package func schedule(
        after delay: Duration, on loop: EventLoop, _ action: @escaping () -> Void
    ) -> any ServerTimer {
        loop.schedule(after: delay, action)
    }
}
