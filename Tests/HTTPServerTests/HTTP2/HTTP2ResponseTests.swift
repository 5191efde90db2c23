import Foundation
import HTTP
import HTTPServer
import System
import TestTools
import Testing

struct HTTP2AnswerTests {
    private let hello = Route(.get, "/a") { .text("hello \($0.version.rawValue) \($0.authority ?? "-")") }

    @Test func `a client that knows it speaks HTTP/2 without being told`() async throws {
        try await withServer([hello]) { server in
            let client = try await HTTP2Client(server)

            let response = try await client.get("/a")

            #expect(response.status == 200)
            #expect(response.text == "hello HTTP/2 h")
            #expect(response.fields["content-length"] == "14")
            #expect(response.fields["content-type"] == "text/plain; charset=utf-8")
            #expect(response.fields["x-request-id"]?.count == 13)
            #expect(response.fields["date"] != nil)
            #expect(response.fields["connection"] == nil)
        }
    }

    @Test func `the preface may come byte by byte`() async throws {
        try await withServer([hello]) { server in
            let client = try server.client()
            try await client.trickle(HTTP2Client.preface + Frame.settings([]).bytes)
            try await client.send(Frame.headers(1, HTTP2Client.fields("GET", "/a")).bytes)

            try await client.receive(until: "hello HTTP/2 h")
        }
    }

    @Test func `an answer says the client's name for the request`() async throws {
        try await withServer([hello]) { server in
            let client = try await HTTP2Client(server)
            #expect(try await client.get("/a", [("x-request-id", "mine-1")]).fields["x-request-id"] == "mine-1")
        }
    }

    @Test func `HEAD has the fields of GET and no body`() async throws {
        try await withServer([hello]) { server in
            let client = try await HTTP2Client(server)

            let response = try await client.response(try await client.begin("HEAD", "/a"))

            #expect(response.status == 200)
            #expect(response.fields["content-length"] == "14")
            #expect(response.body.isEmpty)
        }
    }

    @Test func `fields of a connection are not sent, and 204 has no length`() async throws {
        let route = Route(.get, "/a") { _ in
            HTTPResponse(.noContent, fields: ["Connection": "close", "Keep-Alive": "x", "Upgrade": "y", "X-Mine": "z"])
        }
        try await withServer([route]) { server in
            let response = try await HTTP2Client(server).get("/a")

            #expect(response.status == 204)
            #expect(Set(response.fields.keys) == ["date", "x-mine", "x-request-id"])
        }
    }

    @Test func `a hundred requests are answered at once on one connection`() async throws {
        let count = Box(0)
        let all = Signal()
        let route = Route(.get, "/{number}") { request in
            count.update { $0 += 1 }
            if count.value == 100 { all.fire() }
            await all.wait()
            return .text(request.parameters["number"] ?? "-")
        }
        try await withServer([route]) { server in
            let client = try await HTTP2Client(server)
            var streams: [Int] = []
            for number in 0..<100 { streams.append(try await client.begin("GET", "/\(number)")) }

            for (number, stream) in streams.enumerated() {
                #expect(try await client.response(stream).text == "\(number)")
            }
            #expect(await server.server.metrics().openConnections == 1)
        }
    }

    @Test func `one request more than allowed at a time is refused, and may come again`() async throws {
        let goOn = Signal()
        let route = Route(.get, "/a") { _ in
            await goOn.wait()
            return .noContent
        }
        try await withServer([route], limits: .with { $0.http2.streams = 2 }) { server in
            let client = try await HTTP2Client(server)
            let first = try await client.begin("GET", "/a")
            let second = try await client.begin("GET", "/a")
            let third = try await client.begin("GET", "/a")

            #expect(try await client.response(third).reset == 7)
            goOn.fire()
            #expect(try await client.response(first).status == 204)
            #expect(try await client.response(second).status == 204)
            #expect(try await client.get("/a").status == 204)
        }
    }

    @Test func `a large answer waits for the client's windows`() async throws {
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try await withServer([Route(.get, "/a") { _ in HTTPResponse(.ok, body: .bytes(bytes)) }, hello.at("/b")]) {
            server in
            let client = try await HTTP2Client(server)
            await client.setOpensWindows(false)
            let stream = try await client.begin("GET", "/a")

            // Exactly the windows, and not a byte more, while another stream is served.
            try await client.body(stream, of: 65_535)
            #expect(try await client.response(try await client.begin("HEAD", "/b")).status == 200)

            await client.setOpensWindows(true)
            try await client.send(.windowUpdate(0, 65_535), .windowUpdate(stream, 65_535))
            #expect(try await client.response(stream).body == bytes)
        }
    }

    @Test func `a part of a file is an answer`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "http2-\(UUID()).bin").path
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = OpenFile(owning: open(path, O_RDONLY))
        let route = Route(.get, "/a") { _ in
            HTTPResponse(.ok, body: .file(FileBody(file, offset: 1000, length: 250_000)))
        }
        try await withServer([route]) { server in
            let response = try await HTTP2Client(server).get("/a")

            #expect(response.fields["content-length"] == "250000")
            #expect(response.body == Array(bytes[1000..<251_000]))
        }
    }

    @Test func `a file that is shorter than it was said to be breaks the answer off`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "http2-\(UUID()).bin").path
        #expect(FileManager.default.createFile(atPath: path, contents: Data(repeating: 1, count: 30_000)))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = OpenFile(owning: open(path, O_RDONLY))
        let route = Route(.get, "/a") { _ in HTTPResponse(.ok, body: .file(FileBody(file, length: 60_000))) }
        try await withServer([route, hello.at("/b")]) { server in
            let client = try await HTTP2Client(server)

            #expect(try await client.get("/a").reset == 2)
            #expect(try await client.get("/b").status == 200)
        }
    }

    @Test func `what a handler throws becomes problem details`() async throws {
        try await withServer([Route(.get, "/a") { _ in throw TestServer.Refusal() }]) { server in
            let response = try await HTTP2Client(server).get("/a")

            #expect(response.status == 422)
            #expect(response.fields["content-type"] == "application/problem+json")
        }
    }

    @Test(arguments: [
        ("GET", "/nowhere", 404), ("POST", "/a", 405), ("BREW", "/a", 501), ("OPTIONS", "/a", 204),
        ("OPTIONS", "*", 204),
        ("GET", "/%zz", 400), ("GET", "/a?x=%zz", 400), ("GET", "/a\\b", 400),
    ])
    func `a request that no handler gets to see has the answer of HTTP/1.1`(
        method: String, path: String, status: Int
    ) async throws {
        try await withServer([hello]) { server in
            let client = try await HTTP2Client(server)

            #expect(try await client.response(try await client.begin(method, path)).status == status)
            // The connection goes on.
            #expect(try await client.get("/a").status == 200)
        }
    }

    @Test func `a path that is too long is refused with 414, and its stream alone`() async throws {
        try await withServer([hello]) { server in
            let client = try await HTTP2Client(server)

            #expect(try await client.get("/" + String(repeating: "x", count: 9000)).status == 414)
            #expect(try await client.get("/a").status == 200)
        }
    }

    @Test func `an authority and a host that differ are refused`() async throws {
        try await withServer([hello]) { server in
            let client = try await HTTP2Client(server)

            #expect(try await client.get("/a", [("host", "other")]).status == 400)
            #expect(try await client.get("/a", [("host", "H")]).text == "hello HTTP/2 h")
        }
    }

    @Test func `a cookie that comes in crumbs is one field`() async throws {
        let route = Route(.get, "/a") { .text($0.fields["Cookie"] ?? "-") }
        try await withServer([route]) { server in
            let response = try await HTTP2Client(server).get("/a", [("cookie", "a=1"), ("x", "y"), ("cookie", "b=2")])
            #expect(response.text == "a=1; b=2")
        }
    }

    @Test(arguments: [
        [("connection", "close")], [("transfer-encoding", "chunked")], [("keep-alive", "1")], [("upgrade", "h2c")],
        [("te", "gzip")], [("Upper", "case")], [(":later", "x")], [("content-length", "5")],
    ])
    func `a field that HTTP/2 does not allow resets the stream`(fields: [(String, String)]) async throws {
        try await withServer([hello]) { server in
            let client = try await HTTP2Client(server)

            #expect(try await client.get("/a", fields).reset == 1)
            #expect(try await client.get("/a", [("te", "trailers")]).status == 200)
        }
    }

    @Test(arguments: [("bad name", "x"), ("", "x"), ("x", "a\u{1}b"), ("x", "a\r\nb: c")])
    func `a field that is none does not reach the handler`(name: String, value: String) async throws {
        try await withServer([hello]) { server in
            let client = try await HTTP2Client(server)

            let response = try await client.get("/a", [(name, value)])

            #expect(response.status == 400 || response.reset == 1)
            #expect(try await client.get("/a").status == 200)
        }
    }

    @Test func `a server that does not speak HTTP/2 says so`() async throws {
        #expect(ServerConfiguration().http2)
        try await withServer([hello], configure: { $0.http2 = false }) { server in
            let answers = try await server.answers(to: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            #expect(answers.map(\.status) == [505])
        }
    }
}

extension Route {
    /// The same at another path.
    func at(_ path: String) -> Route { Route(method, path) { _ in .text("at \(path)") } }
}
