import EventLoops
import HTTP
import HTTPServer
import Logging
import TestTools
import Testing

struct StreamTests {
    @Test func `a stream without a length is chunked`() async throws {
        let route = Route(.get, "/a") { _ in
            HTTPResponse(
                .ok,
                body: .stream { writer in
                    for word in ["one", "", "two", String(repeating: "x", count: 100_000)] {
                        try await writer.write(word)
                    }
                })
        }
        try await withServer([route]) { server in
            let response = try await server.answers(to: lastGet("/a"))[0]

            #expect(response["Transfer-Encoding"] == "chunked")
            #expect(response.body == "onetwo" + String(repeating: "x", count: 100_000))
        }
    }

    @Test func `a stream with a length is not`() async throws {
        let route = Route(.get, "/a") { _ in
            HTTPResponse(.ok, body: .stream(length: 6) { try await $0.write("abcdef") })
        }
        try await withServer([route]) { server in
            let response = try await server.answers(to: lastGet("/a"))[0]

            #expect(response["Content-Length"] == "6")
            #expect(response.body == "abcdef")
        }
    }

    @Test func `HTTP/1.0 gets a stream that ends with its connection`() async throws {
        let route = Route(.get, "/a") { _ in HTTPResponse(.ok, body: .stream { try await $0.write("abc") }) }
        try await withServer([route]) { server in
            let response = try await server.answers(to: "GET /a HTTP/1.0\r\n\r\n")[0]

            #expect(response["Transfer-Encoding"] == nil)
            #expect(response["Connection"] == "close")
            #expect(response.body == "abc")
        }
    }

    @Test func `HEAD does not run the producer`() async throws {
        let route = Route(.get, "/a") { _ in
            HTTPResponse(.ok, body: .stream(length: 6) { _ in Issue.record("produced") })
        }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n")

            #expect(try await client.response(isHead: true)["Content-Length"] == "6")
        }
    }

    @Test func `the head can go out before the first bytes exist, and events as they happen`() async throws {
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
            let client = try server.client()
            try await client.send(lastGet("/events"))

            try await client.receive(until: "\r\n\r\n")
            next.fire()

            #expect(String(decoding: try await client.rest(), as: UTF8.self) == "9\r\ndata: 1\n\n\r\n0\r\n\r\n")
        }
    }

    @Test func `an error before the first bytes becomes an answer`() async throws {
        let route = Route(.get, "/a") { _ in HTTPResponse(.ok, body: .stream { _ in throw TestServer.Refusal() }) }
        try await withServer([route]) { server in
            let answers = try await server.answers(to: lastGet("/a"))
            #expect(answers.map(\.status) == [422])
        }
    }

    @Test func `an error in the middle breaks the answer off`() async throws {
        let route = Route(.get, "/a") { _ in
            HTTPResponse(
                .ok,
                body: .stream { writer in
                    try await writer.write("abc")
                    throw TestServer.Refusal()
                })
        }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")

            await #expect(throws: Client.Failure.self) { try await client.response() }
            #expect(server.log.lines.contains { $0.contains("response broken off") })
        }
    }

    @Test(arguments: [5, 7])
    func `a producer that does not keep to its length breaks the answer off`(length: Int64) async throws {
        let route = Route(.get, "/a") { _ in
            HTTPResponse(.ok, body: .stream(length: length) { try await $0.write("abcdef") })
        }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")

            await client.waitForEnd()

            #expect(await server.server.metrics().openConnections == 0)
        }
    }

    @Test func `a producer that nobody reads any more is told`() async throws {
        let ended = Signal()
        let error = Box<(any Error)?>(nil)
        let route = Route(.get, "/a") { _ in
            HTTPResponse(
                .ok,
                body: .stream { writer in
                    defer { ended.fire() }
                    do {
                        while true { try await writer.write([UInt8](repeating: 0, count: 65536)) }
                    } catch let failure {
                        error.update { $0 = failure }
                        throw failure
                    }
                })
        }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            try await client.receive(until: "\r\n\r\n")

            client.reset()
            await ended.wait()

            #expect(error.value as? BodyWriteError == .disconnected)
        }
    }

    @Test func `a slow reader of fifty megabytes keeps the producer waiting`() async throws {
        let produced = Box(0)
        let stalled = Signal()
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
        let probe = Route(.get, "/probe") { _ in
            stalled.fire()
            return .noContent
        }
        try await withServer([route, probe]) { server in
            let slow = try server.client()
            try await slow.send(lastGet("/a"))
            try await slow.receive(until: "\r\n\r\n")
            // The loop still serves others, and by then it has filled whatever the kernel takes.
            for _ in 0..<20 { _ = try await server.answers(to: lastGet("/probe")) }

            // 64 KiB pieces: the socket buffers of both sides hold some megabytes, the process one piece.
            #expect(produced.value < 300)
            let rest = try await slow.rest()
            #expect(rest.count > 800 * 65536 - 100_000)
            #expect(produced.value == 800)
        }
    }

    @Test func `a fast reader of a long stream does not keep others from being served`() async throws {
        let isOver = Box(false)
        let route = Route(.get, "/endless") { _ in
            HTTPResponse(
                .ok,
                body: .stream { writer in
                    while !isOver.value { try await writer.write([UInt8](repeating: 1, count: 64 << 10)) }
                })
        }
        try await withServer([route, Route(.get, "/b") { _ in .noContent }]) { server in
            let greedy = try server.client()
            try await greedy.send(lastGet("/endless"))
            async let endless = greedy.rest()

            for _ in 0..<20 {
                let answers = try await server.answers(to: lastGet("/b"))
                #expect(answers.map(\.status) == [204])
            }

            isOver.update { $0 = true }
            #expect(try await endless.count > 0)
        }
    }
}
