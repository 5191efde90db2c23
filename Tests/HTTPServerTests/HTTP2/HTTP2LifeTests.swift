import EventLoops
import HTTP
import HTTPServer
import Logging
import TestTools
import Testing

struct HTTP2LifeTests {
    private let clock = ManualClock()
    private let hello = Route(.get, "/a") { _ in .text("hello") }

    /// A handler that says when it has begun and when it was cancelled.
    private func patient(_ begun: Signal, _ cancelled: Signal) -> Route {
        Route(.get, "/patient") { _ in
            begun.fire()
            do { try await EventLoop.current?.sleep(for: .seconds(3600)) } catch { cancelled.fire() }
            return .noContent
        }
    }

    @Test func `a request that the client gives up is cancelled`() async throws {
        let (begun, cancelled) = (Signal(), Signal())
        try await withServer([hello, patient(begun, cancelled)], accessLog: true) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("GET", "/patient")
            await begun.wait()
            try await client.send(.reset(stream))

            await cancelled.wait()
            #expect(try await client.get("/a").status == 200)
            #expect(server.log.lines.contains { $0.contains("499") })
        }
    }

    @Test func `a client that goes away takes its handlers along`() async throws {
        for isReset in [true, false] {
            let (begun, cancelled) = (Signal(), Signal())
            try await withServer([patient(begun, cancelled)]) { server in
                let client = try await HTTP2Client(server)
                try await client.begin("GET", "/patient")
                await begun.wait()
                if isReset { await client.reset() } else { await client.close() }

                await cancelled.wait()
            }
        }
    }

    @Test func `a reader and a writer learn that their client has given up`() async throws {
        let failures = Box<[String]>([])
        let (began, done) = (Signal(), Signal())
        let route = Route(.post, "/a") { request in
            HTTPResponse(
                .ok,
                body: .stream { writer in
                    try await writer.flush()
                    began.fire()
                    do { _ = try await request.body.next() } catch { failures.update { $0.append("\(error)") } }
                    do { try await writer.write("x") } catch { failures.update { $0.append("\(error)") } }
                    done.fire()
                })
        }
        try await withServer([route]) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("POST", "/a", ends: false)
            await began.wait()
            try await client.send(.reset(stream))
            await done.wait()

            #expect(failures.value.count == 2)
            #expect(failures.value.last == "nobody reads the response any more")
        }
    }

    @Test func `a handler that takes too long is answered for, and its stream alone`() async throws {
        let (begun, cancelled) = (Signal(), Signal())
        try await withServer([hello, patient(begun, cancelled)], clock: clock) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("GET", "/patient")
            await begun.wait()
            clock.advance(by: try #require(Limits().handlerTime))

            #expect(try await client.response(stream).status == 503)
            await cancelled.wait()
            #expect(try await client.get("/a").status == 200)
        }
    }

    @Test func `a client that opens no window for its answer loses it`() async throws {
        let route = Route(.get, "/big") { _ in HTTPResponse(.ok, body: .bytes([UInt8](repeating: 0, count: 1_000_000)))
        }
        try await withServer([hello, route], clock: clock) { server in
            let client = try await HTTP2Client(server)
            await client.setOpensWindows(false)

            let response = try await clock.pass(.seconds(1), on: server) { try await client.get("/big") }

            #expect(response.reset == 8)
            #expect(response.body.count == 65_535)
        }
    }

    @Test func `a client that reads nothing is cut`() async throws {
        let route = Route(.get, "/big") { _ in HTTPResponse(.ok, body: .bytes([UInt8](repeating: 0, count: 50_000_000)))
        }
        try await withServer([route], clock: clock) { server in
            let client = try await HTTP2Client(server, settings: [(id: 4, value: 0x7FFF_FFFF)])
            try await client.send(.windowUpdate(0, 0x7FFF_0000))
            try await client.begin("GET", "/big")

            await clock.pass(.seconds(1), on: server) { $0.acceptedConnections == 1 && $0.openConnections == 0 }
        }
    }

    @Test func `a connection without a request is closed in time`() async throws {
        try await withServer([hello], clock: clock) { server in
            let silent = try await HTTP2Client(server)
            await clock.pass(Limits().headerTime)
            #expect(await silent.end() == 0)
        }
    }

    @Test func `an idle connection is closed with GOAWAY`() async throws {
        try await withServer([hello], clock: clock) { server in
            let idle = try await HTTP2Client(server)
            #expect(try await idle.get("/a").status == 200)
            clock.advance(by: Limits().idle)
            #expect(await idle.end() == 0)
        }
    }

    @Test func `header fields that come too slowly end the connection`() async throws {
        try await withServer([hello], limits: .with { $0.idle = .seconds(86_400) }, clock: clock) { server in
            let client = try await HTTP2Client(server)
            #expect(try await client.get("/a").status == 200)
            try await client.send(.headers(3, HTTP2Client.fields("GET", "/a"), isWhole: false))

            #expect(await clock.pass(.seconds(1), on: server) { await client.end() } == 0)
        }
    }

    @Test func `the last request that a connection may make is answered`() async throws {
        try await withServer([hello], limits: .with { $0.requestsPerConnection = 3 }) { server in
            let client = try await HTTP2Client(server)
            for _ in 0..<3 { #expect(try await client.get("/a").status == 200) }

            #expect(await client.end() == 0)
            #expect(await client.goAways.last?.lastStream == 5)
        }
    }

    @Test func `draining lets running requests end, and those that come before the client has heard`() async throws {
        let (begun, goOn) = (Signal(), Signal())
        let route = Route(.get, "/slow") { _ in
            begun.fire()
            await goOn.wait()
            return .text("done")
        }
        try await withServer([hello, route]) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("GET", "/slow")
            await begun.wait()
            server.server.beginDraining()
            // Sent before anything of the server's intention was read.
            let late = try await client.begin("GET", "/a")

            #expect(try await client.response(late).status == 200)
            try await client.waitForGoAway(2)
            #expect(await client.goAways.map(\.code) == [0, 0])
            #expect(await client.goAways.map(\.lastStream) == [0x7FFF_FFFF, 3])
            goOn.fire()
            #expect(try await client.response(stream).text == "done")
            #expect(await client.end() == 0)
        }
    }

    @Test func `draining closes idle connections, and stopping cuts what does not end`() async throws {
        let (begun, cancelled) = (Signal(), Signal())
        let server = try await TestServer.start([hello, patient(begun, cancelled)], clock: clock)
        let idle = try await HTTP2Client(server)
        _ = try await idle.get("/a")
        let busy = try await HTTP2Client(server)
        try await busy.begin("GET", "/patient")
        await begun.wait()

        async let stopped: Void = server.server.stop(within: .seconds(60))

        #expect(await idle.end() == 0)
        clock.advance(by: .seconds(60))
        await cancelled.wait()
        await stopped
        for loop in server.loops { loop.stop() }
    }

    @Test func `a connection counts once, whatever it speaks`() async throws {
        try await withServer([hello], limits: .with { $0.connections = 2 }) { server in
            let first = try await HTTP2Client(server)
            let second = try await HTTP2Client(server)
            for client in [first, second] { #expect(try await client.get("/a").status == 200) }
            #expect(await server.server.metrics().acceptedConnections == 2)
            #expect(try await server.client().answers().map(\.status) == [503])

            await first.close()
            while await server.server.metrics().openConnections > 1 {}
            #expect(try await HTTP2Client(server).get("/a").status == 200)
        }
    }
}
