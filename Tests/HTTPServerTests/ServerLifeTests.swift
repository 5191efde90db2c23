import EventLoops
import Foundation
import HTTP
import HTTPServer
import Logging
import TestTools
import Testing

struct ServerLifeTests {
    @Test func `a graceful stop lets a running request end and closes what is idle`() async throws {
        let began = Signal()
        let go = Signal()
        let route = Route(.get, "/a") { _ in
            began.fire()
            await go.wait()
            return .text("done")
        }
        let server = try await TestServer.start([route])
        let idle = try server.client()
        let busy = try server.client()
        try await busy.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        await began.wait()

        async let stopped: Void = server.server.stop(within: .seconds(60))
        #expect(try await idle.rest().isEmpty)
        #expect(throws: Client.Failure.self) { try server.client() }
        go.fire()

        let answers = try await busy.answers()
        #expect(answers.map(\.body) == ["done"])
        #expect(answers[0]["Connection"] == "close")
        busy.close()
        await stopped
    }

    @Test func `draining alone stops accepting`() async throws {
        let server = try await TestServer.start([Route(.get, "/a") { _ in .noContent }])
        let client = try server.client()
        try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try await client.response()

        server.server.beginDraining()

        #expect(try await client.rest().isEmpty)
        #expect(throws: Client.Failure.self) { try server.client() }
        await server.stop()
    }

    @Test func `a request that has arrived before the end is answered`() async throws {
        let server = try await TestServer.start([Route(.get, "/a") { _ in .text("a") }])
        let client = try server.client()
        try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try await client.response()
        let (held, go) = (Signal(), DispatchSemaphore(value: 0))
        server.loops[0].execute {
            held.fire()
            go.wait()
        }
        // Before, the loop may still look for a further request.
        await held.wait()

        server.server.beginDraining()
        try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        go.signal()

        let response = try await client.response()
        #expect(response.body == "a" && response["Connection"] == "close")
        await server.stop()
    }

    @Test func `a connection that was idle at the end is told with its next answer`() async throws {
        let server = try await TestServer.start([Route(.get, "/a") { _ in .text("a") }])
        let client = try server.client()
        try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try await client.response()

        server.server.beginDraining(closingIdleAfter: .seconds(60))
        // Before, the loop may take a request as one that came in time.
        let drained = Signal()
        server.loops[0].execute { drained.fire() }
        await drained.wait()
        try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")

        let response = try await client.response()
        #expect(response.body == "a" && response["Connection"] == "close")
        #expect(try await client.rest().isEmpty)
        await server.stop()
    }

    @Test func `a connection that stays idle at the end is closed`() async throws {
        let clock = ManualClock()
        let server = try await TestServer.start([Route(.get, "/a") { _ in .text("a") }], clock: clock)
        let client = try server.client()
        try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try await client.response()

        server.server.beginDraining(closingIdleAfter: .seconds(60))
        // When the loop answers, it has begun to drain.
        _ = await server.server.metrics()
        clock.advance(by: .seconds(60))

        #expect(try await client.rest().isEmpty)
        await server.stop()
    }

    @Test func `a stop cuts what does not end in time`() async throws {
        let cancelled = Signal()
        let began = Signal()
        let route = Route(.get, "/a") { _ in
            began.fire()
            do {
                try await EventLoop.current?.sleep(for: .seconds(3600))
            } catch {
                cancelled.fire()
            }
            return .noContent
        }
        let server = try await TestServer.start([route])
        let client = try server.client()
        try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        await began.wait()

        await server.stop()

        await client.waitForEnd()
        await cancelled.wait()
    }

    @Test func `a second stop does not wait for the first`() async throws {
        let began = Signal()
        let route = Route(.get, "/a") { _ in
            began.fire()
            try await EventLoop.current?.sleep(for: .seconds(3600))
            return .noContent
        }
        let server = try await TestServer.start([route])
        let client = try server.client()
        try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        await began.wait()

        async let first: Void = server.server.stop(within: .seconds(3600))
        await server.stop()

        await first
        await client.waitForEnd()
    }

    @Test func `an address that somebody listens at is in use`() async throws {
        try await withServer([], loops: 2) { server in
            var configuration = ServerConfiguration()
            configuration.port = server.address.port ?? 0
            let second = try makeServer(configuration, server.loops)

            await #expect(throws: ServerStartError.addressInUse("\(server.address)")) { try await second.start() }
        }
    }

    @Test func `of two that start at one address at once, one at most gets it`() async throws {
        let loops = try (0..<2).map { try EventLoop(name: "test-\($0)") }
        for _ in 0..<50 {
            // A port that is free now.
            let first = try makeServer(ServerConfiguration(port: 0), loops)
            let port = try await first.start().first?.port ?? 0
            await first.stop(within: .seconds(10))
            let servers = try (0..<2).map { _ in try makeServer(ServerConfiguration(port: port), loops) }
            let started = await withTaskGroup(of: Bool.self) { group in
                for server in servers {
                    group.addTask { @concurrent in
                        do { _ = try await server.start() } catch { return false }
                        return true
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(started <= 1)
            for server in servers { await server.stop(within: .seconds(10)) }
        }
    }

    @Test func `an address that is none is refused`() async throws {
        let loop = try EventLoop(name: "test")
        var configuration = ServerConfiguration()
        configuration.address = "203.0.113.1"
        configuration.port = 0
        let server = try makeServer(configuration, [loop])

        await #expect(throws: ServerStartError.badAddress("203.0.113.1:0")) { try await server.start() }
        loop.stop()
    }

    @Test func `addresses are told before the first connection is accepted`() async throws {
        let loop = try EventLoop(name: "test")
        var configuration = ServerConfiguration()
        configuration.port = 0
        let server = try makeServer(configuration, [loop])
        let (client, accepted) = (Box<Client?>(nil), Box<Int?>(nil))

        let addresses = try await server.start { bound in
            // It waits in the kernel.
            client.update { $0 = try? Client(bound[0]) }
            let counted = DispatchSemaphore(value: 0)
            Task.detached {
                let count = await server.metrics().acceptedConnections
                accepted.update { $0 = count }
                counted.signal()
            }
            counted.wait()
        }

        let early = try #require(client.value)
        try await early.send(lastGet("/a"))
        #expect(accepted.value == 0)
        #expect(try await early.response().body == "127.0.0.1")
        #expect(addresses.count == 1)
        await server.stop(within: .zero)
        loop.stop()
    }

    @Test func `IPv6 and unix sockets are served too`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("pics-\(UUID().uuidString)").path
        for address in ["::1", path] {
            let loops = [try EventLoop(name: "test-0"), try EventLoop(name: "test-1")]
            var configuration = ServerConfiguration()
            configuration.address = address
            configuration.port = 0
            let server = try makeServer(configuration, loops)

            let bound = try await server.start()[0]
            let client = try Client(bound)
            try await client.send(lastGet("/a"))

            #expect(try await client.response().body == (address == path ? "unix" : "::1"))
            #expect(bound.description.hasPrefix(address == path ? "unix:/" : "[::1]:"))
            await server.stop(within: .zero)
            #expect(!FileManager.default.fileExists(atPath: path))
            for loop in loops { loop.stop() }
        }
    }

    @Test func `a request is one line of the log, without its query`() async throws {
        try await withServer([Route(.get, "/a/{id}") { _ in .text("hello") }], accessLog: true) { server in
            _ = try await server.answers(
                to:
                    "GET /a/7?token=secret HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer secret\r\nX-Request-ID: id-1\r\nConnection: close\r\n\r\n"
            )

            // Lines are written when the loop has nothing more to do, and so are metrics read.
            _ = await server.server.metrics()
            let line = try #require(server.log.lines.first)
            #expect(server.log.lines.count == 1)
            for part in [
                "method=GET", "path=/a/7", "route=/a/{id}", "status=200", "bytes=5", "remote=127.0.0.1", "request=id-1",
            ] {
                #expect(line.contains(part))
            }
            #expect(!line.contains("secret"))
        }
    }

    @Test func `requests are counted by route and status`() async throws {
        let routes = [Route(.get, "/a") { _ in .noContent }, Route(.post, "/a") { _ in throw TestServer.Refusal() }]
        try await withServer(routes, loops: 2) { server in
            for _ in 0..<3 { _ = try await server.answers(to: lastGet("/a")) }
            _ = try await server.answers(to: "POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            _ = try await server.answers(to: lastGet("/b"))
            _ = try await server.answers(to: "nonsense\r\n\r\n")

            let metrics = await server.server.metrics()

            #expect(metrics.routes.map(\.path) == ["/a", "/a", "*"])
            #expect(metrics.routes[0].statuses.map { "\($0.status) \($0.count)" } == ["204 3"])
            #expect(metrics.routes[0].durations.counts.reduce(0, +) == 3)
            #expect(metrics.routes[1].statuses.map { "\($0.status) \($0.count)" } == ["422 1"])
            #expect(Set(metrics.routes[2].statuses.map { "\($0.status) \($0.count)" }) == ["404 1", "400 1"])
            #expect(metrics.acceptedConnections == 6)
        }
    }

    private func makeServer(_ configuration: ServerConfiguration, _ loops: [EventLoop]) throws -> Server {
        Server(
            configuration: configuration, loops: loops,
            router: try Router([Route(.get, "/a") { .text($0.remoteAddress) }]),
            logger: .silent, problem: Server.unknownProblem)
    }
}

extension ServerConfiguration {
    fileprivate init(port: UInt16) {
        self.init()
        self.port = port
    }
}
