import HTTP
import HTTPServer
import Testing

struct HTTP2TrailerTests {
    private static let trailers: HTTPFields = ["Grpc-Status": "0", "Grpc-Message": "fine %20"]

    private static let bodies: [(name: String, body: ResponseBody, text: String)] = [
        ("whole", .bytes(Array("hello".utf8)), "hello"),
        ("empty", .empty, ""),
        ("streamed", .stream { for word in ["one ", "two"] { try await $0.write(word) } }, "one two"),
        ("sized", .stream(length: 3) { try await $0.write("one") }, "one"),
        ("large", .bytes([UInt8](repeating: 0x61, count: 300_000)), String(repeating: "a", count: 300_000)),
    ]

    @Test(arguments: bodies.map(\.name))
    func `fields come behind a body, which then has no length`(name: String) async throws {
        let (_, body, text) = try #require(Self.bodies.first { $0.name == name })
        let route = Route(.get, "/a") { _ in HTTPResponse(.ok, body: body, trailers: Self.trailers) }
        try await withServer([route]) { server in
            let client = try await HTTP2Client(server)
            for _ in 0..<2 {
                let stream = try await client.begin("GET", "/a")

                let head = try await client.head(stream)
                let response = try await client.response(stream)

                #expect(head.fields["content-length"] == nil)
                #expect(response.text == text)
                #expect(response.hasEnded && response.reset == nil)
                #expect(response.headerBlocks == 2)
                #expect(response.fields["grpc-status"] == "0" && response.fields["grpc-message"] == "fine %20")
            }
        }
    }

    @Test func `what has no body has no fields behind it`() async throws {
        let routes = [
            Route(.get, "/a") { _ in HTTPResponse(.ok, body: .bytes([0x61]), trailers: Self.trailers) },
            Route(.get, "/b") { _ in HTTPResponse(.noContent, trailers: Self.trailers) },
        ]
        try await withServer(routes) { server in
            let client = try await HTTP2Client(server)
            for (method, path) in [("HEAD", "/a"), ("GET", "/b")] {
                let response = try await client.response(try await client.begin(method, path))

                #expect(response.hasEnded)
                #expect(response.headerBlocks == 1)
                #expect(response.fields["grpc-status"] == nil)
            }
        }
    }

    @Test func `a client of HTTP 1 does without them`() async throws {
        let route = Route(.get, "/a") { _ in HTTPResponse(.ok, body: .bytes([0x61]), trailers: Self.trailers) }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send("GET /a HTTP/1.1\r\nHost: h\r\nTE: trailers\r\nConnection: close\r\n\r\n")

            let text = String(decoding: try await client.rest(), as: UTF8.self)

            #expect(text.contains("Content-Length: 1\r\n") && text.hasSuffix("\r\n\r\na"))
        }
    }
}
