import Glibc

/// Two connected, non-blocking stream sockets of one process.
final class SocketPair {
    let server: Int32
    let client: Int32
    private var isClientOpen = true

    /// - Parameter bufferSize: What the kernel holds for each direction, in bytes; at least some 4 KiB.
    init(bufferSize: Int32? = nil) {
        _ = Self.ignoresBrokenPipes
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        precondition(socketpair(AF_UNIX, type, 0, &ends) == 0, "no sockets: \(errno)")
        (server, client) = (ends[0], ends[1])
        guard var bufferSize else { return }
        for end in ends { setsockopt(end, SOL_SOCKET, SO_SNDBUF, &bufferSize, socklen_t(MemoryLayout<Int32>.size)) }
    }

    deinit {
        close(server)
        closeClient()
    }

    /// The client is gone, without a word.
    func closeClient() {
        guard isClientOpen else { return }
        isClientOpen = false
        // A program that another test starts holds the socket too, until its exec.
        shutdown(client, Int32(SHUT_RDWR))
        close(client)
    }

    /// The client sends no more, and still reads.
    func endClient() { shutdown(client, Int32(SHUT_WR)) }

    /// Sends from the client's end what TLS has not made.
    func send(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        precondition(write(client, bytes, bytes.count) == bytes.count, "the socket's buffer is full")
    }

    /// Sends zeros from the server's end until the socket is full, and says how many.
    func fillFromServer() -> Int {
        var sent = 0
        for chunk in [1024, 1] {
            let zeros = [UInt8](repeating: 0, count: chunk)
            while write(server, zeros, chunk) == chunk { sent += chunk }
        }
        return sent
    }

    /// The bytes that have arrived at the client's end, up to `limit`.
    @discardableResult
    func takeAtClient(_ limit: Int = 1 << 18) -> [UInt8] { take(limit, from: client) }

    /// The bytes that have arrived at the server's end.
    func takeAtServer() -> [UInt8] { take(1 << 18, from: server) }

    private func take(_ limit: Int, from end: Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, read(end, buffer.baseAddress, limit))
        }
    }

    // As the program does, for OpenSSL writes with write(2).
    private static let ignoresBrokenPipes: Bool = {
        signal(SIGPIPE, SIG_IGN)
        return true
    }()
}
