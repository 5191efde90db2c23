import EventLoops
import HTTP
import HTTPServer
import Logging
import TestTools
import Testing

struct HTTP2BodyTests {
    private let echo = Route(.post, "/echo", bodyLimit: 10_000_000) { request in
        HTTPResponse(
            .ok,
            body: .stream { writer in
                while let piece = try await request.body.next() { try await writer.write(piece) }
            })
    }
    private let collect = Route(.post, "/collect") { .text("\(try await $0.body.collect(upTo: 100_000).count)") }
    private let hello = Route(.get, "/a") { _ in .text("hello") }

    @Test func `a small body comes back`() async throws {
        try await withServer([echo]) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("POST", "/echo", [("content-length", "3")], ends: false)
            try await client.sendBody(stream, Array("abc".utf8))

            let response = try await client.response(stream)

            #expect(response.status == 200)
            #expect(response.text == "abc")
            #expect(response.fields["content-length"] == nil)
            #expect(response.fields["transfer-encoding"] == nil)
        }
    }

    @Test func `five megabytes come back while they are being sent`() async throws {
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 11) }
        try await withServer([echo]) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("POST", "/echo", ends: false)

            try await client.sendBody(stream, bytes)

            #expect(try await client.response(stream).body == bytes)
        }
    }

    @Test func `a body without a length has none, and one with a length has it`() async throws {
        let route = Route(.post, "/a") { request in
            _ = try await request.body.collect(upTo: 100)
            return .text(request.body.declaredLength.map { "\($0)" } ?? "-")
        }
        try await withServer([route]) { server in
            let client = try await HTTP2Client(server)
            for (fields, expected) in [([], "-"), ([("content-length", "4")], "4")] {
                let stream = try await client.begin("POST", "/a", fields, ends: false)
                try await client.sendBody(stream, Array("body".utf8))
                #expect(try await client.response(stream).text == expected)
            }
            #expect(try await client.response(try await client.begin("POST", "/a")).text == "0")
        }
    }

    @Test func `a handler that does not read keeps the client waiting, and nobody else`() async throws {
        let goOn = Signal()
        let route = Route(.post, "/slow") { request in
            await goOn.wait()
            return .text("\(try await request.body.collect(upTo: 1_000_000).count)")
        }
        try await withServer([route, hello]) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("POST", "/slow", ends: false)
            // The server says how much it takes: 64 KiB of a stream, 256 of the connection.
            _ = try await client.get("/a")
            #expect(await client.settings[4] == 65_536)
            try await client.sendBody(stream, [UInt8](repeating: 1, count: 65_536), ends: false)
            // Further bytes break the rules, and the stream.
            #expect(try await client.get("/a").text == "hello")

            goOn.fire()
            try await client.sendBody(stream, [UInt8](repeating: 1, count: 100_000))
            #expect(try await client.response(stream).text == "165536")
        }
    }

    @Test func `more than the window resets the stream`() async throws {
        let route = Route(.post, "/slow") { _ in
            try await EventLoop.current?.sleep(for: .seconds(3600))
            return .noContent
        }
        try await withServer([route, hello]) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("POST", "/slow", ends: false)
            for _ in 0..<5 {
                try await client.send(Frame(.data, stream: stream, [UInt8](repeating: 1, count: 16_384)))
            }

            #expect(try await client.response(stream).reset == 3)
            #expect(try await client.get("/a").text == "hello")
        }
    }

    @Test func `trailers end a body and are dropped`() async throws {
        try await withServer([collect]) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("POST", "/collect", ends: false)
            try await client.sendBody(stream, Array("abc".utf8), ends: false)
            try await client.send(.headers(stream, [("x-checksum", "1")]))

            #expect(try await client.response(stream).text == "3")
        }
    }

    @Test func `a length that is not kept resets the stream`() async throws {
        try await withServer([collect, hello]) { server in
            let client = try await HTTP2Client(server)
            for body in ["ab", "abcd"] {
                let stream = try await client.begin("POST", "/collect", [("content-length", "3")], ends: false)
                try await client.sendBody(stream, Array(body.utf8))
                #expect(try await client.response(stream).reset == 1)
            }
            #expect(try await client.get("/a").status == 200)
        }
    }

    @Test func `a client that waits for 100 gets it when somebody reads`() async throws {
        let goOn = Signal()
        let route = Route(.post, "/a") { request in
            await goOn.wait()
            return .text("\(try await request.body.collect(upTo: 100).count)")
        }
        try await withServer([route, hello]) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("POST", "/a", [("expect", "100-continue")], ends: false)
            _ = try await client.get("/a")
            goOn.fire()

            #expect(try await client.informational(stream) == [100])
            try await client.sendBody(stream, Array("abc".utf8))
            #expect(try await client.response(stream).text == "3")
        }
    }

    @Test func `an expectation that nobody knows is refused`() async throws {
        try await withServer([collect]) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("POST", "/collect", [("expect", "magic")], ends: false)

            let response = try await client.response(stream)
            #expect(response.status == 417)
            #expect(response.informational.isEmpty)
        }
    }

    @Test func `a body that nobody reads is given up, and its window goes to others`() async throws {
        let route = Route(.post, "/a") { _ in .text("no, thanks") }
        try await withServer([route]) { server in
            let client = try await HTTP2Client(server)
            // More than the connection's window in all.
            for _ in 0..<20 {
                let stream = try await client.begin("POST", "/a", ends: false)
                try await client.sendBody(stream, [UInt8](repeating: 1, count: 50_000), ends: false)
                let response = try await client.response(stream)
                #expect(response.text == "no, thanks")
                // NO_ERROR: stop sending, the answer counts (RFC 9113, section 8.1).
                #expect(response.reset ?? 0 == 0)
            }
        }
    }

    @Test(arguments: [true, false])
    func `a body beyond the limit is 413`(isDeclared: Bool) async throws {
        let route = Route(.post, "/a", bodyLimit: 20_000) { .text("\(try await $0.body.collect(upTo: 1 << 20).count)") }
        try await withServer([route, hello.at("/b")]) { server in
            let client = try await HTTP2Client(server)
            let fields = isDeclared ? [("content-length", "30000")] : []
            let stream = try await client.begin("POST", "/a", fields, ends: false)
            try await client.sendBody(stream, [UInt8](repeating: 1, count: 30_000), ends: false)

            #expect(try await client.response(stream).status == 413)
            #expect(try await client.get("/b").text == "at /b")
        }
    }

    @Test func `a body that comes too slowly is 408`() async throws {
        let clock = ManualClock()
        try await withServer([collect, hello], clock: clock) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("POST", "/collect", ends: false)
            try await client.sendBody(stream, Array("abc".utf8), ends: false)

            #expect(try await clock.pass(.seconds(1), on: server) { try await client.response(stream).status } == 408)
            #expect(try await client.get("/a").status == 200)
        }
    }

    @Test func `a body below the least rate is 408 though it never stalls`() async throws {
        let clock = ManualClock()
        try await withServer([collect], clock: clock) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("POST", "/collect", ends: false)
            try await clock.pass(.seconds(1), on: server) { _ in
                try await client.sendBody(stream, [1], ends: false)
                return try await !client.pending(stream)
            }
            #expect(try await client.response(stream).status == 408)
        }
    }

    @Test func `a streamed answer goes out as it is made`() async throws {
        let next = Signal()
        let route = Route(.get, "/events") { _ in
            HTTPResponse(
                .ok, fields: ["Content-Type": "text/event-stream"],
                body: .stream { writer in
                    try await writer.flush()
                    await next.wait()
                    try await writer.write("data: 1\n\n")
                })
        }
        try await withServer([route]) { server in
            let client = try await HTTP2Client(server)
            let stream = try await client.begin("GET", "/events")

            #expect(try await client.head(stream).status == 200)
            next.fire()

            #expect(try await client.response(stream).text == "data: 1\n\n")
        }
    }

    @Test func `a producer of fifty megabytes waits for the client's window`() async throws {
        let produced = Box(0)
        let route = Route(.get, "/a") { _ in
            HTTPResponse(
                .ok,
                body: .stream { writer in
                    let piece = [UInt8](repeating: 1, count: 64 << 10)
                    for _ in 0..<800 {
                        produced.update { $0 += 1 }
                        try await writer.write(piece)
                    }
                })
        }
        try await withServer([route, hello.at("/b")]) { server in
            let client = try await HTTP2Client(server)
            await client.setOpensWindows(false)
            let stream = try await client.begin("GET", "/a")
            try await client.body(stream, of: 65_535)
            for _ in 0..<20 { _ = try await client.response(try await client.begin("HEAD", "/b")) }

            // One piece went out, one more waits.
            #expect(produced.value <= 3)

            await client.setOpensWindows(true)
            try await client.send(.windowUpdate(0, 65_535), .windowUpdate(stream, 65_535))
            #expect(try await client.response(stream).body.count == 800 * 65_536)
        }
    }

    @Test func `all streamed answers of a connection together are bounded`() async throws {
        let produced = Box(0)
        let route = Route(.get, "/a") { _ in
            HTTPResponse(
                .ok,
                body: .stream { writer in
                    for _ in 0..<100 {
                        produced.update { $0 += 1 }
                        try await writer.write([UInt8](repeating: 1, count: 10_000))
                    }
                })
        }
        let limits = Limits.with { $0.http2.connectionBacklog = 100_000 }
        try await withServer([route, hello.at("/b")], limits: limits) { server in
            let client = try await HTTP2Client(server)
            await client.setOpensWindows(false)
            // No window at all: everything waits.
            try await client.send(.settings([(id: 4, value: 0)]))
            for _ in 0..<50 { try await client.begin("GET", "/a") }
            for _ in 0..<20 { _ = try await client.response(try await client.begin("HEAD", "/b")) }

            // Ten pieces fill the connection's share, and every stream may have one beyond it.
            #expect(produced.value <= 10 + 50 + 50)
        }
    }

    @Test func `an error before the first bytes becomes an answer, and one in the middle a reset`() async throws {
        let early = Route(.get, "/early") { _ in HTTPResponse(.ok, body: .stream { _ in throw TestServer.Refusal() }) }
        let late = Route(.get, "/late") { _ in
            HTTPResponse(
                .ok,
                body: .stream { writer in
                    try await writer.write("abc")
                    throw TestServer.Refusal()
                })
        }
        try await withServer([early, late]) { server in
            let client = try await HTTP2Client(server)

            #expect(try await client.get("/early").status == 422)
            #expect(try await client.get("/late").reset == 2)
            #expect(server.log.lines.contains { $0.contains("response broken off") })
        }
    }

    @Test(arguments: [5, 7])
    func `a producer that does not keep to its length resets the stream`(length: Int64) async throws {
        let route = Route(.get, "/a") { _ in
            HTTPResponse(.ok, body: .stream(length: length) { try await $0.write("abcdef") })
        }
        try await withServer([route]) { server in
            let client = try await HTTP2Client(server)
            #expect(try await client.get("/a").reset == 2)
        }
    }

    @Test func `a fast reader of an endless stream does not keep others from being served`() async throws {
        let isOver = Box(false)
        let route = Route(.get, "/endless") { _ in
            HTTPResponse(
                .ok,
                body: .stream { writer in
                    while !isOver.value { try await writer.write([UInt8](repeating: 1, count: 64 << 10)) }
                })
        }
        try await withServer([route, hello]) { server in
            let greedy = try await HTTP2Client(server, settings: [(id: 4, value: 0x7FFF_FFFF)])
            try await greedy.send(.windowUpdate(0, 0x7FFF_0000))
            await greedy.setOpensWindows(false)
            let stream = try await greedy.begin("GET", "/endless")
            async let endless = greedy.response(stream)

            for _ in 0..<20 {
                let other = try await HTTP2Client(server)
                #expect(try await other.get("/a").status == 200)
            }

            isOver.update { $0 = true }
            #expect(try await endless.body.count > 0)
        }
    }
}
