import Glibc
import System

/// A server on 127.0.0.1 that plays one script for each connection, in the order in which they are accepted.
///
/// It knows nothing of HTTP beyond the end of a request, so that it can break every rule.
final class ScriptedServer: Sendable {
    typealias Script = @Sendable (borrowing ScriptedConnection) -> Void

    let port: UInt16
    private let listener: Int32
    private let seen = Lock<[String]>([])
    private let accepted = Lock(0)

    /// Plays `scripts`; the last one for every further connection.
    init(_ scripts: Script...) {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        port = withUnsafeMutablePointer(to: &address) { [listener] address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = listen(listener, 64)
                _ = getsockname(listener, $0, &length)
            }
            return UInt16(bigEndian: address.pointee.sin_port)
        }
        startThread { [listener, weak self] in
            // Closed here alone: an accept after the close could take the connection of another server, whose descriptor has its number.
            defer { close(listener) }
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0, let self else { return }
                let number = accepted.withLock { count in
                    defer { count += 1 }
                    return count
                }
                let script = scripts[min(number, scripts.count - 1)]
                startThread { script(ScriptedConnection(descriptor: descriptor) { self.record($0) }) }
            }
        }
    }

    /// Lets the thread that accepts end.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    var url: String { "http://127.0.0.1:\(port)" }

    /// How many connections have come.
    var connections: Int { accepted.withLock { $0 } }

    /// Every request that has been read, header and body.
    var requests: [String] { seen.withLock { $0 } }

    private func record(_ request: String) {
        seen.withLock { $0.append(request) }
    }
}

/// One accepted connection, closed when its script ends.
struct ScriptedConnection: ~Copyable {
    let descriptor: Int32
    let record: @Sendable (String) -> Void

    deinit { close(descriptor) }

    /// Reads a request with the body its `Content-Length` announces; nil when the client has closed.
    @discardableResult
    func readRequest() -> String? {
        var request = ""
        while let byte = read(1) {
            request.unicodeScalars.append(Unicode.Scalar(byte[0]))
            guard request.hasSuffix("\r\n\r\n") else { continue }
            let announced = request.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }
            let length = announced.flatMap { Int($0.dropFirst(16)) } ?? 0
            guard let body = length == 0 ? [] : read(length) else { return nil }
            request += String(decoding: body, as: UTF8.self)
            record(request)
            return request
        }
        return nil
    }

    /// Reads exactly so many bytes; nil when the client has closed before.
    func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var block = [UInt8](repeating: 0, count: min(65536, count - bytes.count))
            let received = recv(descriptor, &block, block.count, 0)
            guard received > 0 else { return nil }
            bytes += block.prefix(received)
        }
        return bytes
    }

    func write(_ text: String) { write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    /// Answers 200 with a text.
    func response(_ body: String = "", _ fields: String = "") {
        write("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Makes the end of this connection a reset.
    func resetAtEnd() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    /// Waits until the client closes.
    func awaitClose() {
        while read(1) != nil {}
    }
}

private func startThread(_ work: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(work))
    pthread_create(
        &thread, nil,
        { box in
            box.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue().work() }
            return nil
        }, box.toOpaque())
    pthread_detach(thread)
}
