import Glibc
import HTTPServer

extension ListenAddress {
    /// Finds out whether Pics may listen here before anything else is started. Another program may still come first.
    func probe() throws(CommandFailure) {
        guard !isUnixSocket else { return try probeFolder() }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &found) == 0, let found else { throw refusal(EADDRNOTAVAIL) }
        defer { freeaddrinfo(found) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(found.pointee.ai_family, kind, 0)
        guard descriptor >= 0 else { throw refusal(errno) }
        defer { close(descriptor) }
        // The same options as the server's own, so that both are let in or neither.
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if found.pointee.ai_family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else { throw refusal(errno) }
    }

    /// The error that a person can do something about; any other stays as it is.
    func explained(_ error: any Error) -> any Error {
        guard let error = error as? ServerStartError else { return error }
        switch error {
        case .addressInUse: return refusal(EADDRINUSE)
        case .badAddress: return refusal(EADDRNOTAVAIL)
        case .failed(_, let code): return refusal(code)
        }
    }

    /// A unix socket is a file in a folder that must be there.
    private func probeFolder() throws(CommandFailure) {
        let folder = address.lastIndex(of: "/").map { String(address[...$0]) } ?? "/"
        guard access(folder, W_OK | X_OK) == 0 else { throw refusal(errno) }
    }

    private func refusal(_ code: Int32) -> CommandFailure {
        let reason =
            switch code {
            case EADDRINUSE: "another program listens there (address already in use)"
            case EADDRNOTAVAIL where isUnixSocket: "the path is too long for a socket"
            case EADDRNOTAVAIL: "it is no address of this machine"
            case EACCES where 1..<1024 ~= port: "permission denied, as ports below 1024 are kept for root"
            default: String(cString: strerror(code)).lowercased()
            }
        return CommandFailure(
            "Cannot listen on \(self): \(reason). Choose another with --\(setting.replacing("_", with: "-")).")
    }

    private func set(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
