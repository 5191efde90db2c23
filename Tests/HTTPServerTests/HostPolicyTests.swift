import HTTP
import HTTPServer
import Testing

/// Which hosts a server answers for (RFC 9110, sections 7.4 and 15.5.20).
struct HostPolicyTests {
    private static let routes = [
        Route(.get, "/a") { request in .text(request.authority ?? "-") },
        Route(.get, "/livez", operation: .undocumented, audience: .anyHost) { _ in .text("alive") },
        Route(.get, "/metrics", operation: .undocumented, audience: .programs) { _ in .text("counters") },
        Route(.get, "/m/a", operation: .undocumented, audience: .media) { _ in .text("picture") },
        Route(.post, "/v1/a") { _ in .noContent },
    ]

    private static let named = HostPolicy.only(
        ["pics.example", "p.example", "2001:db8::1"].compactMap { ServedHost($0) },
        mediaHosts: ["media.example"].compactMap { ServedHost($0) },
        listenerNames: ["localhost"].compactMap { ServedHost($0) })

    private func withHosts(
        _ policy: HostPolicy, configure: (inout ServerConfiguration) -> Void = { _ in },
        _ test: (TestServer) async throws -> Void
    ) async throws {
        try await withServer(
            Self.routes,
            configure: {
                $0.hosts = policy
                configure(&$0)
            }, test)
    }

    /// Sends a head, and judges the status of its answer.
    private func expect(
        _ status: Int, _ server: TestServer, _ lines: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let client = try server.client()
        try await client.send((lines + ["", ""]).joined(separator: "\r\n"))
        let response = try await client.response()
        #expect(response.status == status, sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        ("pics.example", 200), ("PICS.Example", 200), ("pics.example.", 200), ("pics.example:8443", 200),
        ("p.example", 200), ("[2001:db8::1]", 200), ("[2001:DB8:0::1]:80", 200),
        ("evil.example", 421), ("pics.example.evil.example", 421), ("xpics.example", 421), ("pics.example..", 421),
        ("p%69cs.example", 421), ("localhost", 421), ("127.0.0.1", 421), ("192.0.2.1", 421), ("[::1]", 421),
    ])
    func `only the hosts of the policy are served`(host: String, expected: Int) async throws {
        try await withHosts(Self.named) { server in
            try await expect(expected, server, "GET /a HTTP/1.1", "Host: \(host)")
            try await expect(expected, server, "GET http://\(host)/a HTTP/1.1", "Host: pics.example")
        }
    }

    @Test(arguments: [("media.example", 200), ("pics.example", 200), ("evil.example", 421)])
    func `under a host of media there are media and nothing else`(host: String, expected: Int) async throws {
        try await withHosts(Self.named) { server in
            try await expect(expected, server, "GET /m/a HTTP/1.1", "Host: \(host)")
            try await expect(host == "pics.example" ? 200 : 421, server, "GET /a HTTP/1.1", "Host: \(host)")
            try await expect(200, server, "GET /livez HTTP/1.1", "Host: \(host)")
        }
    }

    @Test func `a host of media that is the machine's own is served to everybody where all of those are`() async throws
    {
        let policy = HostPolicy.local(
            and: [], mediaHosts: ["127.0.0.1", "media.example"].compactMap { ServedHost($0) })
        try await withHosts(policy) { server in
            try await expect(200, server, "GET /a HTTP/1.1", "Host: 127.0.0.1")
            try await expect(421, server, "GET /a HTTP/1.1", "Host: media.example")
            try await expect(200, server, "GET /m/a HTTP/1.1", "Host: media.example")
        }
    }

    @Test func `a host is judged anew for every request of a connection`() async throws {
        try await withHosts(Self.named) { server in
            let client = try server.client()
            for (host, expected) in [
                ("pics.example", 200), ("evil.example", 421), ("pics.example", 200), ("p.example", 200),
                ("evil.example", 421),
            ] {
                try await client.send("GET /a HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                #expect(try await client.response().status == expected)
            }
        }
    }

    @Test func `a foreign host gets problem details, whatever it asks for`() async throws {
        try await withHosts(Self.named, configure: { $0.cors = [CORSPolicy(.any, path: "/v1")] }) { server in
            let response = try await server.ask("/a")
            #expect(response.status == 421 && response["Content-Type"] == "application/problem+json")
            #expect(response.body.contains("/problems/misdirected-request"))

            for line in ["GET /nothing", "DELETE /a", "OPTIONS *", "OPTIONS /v1/a", "BREW /a"] {
                try await expect(421, server, "\(line) HTTP/1.1", "Host: evil.example")
            }
            try await expect(
                421, server, "OPTIONS /v1/a HTTP/1.1", "Host: evil.example", "Origin: https://app.example",
                "Access-Control-Request-Method: POST")
        }
    }

    @Test func `HTTP/2 names its host in :authority`() async throws {
        try await withHosts(Self.named) { server in
            let client = try await HTTP2Client(server)
            for (host, expected) in [("Pics.example:443", 200), ("evil.example", 421)] {
                let stream = await client.newStream()
                try await client.send(
                    .headers(
                        stream, [(":method", "GET"), (":scheme", "http"), (":authority", host), (":path", "/a")],
                        ends: true))
                #expect(try await client.response(stream).status == expected)
            }
        }
    }

    @Test func `those who ask whether the process lives need no host`() async throws {
        try await withHosts(Self.named) { server in
            try await expect(200, server, "GET /livez HTTP/1.1", "Host: evil.example")
            try await expect(200, server, "GET /livez HTTP/1.0")
            try await expect(421, server, "GET /a HTTP/1.0")
        }
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.1:8080", "[::ffff:127.0.0.1]", "localhost:8080"])
    func `programs reach it under its own address, with a token and without cookies`(host: String) async throws {
        let token = "Authorization: Bearer token"
        try await withHosts(Self.named) { server in
            try await expect(200, server, "GET /a HTTP/1.1", "Host: \(host)", token)
            try await expect(200, server, "GET /metrics HTTP/1.1", "Host: \(host)")

            try await expect(421, server, "GET /a HTTP/1.1", "Host: \(host)")
            try await expect(421, server, "GET /a HTTP/1.1", "Host: \(host)", token, "Cookie: a=b")
            try await expect(421, server, "GET /metrics HTTP/1.1", "Host: \(host)", "Cookie: a=b")
            try await expect(421, server, "GET /a HTTP/1.1", "Host: 127.0.0.2", token)
            try await expect(421, server, "GET /a HTTP/1.1", "Host: evil.example", token)
        }
    }

    @Test(arguments: [
        ("127.0.0.1:8080", 200), ("192.168.1.7", 200), ("[fd00::1]", 200), ("localhost", 200), ("pics.localhost", 200),
        ("nas", 200), ("nas.local", 200), ("nas.home.arpa", 200), ("pics.internal", 200), ("nas.lan.", 200),
        ("pics.test.example", 200), ("evil.example", 421), ("local.evil.example", 421), ("home.arpa.evil.example", 421),
        ("127.0.0.1.evil.example", 421), ("evil.arpa", 421),
    ])
    func `without names of its own it serves what no stranger can have`(host: String, expected: Int) async throws {
        let policy = HostPolicy.local(and: ["pics.test.example"].compactMap { ServedHost($0) })
        try await withHosts(policy) { server in
            try await expect(expected, server, "GET /a HTTP/1.1", "Host: \(host)")
        }
    }

    @Test func `behind a trusted proxy the host counts that it was asked for`() async throws {
        let proxy = try #require(ProxyRange("127.0.0.0/8"))
        try await withHosts(Self.named, configure: { $0.trustedProxies = [proxy] }) { server in
            let own = "Host: 127.0.0.1:8080"
            try await expect(
                200, server, "GET /a HTTP/1.1", own, "Forwarded: for=192.0.2.1;host=pics.example", "Cookie: a=b")
            try await expect(
                421, server, "GET /a HTTP/1.1", "Host: pics.example", "Forwarded: for=192.0.2.1;host=evil.example")
        }
    }

    @Test func `without names of its own it serves whatever a trusted proxy passes on`() async throws {
        let proxy = try #require(ProxyRange("127.0.0.0/8"))
        try await withHosts(.local(and: []), configure: { $0.trustedProxies = [proxy] }) { server in
            try await expect(200, server, "GET /a HTTP/1.1", "Host: pics.example")
        }
    }

    @Test func `a foreign host is not sent to https`() async throws {
        try await withHosts(Self.named, configure: { $0.listeners[0].role = .redirect(toPort: 443) }) { server in
            try await expect(308, server, "GET /a HTTP/1.1", "Host: pics.example")
            try await expect(421, server, "GET /a HTTP/1.1", "Host: evil.example")
        }
    }

    @Test(arguments: ["pics.example", "PICS.example.", "nas", "192.0.2.1", "::1", "[2001:db8::1]"])
    func `a setting names a host`(text: String) throws {
        #expect(try #require(ServedHost(text)).text == (text == "::1" ? "[::1]" : text.lowercased().trimmed(".")))
    }

    @Test(arguments: ["", "pics.example:80", "https://pics.example", "[::1", "a b", "a/b", "*.example@"])
    func `a setting that names no host is refused`(text: String) {
        #expect(ServedHost(text) == nil)
    }
}

extension String {
    /// Without this at its end.
    fileprivate func trimmed(_ end: String) -> String { hasSuffix(end) ? String(dropLast(end.count)) : self }
}
