import EventLoops
import HTTP
import HTTPServer
import Testing

/// Connections that begin with the header of a proxy, over real sockets.
struct ProxyProtocolTests {
    private static let route = Route(.get, "/a") { .text("\($0.remoteAddress) \($0.peerAddress)") }
    private let header = ProxyBytes.header(family: 0x11, ProxyBytes.v4("192.0.2.1", to: "10.0.0.1"))

    /// A server behind a proxy on this machine.
    private func withProxiedServer(
        limits: Limits = .forManyTests, trusting proxies: [String] = ["127.0.0.1"],
        clock: any ServerClock = SystemClock(),
        _ test: (TestServer) async throws -> Void
    ) async throws {
        let ranges = proxies.compactMap { ProxyRange($0) }
        try await withServer(
            [Self.route], loops: 2, limits: limits, clock: clock,
            configure: {
                $0.listeners[0].wantsProxyHeader = true
                $0.trustedProxies = ranges
            }, test)
    }

    @Test(arguments: [true, false])
    func `the client is who the header says, for every request`(atOnce: Bool) async throws {
        try await withProxiedServer { server in
            let client = try server.client()
            let message = header + Array("GET /a HTTP/1.1\r\nHost: h\r\n\r\n".utf8) + Array(lastGet("/a").utf8)
            if atOnce { try await client.send(message) } else { try await client.trickle(message) }

            #expect(try await client.answers().map(\.body) == ["192.0.2.1 127.0.0.1", "192.0.2.1 127.0.0.1"])
        }
    }

    @Test func `a proxy that speaks for itself is the client`() async throws {
        try await withProxiedServer { server in
            let client = try server.client()
            try await client.send(ProxyBytes.header(command: 0x20, family: 0, []) + Array(lastGet("/a").utf8))

            #expect(try await client.answers().map(\.body) == ["127.0.0.1 127.0.0.1"])
        }
    }

    @Test(arguments: [("192.0.2.1", "192.0.2.1"), ("10.9.9.9", "203.0.113.7")])
    func `fields are the words of who the header names`(source: String, client expected: String) async throws {
        try await withProxiedServer(trusting: ["127.0.0.1", "10.0.0.0/8"]) { server in
            let client = try server.client()
            let header = ProxyBytes.header(family: 0x11, ProxyBytes.v4(source, to: "10.0.0.1"))
            let request = "GET /a HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 203.0.113.7\r\nConnection: close\r\n\r\n"
            try await client.send(header + Array(request.utf8))

            #expect(try await client.answers().map(\.body) == ["\(expected) 127.0.0.1"])
        }
    }

    @Test(arguments: ["GET /a HTTP/1.1\r\nHost: h\r\n\r\n", "PROXY TCP4 192.0.2.1 10.0.0.1 1 2\r\nGET /a HTTP/1.1\r\n"])
    func `a connection without the header is closed without an answer`(message: String) async throws {
        try await withProxiedServer(limits: .with { $0.connections = 1 }) { server in
            let client = try server.client()
            try await client.send(message)
            await client.waitForEnd()

            // Its place is free again.
            let next = try server.client()
            try await next.send(header + Array(lastGet("/a").utf8))
            #expect(try await next.answers().map(\.status) == [200])
            #expect(await server.server.metrics().refusedProxyHeaders == 1)
        }
    }

    @Test func `a header that is cut off, or does not come in time, closes the connection`() async throws {
        let clock = ManualClock()
        try await withProxiedServer(clock: clock) { server in
            let slow = try server.client()
            try await slow.send(Array(header.prefix(20)))
            let silent = try server.client()
            let short = try server.client()
            try await short.send(Array(header.prefix(27)))
            short.endWriting()

            await clock.pass(.seconds(1), on: server) { $0.refusedProxyHeaders == 3 }
            for client in [slow, silent, short] { await client.waitForEnd() }
            #expect(await server.server.metrics().openConnections == 0)
        }
    }

    @Test func `a header of somebody who is no trusted proxy counts for nothing`() async throws {
        try await withProxiedServer(trusting: ["192.0.2.0/24"]) { server in
            let client = try server.client()
            await client.waitForEnd()

            #expect(await server.server.metrics().refusedProxyHeaders == 1)
            #expect(await server.server.metrics().acceptedConnections == 0)
        }
    }

    @Test func `a server that stops does not wait for headers`() async throws {
        let proxy = try #require(ProxyRange("127.0.0.1"))
        let server = try await TestServer.start(
            [Self.route],
            configure: {
                $0.listeners[0].wantsProxyHeader = true
                $0.trustedProxies = [proxy]
            })
        let waiting = try server.client()
        try await waiting.send(Array(header.prefix(5)))
        // When this one is answered, the first was accepted.
        let other = try server.client()
        try await other.send(header + Array(lastGet("/a").utf8))
        _ = try await other.answers()

        await server.server.stop(within: .seconds(3600))

        #expect(try await waiting.rest().isEmpty)
        await server.stop()
    }
}
