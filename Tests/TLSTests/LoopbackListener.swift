import Glibc
import TLS

struct SystemFailure: Error {
    let call: String
    let code: Int32
}

/// A listening socket on a free port of this machine.
final class LoopbackListener {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutableBytes(of: &address) { [descriptor] bytes in
            let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
                && getsockname(descriptor, address, &length) == 0
        }
        guard status else { throw SystemFailure(call: "listen", code: errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// Waits for a client.
    func accept() throws -> PatientSocket {
        try PatientSocket.wait(for: descriptor, Int16(POLLIN))
        let accepted = Glibc.accept(descriptor, nil, nil)
        guard accepted >= 0, fcntl(accepted, F_SETFD, FD_CLOEXEC) == 0, fcntl(accepted, F_SETFL, O_NONBLOCK) == 0 else {
            throw SystemFailure(call: "accept", code: errno)
        }
        return PatientSocket(descriptor: accepted)
    }
}

/// A non-blocking socket with somebody who waits for it, as an event loop would.
final class PatientSocket {
    let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func shakeHands(_ session: TLSSession) throws -> TLSProgress {
        while true {
            switch session.handshake() {
            case .wantsRead: try Self.wait(for: descriptor, Int16(POLLIN))
            case .wantsWrite: try Self.wait(for: descriptor, Int16(POLLOUT))
            case let result: return result
            }
        }
    }

    /// Receives until the end of a line, or of the session.
    func receiveLine(_ session: TLSSession) throws -> String {
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            var buffer = [UInt8](repeating: 0, count: TLSSession.maximumRecord)
            switch buffer.withUnsafeMutableBytes(session.receive) {
            case .bytes(let count): line += buffer[..<count]
            case .wantsRead: try Self.wait(for: descriptor, Int16(POLLIN))
            case .wantsWrite: try Self.wait(for: descriptor, Int16(POLLOUT))
            case .end, .failed: return String(decoding: line, as: UTF8.self)
            }
        }
        return String(decoding: line, as: UTF8.self)
    }

    static func wait(for descriptor: Int32, _ events: Int16) throws {
        var watched = pollfd(fd: descriptor, events: events, revents: 0)
        guard poll(&watched, 1, 20_000) == 1 else { throw SystemFailure(call: "poll", code: errno) }
    }
}
