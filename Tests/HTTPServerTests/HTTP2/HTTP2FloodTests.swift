import EventLoops
import HTTP
import HTTPServer
import TestTools
import Testing

/// A client that sends too many frames of one kind loses its connection, with GOAWAY and ENHANCE_YOUR_CALM; other
/// connections stay.
struct HTTP2FloodTests {
    private static let calm = 11
    private let hello = Route(.get, "/a") { _ in .text("hello") }

    /// Sends `frames` until the server gives up; then another connection is still served.
    private func flood(
        _ routes: [Route] = [], _ limits: Limits = Limits(),
        _ frames: @escaping @Sendable (_ round: Int, _ client: HTTP2Client) async -> [Frame]
    ) async throws -> Int? {
        var code: Int?
        try await withServer([hello] + routes, limits: limits) { server in
            let client = try await HTTP2Client(server)
            _ = try await client.get("/a")
            let sending = Task {
                for round in 0..<10_000 { try await client.send(await frames(round, client)) }
            }

            code = await client.end()
            sending.cancel()
            _ = await sending.result
            #expect(try await HTTP2Client(server).get("/a").text == "hello")
            #expect(try await server.answers(to: lastGet("/a"))[0].body == "hello")
        }
        return code
    }

    @Test func `requests that are given up at once end the connection`() async throws {
        let begun = Box(0)
        let slow = Route(.get, "/slow") { _ in
            begun.update { $0 += 1 }
            try await EventLoop.current?.sleep(for: .seconds(3600))
            return .noContent
        }
        let code = try await flood([slow]) { _, client in
            let stream = await client.newStream()
            return [.headers(stream, HTTP2Client.fields("GET", "/slow")), .reset(stream)]
        }

        #expect(code == Self.calm)
        #expect(begun.value <= 300)
    }

    @Test func `handlers that ignore being given up are not multiplied by asking again`() async throws {
        let running = Box(0)
        let most = Box(0)
        let goOn = Signal()
        let stubborn = Route(.get, "/stubborn") { _ in
            running.update { $0 += 1 }
            most.update { $0 = max($0, running.value) }
            await goOn.wait()
            running.update { $0 -= 1 }
            return .noContent
        }
        try await withServer([hello, stubborn], limits: .with { $0.http2.streams = 5 }) { server in
            let client = try await HTTP2Client(server)
            for _ in 0..<20 {
                let stream = try await client.begin("GET", "/stubborn")
                // A stream that is reset at once has no handler.
                _ = try await client.pending(stream)
                try await client.send(.reset(stream))
            }
            // Refused, not queued.
            #expect(try await client.get("/stubborn").reset == 7)
            #expect(most.value <= 5)

            goOn.fire()
            #expect(try await HTTP2Client(server).get("/stubborn").status == 204)
        }
    }

    @Test func `pings without end end the connection`() async throws {
        let code = try await flood { _, _ in
            [Frame](repeating: Frame(.ping, [UInt8](repeating: 0, count: 8)), count: 50)
        }
        #expect(code == Self.calm)
    }

    @Test func `pings whose answers nobody reads end the connection`() async throws {
        try await withServer([hello]) { server in
            let client = try server.client()
            try await client.send(HTTP2Client.preface + Frame.settings([]).bytes)
            let pings = [UInt8]((0..<100).flatMap { _ in Frame(.ping, [UInt8](repeating: 0, count: 8)).bytes })
            await #expect(throws: Client.Failure.self) { while true { try await client.send(pings) } }
            #expect(try await HTTP2Client(server).get("/a").text == "hello")
        }
    }

    @Test func `settings without end end the connection`() async throws {
        let code = try await flood { round, _ in [Frame](repeating: .settings([(id: 4, value: round + 1)]), count: 50) }
        #expect(code == Self.calm)
    }

    @Test func `one frame with too many settings ends the connection`() async throws {
        let many = Frame.settings((0..<100).map { _ in (id: 3, value: 100) })
        #expect(try await flood { _, _ in [many] } == Self.calm)
    }

    @Test func `priorities without end end the connection`() async throws {
        let code = try await flood { round, _ in
            [Frame](repeating: Frame(.priority, stream: 2 * round + 101, [0, 0, 0, 0, 1]), count: 50)
        }
        #expect(code == Self.calm)
    }

    @Test func `window updates without end end the connection`() async throws {
        let code = try await flood { _, _ in [Frame](repeating: .windowUpdate(0, 1), count: 50) }
        #expect(code == Self.calm)
    }

    @Test func `frames of unknown types without end end the connection`() async throws {
        let code = try await flood { _, _ in [Frame](repeating: Frame(.unknown, [1, 2, 3]), count: 50) }
        #expect(code == Self.calm)
    }

    @Test func `a body of empty frames without end ends the connection`() async throws {
        let route = Route(.post, "/collect") { .text("\(try await $0.body.collect(upTo: 100).count)") }
        let code = try await flood([route]) { round, client in
            let stream = round == 0 ? await client.newStream() : 3
            let head = Frame.headers(stream, HTTP2Client.fields("POST", "/collect"), ends: false)
            return (round == 0 ? [head] : []) + [Frame](repeating: Frame(.data, stream: 3), count: 50)
        }
        #expect(code == Self.calm)
    }

    @Test func `header fields that never end end the connection`() async throws {
        let code = try await flood { round, client in
            let stream = round == 0 ? await client.newStream() : 3
            let head = Frame.headers(stream, HTTP2Client.fields("GET", "/a"), isWhole: false)
            return (round == 0 ? [head] : []) + [Frame](repeating: Frame(.continuation, stream: 3), count: 20)
        }
        #expect(code == Self.calm)
    }

    @Test func `a few bytes that unfold to much are not unfolded`() async throws {
        let code = try await flood { round, client in
            let stream = await client.newStream()
            // A field of 4,000 bytes is put into the table, and then named by one byte, again and again.
            let large = [UInt8(0x40)] + Frame.block([("x", String(repeating: "y", count: 4000))]).dropFirst()
            let head = Frame.block(HTTP2Client.fields("GET", "/a")) + large + [UInt8](repeating: 0xBE, count: 12_000)
            return [Frame(.headers, flags: Frame.endStream | Frame.endHeaders, stream: stream, head)]
        }
        #expect(code == Self.calm)
    }

    @Test(arguments: [(1, 40_000), (150, 10)])
    func `header fields beyond the limits are 431, and their stream alone`(count: Int, size: Int) async throws {
        try await withServer([hello]) { server in
            let client = try await HTTP2Client(server)
            let stream = await client.newStream()
            let fields = (0..<count).map { ("x-\($0)", String(repeating: "y", count: size)) }
            let block = Frame.block(HTTP2Client.fields("GET", "/a", fields))
            let parts = stride(from: 0, to: block.count, by: 16_000).map { Array(block[$0...].prefix(16_000)) }
            for (index, part) in parts.enumerated() {
                let isLast = index == parts.count - 1
                try await client.send(
                    Frame(
                        index == 0 ? .headers : .continuation,
                        flags: (index == 0 ? Frame.endStream : 0) | (isLast ? Frame.endHeaders : 0), stream: stream,
                        part))
            }

            #expect(try await client.response(stream).status == 431)
            #expect(try await client.get("/a").text == "hello")
        }
    }

    @Test func `a client that reads what it is sent may answer all of it`() async throws {
        let bytes = [UInt8](repeating: 7, count: 40_000_000)
        try await withServer([Route(.get, "/big") { _ in HTTPResponse(.ok, body: .bytes(bytes)) }]) { server in
            // Two window updates for each frame, thousands a second.
            let response = try await HTTP2Client(server).get("/big")
            #expect(response.body.count == bytes.count)
        }
    }

    @Test func `bytes that are no HTTP/2 end the connection`() async throws {
        try await withServer([hello]) { server in
            let client = try server.client()
            try await client.send("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n and more")
            await client.waitForEnd()
            #expect(try await HTTP2Client(server).get("/a").text == "hello")
        }
    }

    @Test(arguments: [
        Frame(.data, stream: 0, [1]), Frame(.headers, flags: 5, stream: 2, [0x82]), Frame(.ping, [1]),
        Frame(.settings, [1]), .windowUpdate(0, 0), .windowUpdate(0, 0x7FFF_FFFF), Frame(.continuation, stream: 1, [0]),
        Frame(.headers, flags: 5, stream: 3, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), Frame(.pushPromise, stream: 1, [0]),
        .reset(99), Frame(.data, stream: 99, [1]),
    ])
    func `a frame that breaks the rules of the connection ends it with GOAWAY`(frame: Frame) async throws {
        try await withServer([hello]) { server in
            let client = try await HTTP2Client(server)
            _ = try await client.get("/a")
            try await client.send(frame)

            let code = await client.end()
            #expect([1, 3, 5, 6, 9].contains(code))
        }
    }
}
