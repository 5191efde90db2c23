import EventLoops
import HTTP
import HTTPServer
import Logging
import TestTools
import Testing

struct ConnectionTests {
    @Test(arguments: [true, false])
    func `a thousand pipelined requests are answered in order`(atOnce: Bool) async throws {
        let routes = [
            Route(.get, "/now/{n}", operation: .undocumented) { .text($0.parameters["n"] ?? "") },
            Route(.get, "/later/{n}") { .text($0.parameters["n"] ?? "") },
        ]
        try await withServer(routes) { server in
            let client = try server.client()
            let path = atOnce ? "now" : "later"

            try await client.send(
                (0..<1000).map { "GET /\(path)/\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined() + lastGet("/\(path)/end"))

            #expect(try await client.answers().map(\.body) == (0..<1000).map(String.init) + ["end"])
        }
    }

    @Test func `answers keep the order of their requests whatever takes longest`() async throws {
        let go = Signal()
        let routes = [
            Route(.get, "/slow") { _ in
                await go.wait()
                return .text("slow")
            },
            Route(.get, "/fast") { _ in .text("fast") },
        ]
        try await withServer(routes) { server in
            let client = try server.client()
            try await client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n" + lastGet("/fast"))
            // Somebody else is served meanwhile.
            #expect(try await server.answers(to: lastGet("/fast")).map(\.body) == ["fast"])

            go.fire()

            #expect(try await client.answers().map(\.body) == ["slow", "fast"])
        }
    }

    @Test func `a flood of requests behind a slow one is answered, and keeps nobody else waiting`() async throws {
        let go = Signal()
        let routes = [
            Route(.get, "/slow") { _ in
                await go.wait()
                return .noContent
            },
            Route(.get, "/fast") { _ in .noContent },
        ]
        try await withServer(routes) { server in
            let client = try server.client()
            let flood = String(repeating: "GET /fast HTTP/1.1\r\nHost: h\r\n\r\n", count: 2000)
            try await client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
            async let answers = client.answers()
            try await client.send(flood + lastGet("/fast"))
            _ = try await server.answers(to: lastGet("/fast"))

            go.fire()

            #expect(try await answers.count == 2002)
        }
    }

    @Test func `a client that ends its side still gets what it has asked for`() async throws {
        let go = Signal()
        let route = Route(.get, "/{n}") { request in
            await go.wait()
            return .text(request.parameters["n"] ?? "")
        }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n")
            client.endWriting()

            go.fire()

            #expect(try await client.answers().map(\.body) == ["1", "2"])
        }
    }

    @Test(arguments: [true, false])
    func `a handler is cancelled when its client is gone`(byReset: Bool) async throws {
        let began = Signal()
        let cancelled = Signal()
        let route = Route(.get, "/a") { _ in
            began.fire()
            do {
                try await EventLoop.current?.sleep(for: .seconds(3600))
            } catch {
                cancelled.fire()
            }
            return .noContent
        }
        let clock = ManualClock()
        try await withServer([route], clock: clock) { server in
            let client = try server.client()
            try await client.send(lastGet("/a"))
            await began.wait()

            if byReset {
                client.reset()
            } else {
                client.close()
                await clock.pass(Limits().halfClosed)
            }

            await cancelled.wait()
        }
    }

    @Test func `what a handler throws becomes problem details, and a failure is logged`() async throws {
        struct Failure: Error, CustomStringConvertible { var description: String { "the cause" } }
        let routes = [
            Route(.get, "/refused") { _ in throw TestServer.Refusal() },
            Route(.get, "/failed") { _ in throw Failure() },
        ]
        try await withServer(routes) { server in
            let client = try server.client()
            try await client.send("GET /refused HTTP/1.1\r\nHost: h\r\n\r\n")
            let refused = try await client.response()
            try await client.send("GET /failed HTTP/1.1\r\nHost: h\r\nX-Request-ID: id-7\r\n\r\n")
            let failed = try await client.response()

            #expect(refused.status == 422 && refused.body.contains("/problems/refused"))
            #expect(failed.status == 500 && !failed.body.contains("the cause"))
            #expect(server.log.lines.count == 1)
            #expect(server.log.lines[0].contains("request=id-7") && server.log.lines[0].contains("the cause"))
        }
    }

    @Test func `several loops share one port`() async throws {
        let seen = Box<Set<String>>([])
        let route = Route(.get, "/a") { _ in
            seen.update { $0.insert(EventLoop.current?.name ?? "none") }
            return .noContent
        }
        try await withServer([route], loops: 2) { server in
            for _ in 0..<40 { _ = try await server.answers(to: lastGet("/a")) }

            #expect(seen.value == ["server-0", "server-1"])
        }
    }

    @Test func `a handler stays on the loop of its connection`() async throws {
        let route = Route(.post, "/a") { request in
            let before = EventLoop.current?.name
            _ = try await request.body.collect(upTo: 10)
            try await EventLoop.current?.sleep(for: .milliseconds(1))
            return .text("\(before ?? "") \(EventLoop.current?.name ?? "")")
        }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
            _ = try await client.response()
            try await client.send("abc")

            #expect(try await client.response().body == "server-0 server-0")
        }
    }

    @Test(arguments: [100, 4_000, 40_000])
    func `a client that reads only after it has asked for everything gets everything`(size: Int) async throws {
        let text = String(repeating: "x", count: size)
        try await withServer([Route(.get, "/a", operation: .undocumented) { _ in .text(text) }]) { server in
            let client = try server.client()
            let count = 12_000_000 / (size + 6_000)
            try await client.send(String(repeating: "GET /a HTTP/1.1\r\nHost: h\r\n\r\n", count: count))
            client.endWriting()
            // Others are served, and by then the first client's answers have filled whatever the kernel takes.
            for _ in 0..<5 { _ = try await server.answers(to: lastGet("/a")) }

            #expect(try await client.answers().map(\.body.utf8.count) == Array(repeating: size, count: count))
        }
    }
}
