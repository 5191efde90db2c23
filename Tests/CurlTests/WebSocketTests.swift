import Crypto
import Dispatch
import EventLoops
import Glibc
import HTTP
import Testing

@testable import Curl

struct WebSocketTests {
    /// Lends an open socket to a server that plays `script` once the handshake is done.
    private func withSocket(
        maxMessageBytes: Int = 1 << 20, _ script: @escaping ScriptedServer.Script,
        _ body: @escaping @Sendable (any WebSocket) async throws -> Void
    ) async throws {
        let server = ScriptedServer { connection in
            guard connection.acceptWebSocket() else { return }
            script(connection)
        }
        try await withTransport { transport in
            let answer = try await transport.open(
                WebSocketRequest(url: "ws://127.0.0.1:\(server.port)/relay", maxMessageBytes: maxMessageBytes))
            guard case .open(let socket) = answer else {
                Issue.record("not open")
                return
            }
            try await body(socket)
        }
    }

    private static let limit = Duration.seconds(10)

    @Test func `texts go there and back, of every size`() async throws {
        let texts = ["", "Föhn 🏔️", String(repeating: "a", count: 200), String(repeating: "Föhn", count: 100_000)]
        try await withSocket { connection in
            for _ in 0..<texts.count {
                guard let text = connection.readFrame() else { return }
                connection.writeFrame(0x81, Array(text.bytes))
            }
        } _: { socket async throws in
            for text in texts {
                try await socket.send(text, within: Self.limit)
                #expect(try await socket.receive(within: Self.limit) == .text(text))
            }
        }
    }

    @Test func `what comes with the answer to the handshake, and what nobody has waited for, is kept in order`()
        async throws
    {
        try await withSocket { connection in
            for number in 0..<100 { connection.writeFrame(0x81, Array("\(number)".utf8)) }
            connection.awaitClose()
        } _: { socket async throws in
            for number in 0..<100 {
                #expect(try await socket.receive(within: Self.limit) == .text("\(number)"))
            }
        }
    }

    @Test func `a transport that nobody holds goes, also while a server leaves the end of a connection unanswered`()
        async throws
    {
        let loop = try EventLoop(name: "curl-test")
        defer { loop.stop() }
        let threads = BlockingThreads(name: "curl-test-disk", count: 1)
        defer { threads.stop() }
        let isChecked = DispatchSemaphore(value: 0)
        let server = ScriptedServer { connection in
            if connection.acceptWebSocket() { isChecked.wait() }
        }
        defer { isChecked.signal() }
        weak var gone: CurlTransport?
        do {
            let options = CurlOptions(userAgent: "Pics/test", stallTimeout: .seconds(30), reachesPrivateAddresses: true)
            let transport = try CurlTransport(on: loop, threads: threads, options: options)
            gone = transport
            let answer = try await transport.open(
                WebSocketRequest(url: "ws://127.0.0.1:\(server.port)/", maxMessageBytes: 1 << 10))
            guard case .open = answer else {
                Issue.record("not open")
                return
            }
        }
        // The first is told while the loop still holds what came with it.
        for _ in 0..<2 { await withCheckedContinuation { done in loop.execute { done.resume() } } }
        #expect(gone == nil)
    }

    @Test func `a ping is answered with what it carries`() async throws {
        try await withSocket { connection in
            connection.writeFrame(0x89, [1, 2, 3])
            let pong = connection.readFrame()
            connection.writeFrame(0x82, [pong?.first ?? 0] + (pong?.bytes ?? []))
            connection.awaitClose()
        } _: { socket async throws in
            #expect(try await socket.receive(within: Self.limit) == .binary([0x8A, 1, 2, 3]))
        }
    }

    @Test func `a server that closes as it should is told so, and then there is nothing more`() async throws {
        try await withSocket { connection in
            connection.writeFrame(0x81, Array("bye".utf8))
            connection.writeFrame(0x88, [0x03, 0xE8])
            let close = connection.readFrame()
            connection.record("\(close?.first ?? 0) \(close?.bytes ?? [])")
        } _: { socket async throws in
            #expect(try await socket.receive(within: Self.limit) == .text("bye"))
            #expect(try await socket.receive(within: Self.limit) == nil)
            await #expect(throws: TransportError.self) { try await socket.send("more", within: Self.limit) }
        }
    }

    @Test(arguments: [[0x81, 0x05, 0x48], []] as [[UInt8]])
    func `a connection that ends within a message, or without a word, is lost`(bytes: [UInt8]) async throws {
        try await withSocket {
            $0.write(bytes)
        } _: { socket async throws in
            await expectUnanswered { _ = try await socket.receive(within: Self.limit) }
        }
    }

    @Test(arguments: [([0x83, 0x00], 1002), ([0x81, 0x01, 0xFF], 1007)] as [([UInt8], Int)])
    func `what breaks the protocol ends the connection with its code`(bytes: [UInt8], code: Int) async throws {
        let server = ScriptedServer { connection in
            guard connection.acceptWebSocket() else { return }
            connection.write(bytes)
            let close = connection.readFrame()
            connection.record("\(close?.bytes ?? [])")
        }
        try await withTransport { transport in
            let answer = try await transport.open(WebSocketRequest(url: "ws://127.0.0.1:\(server.port)"))
            guard case .open(let socket) = answer else {
                Issue.record("not open")
                return
            }
            await expectUnanswered { _ = try await socket.receive(within: Self.limit) }
            while server.requests.count < 2 { await Task.yield() }
        }
        #expect(server.requests.last == "\([UInt8(code >> 8), UInt8(code & 0xFF)])")
    }

    @Test func `a message that is too long is not read`() async throws {
        try await withSocket(maxMessageBytes: 1000) { connection in
            connection.writeFrame(0x81, [UInt8](repeating: 0x61, count: 1001))
            connection.awaitClose()
        } _: { socket async throws in
            await #expect(throws: TransportError.responseTooLarge(limit: 1000)) {
                try await socket.receive(within: Self.limit)
            }
        }
    }

    @Test func `a server that sends without end is read no faster than its messages are taken`() async throws {
        let count = 3000
        try await withSocket(maxMessageBytes: 4096) { connection in
            for number in 0..<count {
                connection.writeFrame(0x81, Array("\(number) \(String(repeating: "x", count: 500))".utf8))
            }
            connection.awaitClose()
        } _: { socket async throws in
            for number in 0..<count {
                guard case .text(let text) = try await socket.receive(within: Self.limit), text.hasPrefix("\(number) ")
                else {
                    Issue.record("\(number)")
                    return
                }
            }
        }
    }

    @Test func `a wait that is over leaves the socket open, and a cancelled one does not`() async throws {
        try await withSocket { connection in
            guard connection.readFrame() != nil else { return }
            connection.writeFrame(0x81, Array("late".utf8))
            connection.awaitClose()
        } _: { socket async throws in
            await expectUnanswered { _ = try await socket.receive(within: .milliseconds(10)) }
            try await socket.send("now", within: Self.limit)
            #expect(try await socket.receive(within: Self.limit) == .text("late"))
            let wait = Task { try await socket.receive(within: Self.limit) }
            wait.cancel()
            await #expect(throws: TransportError.cancelled) { try await wait.value }
            await #expect(throws: TransportError.self) { try await socket.send("more", within: Self.limit) }
        }
    }

    @Test(arguments: [
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 20\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Busy\r\nretry-after: 20\r\n\r\n<html>",
        "HTTP/1.0 503\r\nRetry-After: 20\r\n\r\n",
    ])
    func `a server may refuse in HTTP`(response: String) async throws {
        let server = ScriptedServer {
            $0.readRequest()
            $0.write(response)
            $0.awaitClose()
        }
        try await withTransport { transport in
            let answer = try await transport.open(WebSocketRequest(url: "ws://127.0.0.1:\(server.port)/"))
            guard case .refused(let response) = answer else {
                Issue.record("open")
                return
            }
            #expect(response.status.code == 503 && response.fields["Retry-After"] == "20")
        }
    }

    @Test(arguments: [
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ACCEPT\r\n\r\n",
        "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n",
        "SSH-2.0-OpenSSH_9.2\r\n\r\n", "",
    ])
    func `what does not answer the handshake is no WebSocket`(answer: String) async throws {
        let server = ScriptedServer { connection in
            let request = connection.readRequest() ?? ""
            connection.write(answer.replacing("ACCEPT", with: ScriptedConnection.accept(request) ?? ""))
        }
        try await withTransport { transport in
            await expectUnanswered {
                _ = try await transport.open(WebSocketRequest(url: "ws://127.0.0.1:\(server.port)/"))
            }
        }
    }

    @Test func `a server that never answers the handshake is given up`() async throws {
        let server = ScriptedServer { $0.awaitClose() }
        try await withTransport { transport in
            await expectUnanswered {
                _ = try await transport.open(
                    WebSocketRequest(url: "ws://127.0.0.1:\(server.port)/", timeout: .milliseconds(50)))
            }
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"])
    func `a private address is not connected unless the request may`(host: String) async throws {
        let server = ScriptedServer { _ = $0.acceptWebSocket() }
        try await withTransport(reachesPrivateAddresses: false) { transport in
            let url = "ws://\(host):\(server.port)/"
            do {
                _ = try await transport.open(WebSocketRequest(url: url))
                Issue.record("open")
            } catch {
                guard case .refusedAddress = error as? TransportError else {
                    Issue.record(error)
                    return
                }
            }
            guard host == "127.0.0.1" else { return }
            guard case .open = try await transport.open(WebSocketRequest(url: url, addressPolicy: .any)) else {
                Issue.record("refused")
                return
            }
        }
        #expect(server.connections == (host == "127.0.0.1" ? 1 : 0))
    }

    @Test func `an open socket does not stand in the way of requests, nor they in its`() async throws {
        let server = ScriptedServer(
            { connection in
                guard connection.acceptWebSocket() else { return }
                connection.writeFrame(0x81, Array("early".utf8))
                guard connection.readFrame() != nil else { return }
                connection.writeFrame(0x81, Array("late".utf8))
                connection.awaitClose()
            },
            { connection in
                while connection.readRequest() != nil { connection.response("ok") }
            })
        try await withTransport { transport in
            let answer = try await transport.open(WebSocketRequest(url: "ws://127.0.0.1:\(server.port)/"))
            guard case .open(let socket) = answer else {
                Issue.record("not open")
                return
            }
            for _ in 0..<3 {
                // libcurl looks for dead connections once a second.
                try await clock.sleep(for: .milliseconds(600))
                #expect(try await transport.send(request(server.url)).body == Array("ok".utf8))
            }
            #expect(try await socket.receive(within: Self.limit) == .text("early"))
            try await socket.send("now", within: Self.limit)
            #expect(try await socket.receive(within: Self.limit) == .text("late"))
        }
    }

    private let clock = ContinuousClock()
}

extension ScriptedConnection {
    /// What a server answers to the key of a handshake.
    static func accept(_ request: String) -> String? {
        let line = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key: ") }
        let key = line.map { String($0.dropFirst("sec-websocket-key: ".count)) }
        return key.map {
            Base64.encode(HashAlgorithm.sha1.hash(of: Array("\($0)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
        }
    }

    /// Reads a handshake and accepts it.
    func acceptWebSocket() -> Bool {
        guard let request = readRequest(), let accept = Self.accept(request) else { return false }
        write(
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nconnection: keep-alive, upgrade\r\n"
                + "sec-websocket-accept: \(accept)\r\n\r\n")
        return true
    }

    func writeFrame(_ first: UInt8, _ payload: [UInt8]) {
        let count = payload.count
        let length: [UInt8] =
            count < 126
            ? [UInt8(count)]
            : count < 65536
                ? [126, UInt8(count >> 8), UInt8(count & 0xFF)]
                : [
                    127, 0, 0, 0, 0, UInt8(count >> 24), UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF),
                    UInt8(count & 0xFF),
                ]
        write([first] + length + payload)
    }

    /// A frame of a client, which must be masked; nil when it has gone, or does not mask.
    func readFrame() -> (first: UInt8, bytes: [UInt8])? {
        guard let head = read(2), head[1] & 0x80 != 0 else { return nil }
        let extra = head[1] & 0x7F == 126 ? 2 : head[1] & 0x7F == 127 ? 8 : 0
        guard let length = read(extra), let mask = read(4) else { return nil }
        let count = extra == 0 ? Int(head[1] & 0x7F) : length.reduce(0) { $0 << 8 | Int($1) }
        guard let masked = read(count) else { return nil }
        return (head[0], masked.enumerated().map { $1 ^ mask[$0 & 3] })
    }
}
