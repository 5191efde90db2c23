import Foundation
import HTTP
import HTTPServer
import System
import TestTools
import Testing

struct AnswerTests {
    @Test func `HEAD gets the same head as GET and no body`() async throws {
        try await withServer([Route(.get, "/a") { _ in .text("twelve bytes", fields: ["ETag": "\"x\""]) }]) { server in
            let client = try server.client()

            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\nX-Request-ID: 1\r\n\r\n")
            var get = try await client.response()
            try await client.send("HEAD /a HTTP/1.1\r\nHost: h\r\nX-Request-ID: 1\r\n\r\n")
            var head = try await client.response(isHead: true)

            get.fields.removeAll { $0.hasPrefix("Date: ") }
            head.fields.removeAll { $0.hasPrefix("Date: ") }
            #expect(head.fields == get.fields)
            #expect(head["Content-Length"] == "12")
            try await client.send(lastGet("/a"))
            #expect(try await client.answers().map(\.body) == ["twelve bytes"])
        }
    }

    @Test func `OPTIONS names the methods of a path`() async throws {
        let routes = [Route(.get, "/a") { _ in .noContent }, Route(.put, "/a") { _ in .noContent }]
        try await withServer(routes) { server in
            let response = try await server.answers(to: "OPTIONS /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")[
                0]

            #expect(response.status == 204)
            #expect(response["Allow"] == "GET, HEAD, OPTIONS, PUT")
            #expect(response["Content-Length"] == nil)
        }
    }

    @Test func `what a route has at hand is sent without its handler, and all else by the handler`() async throws {
        let route = Route(
            .get, "/a/{id}", operation: .undocumented,
            kept: { $0.parameters["id"] == "kept" ? .text("at hand", fields: ["ETag": "\"x\""]) : nil },
            handler: { .text("made \($0.parameters["id"] ?? "")") })
        try await withServer([route]) { server in
            let client = try server.client()

            try await client.send("GET /a/kept HTTP/1.1\r\nHost: h\r\n\r\n")
            let kept = try await client.response()
            try await client.send("HEAD /a/kept HTTP/1.1\r\nHost: h\r\n\r\n")
            let head = try await client.response(isHead: true)
            try await client.send("GET /a/other HTTP/1.1\r\nHost: h\r\n\r\n")
            let made = try await client.response()

            #expect(kept.body == "at hand" && kept["ETag"] == "\"x\"")
            #expect(head["Content-Length"] == "7" && head.body == "")
            #expect(made.body == "made other")
        }
    }

    @Test func `a sane request id comes back and another is replaced`() async throws {
        try await withServer([Route(.get, "/a") { .text($0.id) }]) { server in
            let client = try server.client()

            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\nX-Request-ID: abc-1.2\r\n\r\n")
            let sane = try await client.response()
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\nX-Request-ID: a b\"c\r\n\r\n")
            let other = try await client.response()

            #expect(sane["X-Request-ID"] == "abc-1.2" && sane.body == "abc-1.2")
            #expect(other["X-Request-ID"]?.count == 13 && other.body == other["X-Request-ID"])
        }
    }

    @Test func `a handler sees the request as it came`() async throws {
        let seen = Box<[String?]>([])
        let route = Route(.get, "/a/{id}") { request in
            seen.update {
                $0 = [
                    request.method.rawValue, request.path, request.rawTarget, request.parameters["id"],
                    request.query["limit"], request.query.values("x").joined(), request.fields["a-b"],
                    request.fields.values("A-B").joined(), request.fields.all["host"], request.fields["none"],
                    request.authority, request.remoteAddress, request.version.rawValue,
                ]
            }
            return .noContent
        }
        try await withServer([route]) { server in
            _ = try await server.answers(
                to:
                    "GET /a/%C3%A9?limit=2&x=1&x=%202 HTTP/1.1\r\nHost: h:8\r\nA-B: 1\r\na-b:  2 \r\nConnection: close\r\n\r\n"
            )

            #expect(
                seen.value == [
                    "GET", "/a/é", "/a/%C3%A9?limit=2&x=1&x=%202", "é", "2", "1 2", "1, 2", "12", "h:8", nil, "h:8",
                    "127.0.0.1", "HTTP/1.1",
                ])
        }
    }

    @Test func `fields that only the server knows cannot be set, and no value breaks out of its line`() async throws {
        let route = Route(.get, "/a") { _ in
            HTTPResponse(
                .ok,
                fields: [
                    "content-length": "9", "Transfer-Encoding": "chunked", "connection": "close", "Date": "then",
                    "A": "b\r\nC: d",
                ], body: .bytes(Array("abc".utf8)))
        }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send(lastGet("/a"))
            let response = try await client.response()

            #expect(response.body == "abc")
            #expect(response.fields.filter { $0.lowercased().hasPrefix("content-length") } == ["Content-Length: 3"])
            #expect(response["Transfer-Encoding"] == nil)
            #expect(response["Date"] != "then")
            #expect(response["C"] == nil)
            #expect(response["A"] == "b  C: d")
        }
    }

    @Test(arguments: [204, 304])
    func `a status without a body gets none`(status: Int) async throws {
        try await withServer([Route(.get, "/a") { _ in .text("body", status: HTTPStatus(code: status)) }]) { server in
            let text = String(decoding: try await bytes(of: server, lastGet("/a")), as: UTF8.self)

            #expect(text.hasSuffix("\r\n\r\n"))
            #expect(!text.contains("Content-Length"))
        }
    }

    @Test func `a file goes out as it lies on the disk, whole or in part`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("pics-\(UUID().uuidString)").path
        let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try Data(content).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        let file = OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC))
        let routes = [
            Route(.get, "/whole") { _ in HTTPResponse(.ok, body: .file(FileBody(file, length: 3_000_000))) },
            Route(.get, "/part") { _ in
                HTTPResponse(206, body: .file(FileBody(file, offset: 1_000_001, length: 70_000)))
            },
            Route(.get, "/none") { _ in HTTPResponse(.ok, body: .file(FileBody(file, length: 0))) },
        ]
        try await withServer(routes) { server in
            let whole = try await bytes(of: server, lastGet("/whole"))
            let part = try await bytes(of: server, lastGet("/part"))

            #expect(whole.suffix(3_000_000) == content[...])
            #expect(part.suffix(70_000) == content[1_000_001..<1_070_001])
            #expect(try await server.answers(to: lastGet("/none")).map(\.body) == [""])
        }
    }

    @Test func `a file that is shorter than it was said to be breaks the answer off`() async throws {
        let file = OpenFile(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
        let route = Route(.get, "/a") { _ in HTTPResponse(.ok, body: .file(FileBody(file, length: 10))) }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send(lastGet("/a"))

            await client.waitForEnd()

            #expect(await server.server.metrics().openConnections == 0)
        }
    }

    @Test func `a large body arrives whole and in order`() async throws {
        let content = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 >> 2) }
        try await withServer([Route(.get, "/a") { _ in HTTPResponse(.ok, body: .bytes(content)) }]) { server in
            let client = try server.client()

            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n" + lastGet("/a"))

            let received = try await client.rest()
            #expect(received.suffix(5_000_000) == content[...])
            #expect(received.count > 10_000_000)
        }
    }

    @Test func `redirects, pages and JSON have their types`() async throws {
        let routes = [
            Route(.get, "/page") { _ in .html("<p>é") },
            Route(.get, "/json") { _ in .json(["a": 1], status: .created) },
            Route(.get, "/away") { _ in .redirect(to: "/page", status: .seeOther) },
            Route(.get, "/own") { _ in .json([], fields: ["Content-Type": "application/feed+json"]) },
        ]
        try await withServer(routes) { server in
            let client = try server.client()
            var answers: [ReceivedResponse] = []
            for path in ["/page", "/json", "/away", "/own"] {
                try await client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
                answers.append(try await client.response())
            }

            #expect(answers.map(\.status) == [200, 201, 303, 200])
            #expect(answers.map(\.body) == ["<p>é", "{\"a\":1}", "", "[]"])
            #expect(answers[0]["Content-Type"] == "text/html; charset=utf-8")
            #expect(answers[2]["Location"] == "/page")
            #expect(
                answers[3].fields.filter { $0.hasPrefix("Content-Type") } == ["Content-Type: application/feed+json"])
        }
    }

    @Test func `a route that answers at once needs no task`() async throws {
        let route = Route(.get, "/livez", operation: .undocumented) { request in .text(request.path) }
        try await withServer([route]) { server in
            let answers = try await server.answers(to: lastGet("/livez"))
            #expect(answers.map(\.body) == ["/livez"])
        }
    }
}

/// A request that ends its connection.
func lastGet(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" }

/// All bytes that a server sends until it ends the connection.
func bytes(of server: TestServer, _ message: String) async throws -> [UInt8] {
    let client = try server.client()
    try await client.send(message)
    return try await client.rest()
}
