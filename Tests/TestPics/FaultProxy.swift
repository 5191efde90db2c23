internal import Foundation
internal import Glibc
internal import System
internal import TestSupport
internal import TestTools

/// A proxy in front of PostgreSQL that fails one statement on demand.
///
/// It passes the messages of the protocol (PostgreSQL manual, "Message Formats") as they come, and counts each `Bind`: one
/// for every statement. Nothing in the tested program knows of it, and a failed statement leaves the session in the state
/// that a server leaves it in.
package final class FaultProxy: Sendable {
    /// The fate of a statement.
    package enum Fault: Sendable, Equatable {
        /// The server refuses it, with this SQLSTATE and name of a constraint; the transaction is aborted.
        case refused(sqlState: String, constraint: String? = nil)
        /// The connection breaks before the server gets it.
        case lostRequest
        /// The server runs it, and the connection breaks before anybody is told.
        case lostReply
    }

    private struct State {
        var fault: Fault?
        var countdown = 0
        var hasStruck = false
        var isStopped = false
        var descriptors: Set<Int32> = []
    }

    /// libpq's keywords for the address, to be put behind others.
    package var address: String { "host=\(folder.path) port=5432" }

    private let folder: TemporaryFolder
    private let server: String
    private let listener: Int32
    private let state = Lock(State())

    /// - Parameter connection: libpq's keywords of a server with a unix socket.
    /// - Throws: `POSIXError`.
    package init(before connection: String) throws {
        let words = connectionKeywords(connection)
        server = "\(words["host"] ?? "")/.s.PGSQL.\(words["port"] ?? "5432")"
        folder = try TemporaryFolder(mode: 0o700)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let (listener, path) = (listener, "\(folder.path)/.s.PGSQL.5432")
        guard withUnixAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        Thread.detachNewThread { self.accept() }
    }

    /// Ends every connection. The object may go then.
    package func stop() {
        state.withLock { state in
            state.isStopped = true
            for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Fails the `number`th statement from now, counted from 1.
    package func fail(_ number: Int, _ fault: Fault) {
        state.withLock { ($0.fault, $0.countdown, $0.hasStruck) = (fault, number, false) }
    }

    /// Fails no statement any more. Returns whether one failed.
    package func disarm() -> Bool {
        state.withLock { state in
            state.fault = nil
            return state.hasStruck
        }
    }

    private func strike() -> Fault? {
        state.withLock { state in
            guard let fault = state.fault else { return nil }
            state.countdown -= 1
            guard state.countdown == 0 else { return nil }
            (state.fault, state.hasStruck) = (nil, true)
            return fault
        }
    }

    // MARK: Connections

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else {
                // Until then the listener stays open, so that `stop` ends no other socket of its number.
                if state.withLock(\.isStopped) { break }
                continue
            }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            let isOpen = state.withLock { state in
                guard !state.isStopped, withUnixAddress(server, { connect(upstream, $0, $1) }) == 0 else {
                    return false
                }
                state.descriptors.formUnion([client, upstream])
                return true
            }
            guard isOpen else {
                close(client)
                close(upstream)
                continue
            }
            let relay = Relay(client: client, server: upstream)
            Thread.detachNewThread { [self] in
                relay.passRequests(strike)
                relay.end()
                // Behind the last use of the descriptors, which are closed then.
                relay.requestsEnded.signal()
            }
            Thread.detachNewThread { [self] in
                relay.passReplies()
                relay.end()
                relay.requestsEnded.wait()
                state.withLock { $0.descriptors.subtract([client, upstream]) }
                close(client)
                close(upstream)
            }
        }
        close(listener)
    }
}

/// One connection through the proxy.
private final class Relay: Sendable {
    private struct Reply {
        /// Of the statement that is to be refused: SQLSTATE, and the name of a constraint.
        var refusal: (sqlState: String, constraint: String?)?
        var isDropped = false
    }

    private static let noStatement = "no_such_statement"

    let requestsEnded = DispatchSemaphore(value: 0)
    private let client: Int32
    private let server: Int32
    private let reply = Lock(Reply())

    init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

    func end() {
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
    }

    func passRequests(_ strike: () -> FaultProxy.Fault?) {
        // The first message has no type.
        guard let length = read(client, 4), let start = read(client, Int(bigEndian(length)) - 4),
            write(server, length + start)
        else { return }
        while let (type, body) = message(from: client) {
            guard type == UInt8(ascii: "B"), let fault = strike() else {
                guard write(server, encoded(type, body)) else { return }
                continue
            }
            switch fault {
            case .lostRequest: return
            case .lostReply:
                reply.withLock { $0.isDropped = true }
                guard write(server, encoded(type, body)) else { return }
            case .refused(let sqlState, let constraint):
                reply.withLock { $0.refusal = (sqlState, constraint) }
                // No portal name, no formats, no parameters, no result formats.
                let bind = [0] + Array(Self.noStatement.utf8) + [0] + [UInt8](repeating: 0, count: 6)
                guard write(server, encoded(type, bind)) else { return }
            }
        }
    }

    func passReplies() {
        while let (type, body) = message(from: server) {
            let (refusal, isDropped) = reply.withLock { ($0.refusal, $0.isDropped) }
            if isDropped {
                // The server is at rest: everything that it was sent has happened.
                if type == UInt8(ascii: "Z") { return }
                continue
            }
            guard type == UInt8(ascii: "E"), let refusal,
                String(decoding: body, as: UTF8.self).contains(Self.noStatement)
            else {
                guard write(client, encoded(type, body)) else { return }
                continue
            }
            reply.withLock { $0.refusal = nil }
            var fields = "SERROR\0VERROR\0C\(refusal.sqlState)\0Minjected failure\0"
            if let constraint = refusal.constraint { fields += "n\(constraint)\0" }
            guard write(client, encoded(type, Array(fields.utf8) + [0])) else { return }
        }
    }

    // MARK: Messages

    private func message(from descriptor: Int32) -> (type: UInt8, body: [UInt8])? {
        guard let head = read(descriptor, 5), let body = read(descriptor, Int(bigEndian(head.dropFirst())) - 4) else {
            return nil
        }
        return (head[0], body)
    }

    private func encoded(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        [type] + withUnsafeBytes(of: UInt32(body.count + 4).bigEndian) { Array($0) } + body
    }

    private func bigEndian(_ bytes: some Sequence<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    private func read(_ descriptor: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { rest in
                recv(
                    descriptor, UnsafeMutableRawBufferPointer(rebasing: rest[filled...]).baseAddress, count - filled, 0)
            }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }

    private func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { rest in
                send(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest[sent...]).baseAddress, bytes.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}

private func withUnixAddress(_ path: String, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    precondition(bytes.count < 108)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { use($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
}
