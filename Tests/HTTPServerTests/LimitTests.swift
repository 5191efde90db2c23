import EventLoops
import HTTP
import HTTPServer
import TestTools
import Testing

struct LimitTests {
    private let clock = ManualClock()
    private let limits = Limits()

    @Test func `a head that comes too slowly is answered with 408`() async throws {
        try await withServer([], clock: clock) { server in
            let client = try server.client()
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n")
            await clock.pass(limits.headerTime)

            let answers = try await client.answers()
            #expect(answers.map(\.status) == [408])
            #expect(answers[0]["Connection"] == "close")
        }
    }

    @Test func `a body that comes too slowly is answered with 408`() async throws {
        let route = Route(.post, "/a") { .text(String(try await $0.body.collect(upTo: 100).count)) }
        try await withServer([route], clock: clock) { server in
            let client = try server.client()
            try await client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")
            await clock.pass(limits.bodyStall)

            #expect(try await client.answers().map(\.status) == [408])
        }
    }

    @Test(arguments: ["Content-Length: 1000", "Transfer-Encoding: chunked"])
    func `a body below the least rate is answered with 408 though it never stalls`(framing: String) async throws {
        let route = Route(.post, "/a") { .text(String(try await $0.body.collect(upTo: 1000).count)) }
        try await withServer([route], clock: clock) { server in
            let client = try server.client()
            // Of the chunked body nothing but an endless extension comes.
            let start = framing.hasPrefix("Content") ? "" : "5;"
            try await client.send("POST /a HTTP/1.1\r\nHost: h\r\n\(framing)\r\n\r\n\(start)")
            // The server has closed when nothing more can be sent.
            await clock.pass(.seconds(1), on: server) { _ in (try? await client.send("x")) == nil }

            #expect(try await client.response().status == 408)
        }
    }

    @Test func `an idle connection is closed without a word`() async throws {
        try await withServer([Route(.get, "/a") { _ in .noContent }], clock: clock) { server in
            let client = try server.client()
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.response().status == 204)
            await clock.pass(limits.idle)

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
        try await withServer([route], clock: clock) { server in
            let client = try server.client()
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            await clock.pass(try #require(limits.handlerTime))

            #expect(try await client.answers().map(\.status) == [503])
            await cancelled.wait()
        }
    }

    @Test func `a client that takes nothing of its answer is cut`() async throws {
        let route = Route(.get, "/a") { _ in HTTPResponse(.ok, body: .bytes([UInt8](repeating: 0, count: 50_000_000))) }
        try await withServer([route], accessLog: true, clock: clock) { server in
            let client = try server.client()
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            try await client.receive(until: "\r\n\r\n")
            // Reads on only when the server has given up.
            await clock.pass(.seconds(1), on: server) { $0.openConnections == 0 }

            await #expect(throws: Client.Failure.self) { try await client.skipRest() }
        }
    }

    @Test func `more connections than allowed are refused`() async throws {
        try await withServer([Route(.get, "/a") { _ in .noContent }], limits: .with { $0.connections = 2 }) { server in
            let first = try server.client()
            let second = try server.client()
            for client in [first, second] {
                try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try await client.response().status == 204)
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
            #expect(try await first.response().status == 204)

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
