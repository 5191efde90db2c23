import EventLoops
import Glibc
import HTTPServer
import System
import Testing

/// A client that speaks bytes, on a blocking socket. Its calls run on threads of their own.
final class Client: Sendable {
    private let descriptor: Int32
    private let received = Lock<[UInt8]>([])
    private let isOpen = Lock(true)
    private static let threads = BlockingThreads(name: "clients", count: 32)

    struct Failure: Error { let call: String, code: Int32 }

    init(_ address: BoundAddress) throws {
        var name = Self.socketAddress(address)
        descriptor = socket(Int32(name.ss_family), Int32(SOCK_STREAM.rawValue), 0)
        let length = socklen_t(address.port == nil ? MemoryLayout<sockaddr_un>.size : MemoryLayout<sockaddr_in6>.size)
        let status = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] in connect(descriptor, $0, length) }
        }
        guard status == 0 else { throw Failure(call: "connect", code: errno) }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // A test that waits for what never comes fails instead of hanging.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close() }

    private static func socketAddress(_ address: BoundAddress) -> sockaddr_storage {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { bytes in
            guard let port = address.port else {
                bytes.storeBytes(of: sa_family_t(AF_UNIX), as: sa_family_t.self)
                UnsafeMutableRawBufferPointer(rebasing: bytes[2...]).copyBytes(from: address.address.utf8)
                return
            }
            let isV6 = address.address.contains(":")
            bytes.storeBytes(of: sa_family_t(isV6 ? AF_INET6 : AF_INET), as: sa_family_t.self)
            bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
            inet_pton(isV6 ? AF_INET6 : AF_INET, address.address, bytes.baseAddress?.advanced(by: isV6 ? 8 : 4))
        }
        return storage
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws { try await Self.threads.run { [self] in try sendNow(bytes) } }

    /// The same on the caller's own thread.
    func sendNow(_ text: String) throws { try sendNow(Array(text.utf8)) }

    /// The same on the caller's own thread.
    func sendNow(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(call: "send", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends every byte with a call of its own; ignores that the server may close in the middle.
    func trickle(_ bytes: [UInt8]) async throws {
        await Self.threads.run { [descriptor] in
            for byte in bytes {
                guard withUnsafeBytes(of: byte, { Glibc.send(descriptor, $0.baseAddress, 1, Int32(MSG_NOSIGNAL)) }) == 1
                else { return }
            }
        }
    }

    /// Waits for one whole answer.
    func response(isHead: Bool = false) async throws -> ReceivedResponse {
        try await Self.threads.run { [self] in try answerNow(isHead: isHead) }
    }

    /// The same on the caller's own thread.
    func answerNow(isHead: Bool = false) throws -> ReceivedResponse {
        while true {
            let response = received.withLock { bytes -> ReceivedResponse? in
                var rest = bytes[...]
                let response = ReceivedResponse(from: &rest, isHead: isHead)
                if response != nil { bytes = Array(rest) }
                return response
            }
            if let response { return response }
            guard try receive() else { throw Failure(call: "recv", code: 0) }
        }
    }

    /// Waits for this text, and drops all that came up to its end.
    func receive(until text: String) async throws {
        try await Self.threads.run { [self] in
            while true {
                let hasCome = received.withLock { bytes in
                    guard let range = bytes.firstRange(of: Array(text.utf8)) else { return false }
                    bytes.removeSubrange(..<range.upperBound)
                    return true
                }
                if hasCome { return }
                guard try receive() else { throw Failure(call: "recv", code: 0) }
            }
        }
    }

    /// The next bytes; empty when the server has ended its side.
    func bytes() async throws -> [UInt8] {
        try await Self.threads.run { [self] in
            if received.withLock({ $0.isEmpty }) { _ = try receive() }
            return received.withLock { bytes in
                defer { bytes = [] }
                return bytes
            }
        }
    }

    /// Everything until the server ends its side, or resets the connection if that is as good.
    func rest(orReset: Bool = false) async throws -> [UInt8] {
        try await Self.threads.run { [self] in
            do {
                while try receive() {}
            } catch let failure as Failure where orReset && failure.code == ECONNRESET {}
            return received.withLock { $0 }
        }
    }

    /// Drops everything until the server ends its side.
    ///
    /// - Returns: How often `byte` was in it.
    func skipRest(counting byte: UInt8 = 0) async throws -> Int {
        try await Self.threads.run { [self] in
            var count = 0
            while try receive() {
                received.withLock { bytes in
                    count += bytes.withUnsafeBytes { Self.count(byte, in: $0) }
                    bytes = []
                }
            }
            return count
        }
    }

    private static func count(_ byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        var rest = bytes
        while let start = rest.baseAddress, let found = memchr(start, Int32(byte), rest.count) {
            count += 1
            rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(found) - start + 1)...])
        }
        return count
    }

    /// All answers until the server ends its side; those of the numbers `heads`, 100 not counted, are to HEAD.
    func answers(heads: Set<Int> = [], orReset: Bool = false) async throws -> [ReceivedResponse] {
        var rest = try await rest(orReset: orReset)[...]
        var answers: [ReceivedResponse] = []
        var finals = 0
        while !rest.isEmpty {
            let response = try #require(
                ReceivedResponse(from: &rest, isHead: heads.contains(finals), hasEnded: true),
                "not an answer: \(String(decoding: rest, as: UTF8.self))")
            answers.append(response)
            if response.status != 100 { finals += 1 }
        }
        return answers
    }

    /// Whether the server has closed or reset the connection, once it does.
    func waitForEnd() async {
        await Self.threads.run { [self] in
            while (try? receive()) == true {}
        }
    }

    func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    func close() {
        isOpen.withLock { isOpen in
            if isOpen { Glibc.close(descriptor) }
            isOpen = false
        }
    }

    /// Ends the connection with a reset, as a crash would.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// False at the end of the stream.
    private func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Failure(call: "recv", code: errno) }
        received.withLock { $0 += buffer.prefix(count) }
        return count > 0
    }
}
