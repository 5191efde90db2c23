import HTTP
import HTTPServer
import Testing

/// The fields that the server adds to responses; HEAD gets the same as GET.
struct HeadFieldTests {
    @Test func `a body is not to be taken for something else`() async throws {
        let own = "NoSniff"
        let routes = [
            Route(.get, "/text") { _ in .text("a") },
            Route(.get, "/stream") { _ in HTTPResponse(.ok, body: .stream { try await $0.write("a") }) },
            Route(.get, "/empty") { _ in HTTPResponse(.ok) },
            Route(.get, "/none") { _ in .noContent },
            Route(.get, "/own") { _ in .text("a", fields: ["x-content-type-options": own]) },
            Route(.get, "/redirect") { _ in .redirect(to: "/") },
            Route(.get, "/failure") { _ in throw TestServer.Refusal() },
        ]
        try await withServer(routes) { server in
            for (path, expected) in [
                ("/text", ["nosniff"]), ("/stream", ["nosniff"]), ("/empty", []), ("/none", []), ("/own", [own]),
                ("/redirect", []), ("/failure", ["nosniff"]), ("/unknown", ["nosniff"]),
            ] {
                let response = try await server.ask(path)
                #expect(response.values("X-Content-Type-Options") == expected, "\(path)")
            }
            let refusal = try await server.answers(to: "nonsense\r\n\r\n")[0]
            #expect(refusal["X-Content-Type-Options"] == "nosniff")
        }
    }

    @Test func `errors in JSON are not stored, unless the handler says so`() async throws {
        let routes = [
            Route(.get, "/fine") { _ in .json([]) },
            Route(.get, "/json") { _ in .json([], status: .conflict) },
            Route(.get, "/page") { _ in .html("<p>", status: .notFound) },
            Route(.get, "/own") { _ in .json([], status: .notFound, fields: ["cache-control": "max-age=60"]) },
            Route(.get, "/failure") { _ in throw TestServer.Refusal() },
        ]
        try await withServer(routes) { server in
            for (path, expected) in [
                ("/fine", []), ("/json", ["no-store"]), ("/page", []), ("/own", ["max-age=60"]),
                ("/failure", ["no-store"]), ("/unknown", ["no-store"]),
            ] {
                let response = try await server.ask(path)
                #expect(response.values("Cache-Control") == expected, "\(path)")
            }
            let refusal = try await server.answers(to: "nonsense\r\n\r\n")[0]
            #expect(refusal["Cache-Control"] == "no-store")
        }
    }

    @Test(
        arguments: [
            [:], ["Accept-Encoding": "gzip"], ["Range": "bytes=5-9"], ["Range": "bytes=0-1,5-9"],
            ["Range": "bytes=99999999-"], ["If-None-Match": "\"x\""], ["If-None-Match": "\"y\""],
            ["If-Match": "\"y\""], ["Origin": "https://app.example"],
            ["Accept-Encoding": "gzip", "If-None-Match": "\"x-gzip\"", "Range": "bytes=0-1"],
            ["Accept-Encoding": "*;q=0"],
        ] as [HTTPFields])
    func `HEAD gets the head of GET whatever the body is`(fields: HTTPFields) async throws {
        let text = String(repeating: "a line of text\n", count: 300)
        let file = try temporaryFile(Array(text.utf8))
        let bodies: [(String, @Sendable () -> ResponseBody)] = [
            ("/empty", { .empty }), ("/small", { .bytes([1, 2, 3]) }), ("/text", { .bytes(Array(text.utf8)) }),
            ("/file", { .file(FileBody(file, length: 4_500)) }),
            ("/pieces", { .pieces([.bytes([1, 2]), .file(FileBody(file, offset: 9, length: 50)), .bytes([3])]) }),
            ("/stream", { .stream { try await $0.write(text) } }),
            ("/sized", { .stream(length: 4_500) { try await $0.write(text) } }),
            ("/large", { .bytes([UInt8](repeating: 0x61, count: 2 << 20)) }),
        ]
        let typed: HTTPFields = ["Content-Type": "text/plain", "ETag": "\"x\""]
        let routes =
            bodies.map { path, body in Route(.get, path) { _ in HTTPResponse(.ok, fields: typed, body: body()) } }
            + bodies.map { path, body in
                Route(.get, "/v1" + path) {
                    .representation(
                        of: $0, fields: ["Content-Type": "text/plain"], etag: EntityTag("x"), body: body())
                }
            } + [Route(.get, "/failure") { _ in throw TestServer.Refusal() }]
        try await withServer(routes, configure: { $0.cors = [CORSPolicy(.any, path: "/v1")] }) { server in
            // HEAD knows no ranges: it is told what GET without one is told.
            var plain = fields
            plain.remove("Range")
            for path in bodies.map(\.0) + bodies.map({ "/v1" + $0.0 }) + ["/failure", "/unknown"] {
                let client = try server.client()
                let get = try await server.ask(path, plain)
                let lines = fields.map { "\($0.name): \($0.value)\r\n" }.joined()

                try await client.send("HEAD \(path) HTTP/1.1\r\nHost: h\r\nX-Request-ID: id\r\n\(lines)\r\n")
                let head = try await client.response(isHead: true)

                #expect(head.status == get.status, "\(path)")
                #expect(head.lastingFields == get.lastingFields, "\(path)")
                // Nothing but the next answer follows the head.
                try await client.send(lastGet("/small"))
                #expect(try await client.answers().map(\.content) == [[1, 2, 3]], "\(path)")
            }
        }
    }

    @Test func `a body of pieces goes out in order, from memory and from files`() async throws {
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 2) }
        let file = try temporaryFile(content)
        let route = Route(.get, "/a") { _ in
            HTTPResponse(
                .ok,
                body: .pieces([
                    .file(FileBody(file, length: 100_000)), .file(FileBody(file, offset: 7, length: 0)), .bytes([]),
                    .bytes(content[..<20_000]), .bytes([9]), .file(FileBody(file, offset: 200_000, length: 100_000)),
                ]))
        }
        try await withServer([route]) { server in
            let response = try await server.ask("/a")

            #expect(response["Content-Length"] == "220001")
            #expect(response.content == content[..<100_000] + content[..<20_000] + [9] + content[200_000...])
        }
    }
}
