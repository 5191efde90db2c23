import EventLoops
import HTTP
import HTTPServer
import Testing

struct LimitTests {
    @Test func `a head that comes too slowly is answered with 408`() async throws {
        try await withServer([], limits: .with { $0.headerTime = .milliseconds(50) }) { server in
            let answers = try await server.answers(to: "GET / HTTP/1.1\r\nHost: h\r\n")

            #expect(answers.map(\.status) == [408])
            #expect(answers[0]["Connection"] == "close")
        }
    }

    @Test func `a body that comes too slowly is answered with 408`() async throws {
        let route = Route(.post, "/a") { .text(String(try await $0.body.collect(upTo: 100).count)) }
        try await withServer([route], limits: .with { $0.bodyStall = .milliseconds(50) }) { server in
            let answers = try await server.answers(to: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")

            #expect(answers.map(\.status) == [408])
        }
    }

    @Test(arguments: ["Content-Length: 1000", "Transfer-Encoding: chunked"])
    func `a body below the least rate is answered with 408 though it never stalls`(framing: String) async throws {
        let route = Route(.post, "/a") { .text(String(try await $0.body.collect(upTo: 1000).count)) }
        let limits = Limits.with {
            $0.bodyStall = .milliseconds(100)
            $0.bodyRate = 1000
        }
        try await withServer([route], limits: limits) { server in
            let client = try server.client()
            // Of the chunked body nothing but an endless extension comes.
            let start = framing.hasPrefix("Content") ? "" : "5;"
            try await client.send("POST /a HTTP/1.1\r\nHost: h\r\n\(framing)\r\n\r\n\(start)")
            let loop = server.loops[0]
            let drip = Task {
                while !Task.isCancelled {
                    try await client.send("x")
                    try await loop.sleep(for: .milliseconds(10))
                }
            }

            #expect(try await client.answer().status == 408)
            drip.cancel()
            _ = await drip.result
        }
    }

    @Test func `an idle connection is closed without a word`() async throws {
        try await withServer([Route(.get, "/a") { _ in .noContent }], limits: .with { $0.idle = .seconds(1) }) {
            server in
            let client = try server.client()
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.answer().status == 204)

            #expect(try await client.rest().isEmpty)
        }
    }

    @Test func `a handler that takes too long is cancelled and answered for`() async throws {
        let cancelled = Signal()
        let route = Route(.get, "/a") { _ in
            do {
                try await EventLoop.current?.sleep(for: .seconds(3600))
            } catch {
                cancelled.fire()
            }
            return .noContent
        }
        try await withServer([route], limits: .with { $0.handlerTime = .milliseconds(50) }) { server in
            let answers = try await server.answers(to: "GET /a HTTP/1.1\r\nHost: h\r\n\r\n")

            #expect(answers.map(\.status) == [503])
            await cancelled.wait()
        }
    }

    @Test func `a client that takes nothing of its answer is cut`() async throws {
        let route = Route(.get, "/a") { _ in Response(.ok, body: .bytes([UInt8](repeating: 0, count: 50_000_000))) }
        try await withServer([route], limits: .with { $0.writeStall = .milliseconds(50) }, accessLog: true) { server in
            let client = try server.client()
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            let probe = try server.client()
            try await probe.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")

            await #expect(throws: Client.Failure.self) {
                // Reads on only when the server has given up.
                while await server.server.metrics().openConnections > 0 {
                    try await server.loops[0].sleep(for: .milliseconds(5))
                }
                _ = try await client.answer()
            }
        }
    }

    @Test func `more connections than allowed are refused`() async throws {
        try await withServer([Route(.get, "/a") { _ in .noContent }], limits: .with { $0.connections = 2 }) { server in
            let first = try server.client()
            let second = try server.client()
            for client in [first, second] {
                try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try await client.answer().status == 204)
            }

            #expect(try await server.client().answers().map(\.status) == [503])

            let metrics = await server.server.metrics()
            #expect(metrics.openConnections == 2)
            #expect(metrics.acceptedConnections == 2)
            #expect(metrics.refusedConnections == 1)
            // A place that was left can be taken.
            try await first.send(lastGet("/a"))
            _ = try await first.answers()
            first.close()
            #expect(try await server.answers(to: lastGet("/a")).map(\.status) == [204])
        }
    }

    @Test func `more connections of one address than allowed are refused`() async throws {
        try await withServer([Route(.get, "/a") { _ in .noContent }], limits: .with { $0.connectionsPerAddress = 1 }) {
            server in
            let first = try server.client()
            try await first.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await first.answer().status == 204)

            #expect(try await server.client().answers().map(\.status) == [503])
        }
    }

    @Test func `the last request that a connection may make closes it`() async throws {
        try await withServer([Route(.get, "/a") { _ in .noContent }], limits: .with { $0.requestsPerConnection = 3 }) {
            server in
            let answers = try await server.answers(
                to: String(repeating: "GET /a HTTP/1.1\r\nHost: h\r\n\r\n", count: 5))

            #expect(answers.map(\.status) == [204, 204, 204])
            #expect(answers.map { $0["Connection"] } == [nil, nil, "close"])
        }
    }
}

extension Limits {
    /// The defaults, changed.
    static func with(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits()
        change(&limits)
        return limits
    }
}
