internal import EventLoops
internal import Glibc

/// A connection of a fake's, on the loop alone.
final class FakeWire {
    private let descriptor: Int32
    private let loop: EventLoop
    private var watch: Watch?
    private var outgoing: [UInt8] = []
    private var endsAfterwards = false
    /// Called with what comes; empty at the end, once.
    var receive: ([UInt8]) -> Void = { _ in }

    init(owning descriptor: Int32, on loop: EventLoop) throws {
        (self.descriptor, self.loop) = (descriptor, loop)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        watch = try loop.watch(descriptor, for: .readable) { [weak self] readiness in
            if readiness.contains(.writable) { self?.write() }
            if !readiness.isDisjoint(with: [.readable, .hangup, .failure]) { self?.read() }
        }
    }

    /// Connects to a server on this machine, which accepts at once.
    convenience init(port: UInt16, on loop: EventLoop) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        _ = withLoopback(port: port) { connect(descriptor, $0, $1) }
        try self.init(owning: descriptor, on: loop)
    }

    private func read() {
        var block = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &block, block.count, 0)
        if count > 0 { return receive(Array(block.prefix(count))) }
        if count == 0 || (errno != EAGAIN && errno != EINTR) { end() }
    }

    func send(_ bytes: [UInt8]) {
        guard watch != nil else { return }
        outgoing += bytes
        write()
    }

    private func write() {
        while !outgoing.isEmpty {
            let count = outgoing.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                if errno == EAGAIN { break }
                return end()
            }
            outgoing.removeFirst(count)
        }
        watch?.update(outgoing.isEmpty ? .readable : [.readable, .writable])
        if outgoing.isEmpty, endsAfterwards { end() }
    }

    /// Ends once everything has left.
    func finish() {
        endsAfterwards = true
        if outgoing.isEmpty { end() }
    }

    func end() {
        guard let watch else { return }
        watch.cancel()
        self.watch = nil
        close(descriptor)
        let receive = receive
        self.receive = { _ in }
        receive([])
    }
}

/// Listens on 127.0.0.1, on the loop alone.
final class FakeListener {
    let port: UInt16
    private let descriptor: Int32
    private var watch: Watch?

    /// Port 0 takes a free one.
    init(port: UInt16, on loop: EventLoop, _ accepted: @escaping (FakeWire) -> Void) throws {
        let descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard withLoopback(port: port, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 128) == 0 else {
            close(descriptor)
            throw NoListener(code: errno)
        }
        self.descriptor = descriptor
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        self.port = UInt16(bigEndian: address.sin_port)
        watch = try loop.watch(descriptor, for: .readable) { _ in
            let connection = accept(descriptor, nil, nil)
            guard connection >= 0, let wire = try? FakeWire(owning: connection, on: loop) else { return }
            accepted(wire)
        }
    }

    func stop() {
        watch?.cancel()
        watch = nil
        close(descriptor)
    }

    struct NoListener: Error {
        let code: Int32
    }
}

private func withLoopback(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
}
