internal import CLinux
internal import Glibc

/// Opens sockets that connections arrive at.
enum ListeningSocket {
    /// Opens `count` sockets for the same address; the kernel spreads connections over them (socket(7), SO_REUSEPORT).
    ///
    /// A unix socket is opened once and given to every loop.
    static func open(
        _ configuration: ListenerConfiguration, backlog: Int32, count: Int
    ) throws(ServerStartError) -> ([Int32], BoundAddress) {
        if let first = configuration.inherited.first {
            for descriptor in configuration.inherited { try adopt(descriptor) }
            return (configuration.inherited, try boundAddress(first).0)
        }
        if configuration.address.hasPrefix("/") {
            let descriptor = try openUnix(configuration, backlog)
            return ([descriptor], BoundAddress(address: configuration.address, port: nil))
        }
        var (address, length) = try resolve(configuration)
        let name = "\(configuration.address):\(configuration.port)"
        let first = try bound(&address, length, name)
        var descriptors = [first]
        do throws(ServerStartError) {
            // Alone, as SO_REUSEPORT would let a second server in unnoticed; shared once nobody else can listen.
            try listen(first, backlog, name)
            let taken = try boundAddress(first)
            address = taken.1
            if count > 1 { share(first) }
            for _ in 1..<max(1, count) {
                let descriptor = try bound(&address, length, name, isShared: true)
                descriptors.append(descriptor)
                try listen(descriptor, backlog, name)
            }
            return (descriptors, taken.0)
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
    }

    /// Makes a socket that was handed over ours: its maker may have left it blocking.
    private static func adopt(_ descriptor: Int32) throws(ServerStartError) {
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
        else { throw .failed(call: "fcntl", code: errno) }
    }

    private static func resolve(_ configuration: ListenerConfiguration) throws(ServerStartError) -> (
        sockaddr_storage, socklen_t
    ) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(configuration.address, String(configuration.port), &hints, &found) == 0, let found else {
            throw .badAddress(configuration.address)
        }
        defer { freeaddrinfo(found) }
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.copyMemory(
                from: UnsafeRawBufferPointer(start: found.pointee.ai_addr, count: Int(found.pointee.ai_addrlen)))
        }
        return (storage, found.pointee.ai_addrlen)
    }

    private static func bound(
        _ address: inout sockaddr_storage, _ length: socklen_t, _ name: String, isShared: Bool = false
    ) throws(ServerStartError) -> Int32 {
        let descriptor = try make(Int32(address.ss_family))
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if isShared { share(descriptor) }
        if Int32(address.ss_family) == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        // Accepted sockets inherit it (tcp(7)); responses are written in whole pieces.
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        try bind(descriptor, &address, length, name)
        return descriptor
    }

    private static func share(_ descriptor: Int32) { set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }

    private static func openUnix(_ configuration: ListenerConfiguration, _ backlog: Int32) throws(ServerStartError)
        -> Int32
    {
        let path = configuration.address
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { bytes -> Bool in
            guard path.utf8.count < bytes.count else { return false }
            bytes.copyBytes(from: path.utf8)
            return true
        }
        guard fits else { throw .badAddress(path) }
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { bytes in withUnsafeBytes(of: address) { bytes.copyMemory(from: $0) } }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let descriptor = try make(AF_UNIX)
        do throws(ServerStartError) {
            try bind(descriptor, &storage, length, path)
        } catch {
            // A socket that nobody answers at was left behind by a process that ended abruptly.
            guard error == .addressInUse(path), isSocket(path), isDeserted(&storage, length), unlink(path) == 0 else {
                close(descriptor)
                throw error
            }
            try bind(descriptor, &storage, length, path)
        }
        try listen(descriptor, backlog, path)
        return descriptor
    }

    /// A socket file, never another one that a mistyped path names.
    private static func isSocket(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
    }

    private static func isDeserted(_ address: inout sockaddr_storage, _ length: socklen_t) -> Bool {
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(probe) }
        let status = withGeneric(&address) { connect(probe, $0, length) }
        return status != 0 && errno == ECONNREFUSED
    }

    private static func make(_ family: Int32) throws(ServerStartError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw .failed(call: "socket", code: errno) }
        return descriptor
    }

    /// Closes the descriptor when it throws for a reason that no second try can change.
    private static func bind(
        _ descriptor: Int32, _ address: inout sockaddr_storage, _ length: socklen_t, _ name: String
    ) throws(ServerStartError) {
        guard withGeneric(&address, { Glibc.bind(descriptor, $0, length) }) != 0 else { return }
        let code = errno
        if address.ss_family != AF_UNIX { close(descriptor) }
        switch code {
        case EADDRINUSE: throw .addressInUse(name)
        case EADDRNOTAVAIL: throw .badAddress(name)
        default: throw .failed(call: "bind", code: code)
        }
    }

    private static func listen(_ descriptor: Int32, _ backlog: Int32, _ name: String) throws(ServerStartError) {
        guard Glibc.listen(descriptor, backlog) != 0 else { return }
        // Two that do not listen yet may have the same address.
        throw errno == EADDRINUSE ? .addressInUse(name) : .failed(call: "listen", code: errno)
    }

    private static func boundAddress(_ descriptor: Int32) throws(ServerStartError) -> (BoundAddress, sockaddr_storage) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        guard withGeneric(&storage, { getsockname(descriptor, $0, &length) }) == 0 else {
            throw .failed(call: "getsockname", code: errno)
        }
        // The port stands at the same place in both families.
        let port = withUnsafeBytes(of: storage) { UInt16($0[2]) << 8 | UInt16($0[3]) }
        return (BoundAddress(address: PeerAddress.of(storage).text, port: port), storage)
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func withGeneric<Result>(
        _ storage: inout sockaddr_storage, _ use: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &storage) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, use) }
    }
}
