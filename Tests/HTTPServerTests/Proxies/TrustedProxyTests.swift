import Foundation
import HTTP
import HTTPServer
import Logging
import Testing

/// The fields that a server believes of the proxy in front of it, over real sockets.
struct TrustedProxyTests {
    private let route = Route(.get, "/a") { request in
        .text("\(request.remoteAddress) \(request.peerAddress) \(request.isSecure) \(request.authority ?? "-")")
    }

    private func get(_ lines: String...) -> String {
        (["GET /a HTTP/1.1", "Host: own.test"] + lines + ["", ""]).joined(separator: "\r\n")
    }

    @Test func `a trusted proxy tells who the client is, how it came and whom it asked for`() async throws {
        let proxy = try #require(ProxyRange("127.0.0.0/8"))
        try await withServer([route], accessLog: true, configure: { $0.trustedProxies = [proxy] }) { server in
            let client = try server.client()
            try await client.send(get("Forwarded: for=\"[2001:db8::1]:4711\";proto=https;host=pics.test"))
            #expect(try await client.response().body == "2001:db8::1 127.0.0.1 true pics.test")

            // The next request of the same connection may be another client's.
            try await client.send(get("X-Forwarded-For: 192.0.2.1"))
            #expect(try await client.response().body == "192.0.2.1 127.0.0.1 false own.test")

            try await client.send(get())
            #expect(try await client.response().body == "127.0.0.1 127.0.0.1 false own.test")

            #expect(server.log.lines.count == 3)
            #expect(
                server.log.lines[0].contains("remote=2001:db8::1") && server.log.lines[1].contains("remote=192.0.2.1"))
        }
    }

    @Test func `a trusted proxy may ask for what belongs to https`() async throws {
        let proxy = try #require(ProxyRange("127.0.0.0/8"))
        try await withServer([route], configure: { $0.trustedProxies = [proxy] }) { server in
            let client = try server.client()
            try await client.send("GET https://pics.test/a HTTP/1.1\r\nHost: own.test\r\n\r\n")

            #expect(try await client.response().body == "127.0.0.1 127.0.0.1 false pics.test")
        }
    }

    @Test func `nobody else is believed`() async throws {
        let proxy = try #require(ProxyRange("192.0.2.0/24"))
        try await withServer([route], configure: { $0.trustedProxies = [proxy, .unix] }) { server in
            let client = try server.client()
            try await client.send(get("Forwarded: for=192.0.2.1;proto=https;host=h", "X-Forwarded-For: 192.0.2.1"))

            #expect(try await client.response().body == "127.0.0.1 127.0.0.1 false own.test")
            #expect(await server.server.metrics().ignoredForwarded == 0)
            #expect(await server.server.metrics().unknownProxy == "127.0.0.1")
        }
    }

    @Test func `a client that speaks for itself is no unknown proxy`() async throws {
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send(get("X-Forwarded-Proto: https"))

            #expect(try await client.response().status == 200)
            #expect(await server.server.metrics().unknownProxy == nil)
        }
    }

    @Test func `what cannot be understood is ignored as a whole and counted`() async throws {
        let proxy = try #require(ProxyRange("127.0.0.1"))
        try await withServer([route], configure: { $0.trustedProxies = [proxy] }) { server in
            let client = try server.client()
            try await client.send(get("Forwarded: for=192.0.2.1;proto=https, for=\"") + get("X-Forwarded-For: me"))

            #expect(try await client.response().body == "127.0.0.1 127.0.0.1 false own.test")
            #expect(try await client.response().body == "127.0.0.1 127.0.0.1 false own.test")
            #expect(await server.server.metrics().ignoredForwarded == 2)
        }
    }

    @Test(arguments: [true, false])
    func `processes behind a unix socket are believed when they are named`(isNamed: Bool) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("pics-\(UUID().uuidString)").path
        try await withServer(
            [route],
            configure: {
                $0.address = path
                $0.trustedProxies = isNamed ? [.unix] : []
            }
        ) { server in
            let client = try server.client()
            try await client.send(get("X-Forwarded-For: 192.0.2.1"))

            #expect(try await client.response().body == "\(isNamed ? "192.0.2.1" : "unix") unix false own.test")
        }
    }

    @Test func `a trusted proxy has as many connections as all together`() async throws {
        let proxy = try #require(ProxyRange("127.0.0.1"))
        let limits = Limits.with {
            $0.connectionsPerAddress = 1
            $0.connections = 3
        }
        try await withServer([route], limits: limits, configure: { $0.trustedProxies = [proxy] }) { server in
            var clients: [Client] = []
            for _ in 0..<3 {
                clients.append(try server.client())
                try await clients.last?.send(get())
                #expect(try await clients.last?.response().status == 200)
            }

            #expect(try await server.client().answers().map(\.status) == [503])
        }
    }

    @Test func `every client of a proxy has limits of its own`() async throws {
        let limiter = RateLimiter([
            RatePolicy(.init("address"), quota: 1, per: .seconds(3600), of: .address, countsEveryRequest: true)
        ])
        let proxy = try #require(ProxyRange("127.0.0.1"))
        try await withServer(
            [route],
            configure: {
                $0.trustedProxies = [proxy]
                $0.rateLimiter = limiter
            }
        ) { server in
            let client = try server.client()
            var statuses: [Int] = []
            for address in ["192.0.2.1", "192.0.2.2", "192.0.2.1", "203.0.113.1, 192.0.2.2"] {
                try await client.send(get("X-Forwarded-For: \(address)"))
                statuses.append(try await client.response().status)
            }

            #expect(statuses == [200, 200, 429, 429])
        }
    }
}
