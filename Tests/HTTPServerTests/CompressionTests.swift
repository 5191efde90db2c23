import HTTP
import TestTools
import Testing

@testable import HTTPServer

struct CompressionTests {
    private static let words = (0..<400).map { "word \($0 % 17) of \($0)\n" }.joined()

    private static func page(_ fields: HTTPFields = [:], status: HTTPStatus = .ok) -> Route {
        Route(.get, "/a") { _ in .text(words, status: status, fields: fields) }
    }

    @Test(
        arguments: [
            ("gzip", true), ("GZIP;q=0.5", true), ("x-gzip", true), ("*", true), ("deflate, gzip;q=1.0, *;q=0.5", true),
            ("br;q=1.0, gzip;q=0.8, *;q=0.1", true), ("identity;q=0, gzip;q=0.1", true),
            ("gzip, deflate, br, zstd", true), ("", false), ("identity", false), ("gzip;q=0", false), ("*;q=0", false),
            ("br", false), ("identity, gzip;q=0.5", false), ("identity;q=0", false), ("gzip;q=0, *", false),
        ])
    func `a text is compressed for those who accept that`(accepted: String, isCompressed: Bool) async throws {
        try await withServer([Self.page()]) { server in
            let response = try await server.ask("/a", ["Accept-Encoding": accepted])

            #expect(response.values("Content-Encoding") == (isCompressed ? ["gzip"] : []))
            #expect(response["Content-Length"] == String(response.content.count))
            #expect(response.values("Vary") == ["Accept-Encoding"])
            let content = isCompressed ? try gunzip(response.content) : response.content
            #expect(String(decoding: content, as: UTF8.self) == Self.words)
            #expect(isCompressed == (response.content.count < Self.words.utf8.count))
        }
    }

    @Test func `what is kept in gzip is sent again, as long as the body is the same`() async throws {
        let kept = HTTPResponse.text(Self.words).keepingGzip()
        let other = String(Self.words.reversed())
        let routes = [
            Route(.get, "/kept") { _ in kept },
            Route(.get, "/other") { _ in
                var response = kept
                response.body = .bytes(Array(other.utf8))
                return response
            },
        ]
        try await withServer(routes) { server in
            let first = try await server.ask("/kept", ["Accept-Encoding": "gzip"])
            let changed = try await server.ask("/other", ["Accept-Encoding": "gzip"])
            let second = try await server.ask("/kept", ["Accept-Encoding": "gzip"])
            let plain = try await server.ask("/kept")

            #expect(String(decoding: try gunzip(first.content), as: UTF8.self) == Self.words)
            #expect(String(decoding: try gunzip(changed.content), as: UTF8.self) == other)
            #expect(second.content == first.content && plain.body == Self.words)
            #expect(kept.gzipped?.bytes { nil } == first.content)
        }
    }

    @Test func `a client that says nothing gets the bytes as they are`() async throws {
        try await withServer([Self.page()]) { server in
            let response = try await server.ask("/a")

            #expect(response.body == Self.words)
            #expect(response["Vary"] == "Accept-Encoding")
            #expect(response["Content-Encoding"] == nil)
        }
    }

    @Test(
        arguments: [
            ("text/html; charset=utf-8", true), ("text/css", true), ("application/json", true),
            ("Application/JSON", true), ("application/problem+json", true), ("application/atom+xml", true),
            ("application/xml", true), ("image/svg+xml", true), ("application/javascript", true),
            ("text/javascript", true), ("application/vnd.oai.openapi+json;version=3.1", true),
            ("text/plain ;charset=utf-8", true), ("image/jpeg", false), ("video/mp4", false),
            ("application/octet-stream", false), ("application/zip", false), ("text/", false),
            ("application/jsonx", false), ("+json", false), ("", false), ("multipart/mixed; boundary=+json", false),
        ])
    func `text is compressed and pictures are not`(type: String, isCompressed: Bool) async throws {
        try await withServer([Self.page(["Content-Type": type])]) { server in
            let response = try await server.ask("/a", ["Accept-Encoding": "gzip"])

            #expect((response["Content-Encoding"] == "gzip") == isCompressed)
            #expect((response["Vary"] == "Accept-Encoding") == isCompressed)
        }
    }

    @Test(arguments: [(1_023, false), (1_024, true), (128 << 10, true), (128 << 10 + 1, false)])
    func `bodies of a middling size are compressed`(size: Int, isCompressed: Bool) async throws {
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 4) & 0x3F | 0x20 }
        let route = Route(.get, "/a") { _ in
            HTTPResponse(.ok, fields: ["Content-Type": "text/plain"], body: .bytes(content))
        }
        try await withServer([route]) { server in
            let response = try await server.ask("/a", ["Accept-Encoding": "gzip"])

            #expect((response["Content-Encoding"] == "gzip") == isCompressed)
            #expect((response["Vary"] == "Accept-Encoding") == isCompressed)
            let received = isCompressed ? try gunzip(response.content) : response.content
            #expect(received == content)
        }
    }

    @Test(
        arguments: [
            ["Cache-Control": "no-transform"], ["Cache-Control": "public, No-Transform"], ["Content-Encoding": "br"],
        ] as [HTTPFields])
    func `what is coded already or must stay as it is stays so`(fields: HTTPFields) async throws {
        try await withServer([Self.page(fields)]) { server in
            let response = try await server.ask("/a", ["Accept-Encoding": "gzip"])

            #expect(response.body == Self.words)
            #expect(response["Vary"] == nil)
            #expect(response.values("Content-Encoding") == fields.values("Content-Encoding"))
        }
    }

    @Test(arguments: [
        (["Accept"], ["Accept, Accept-Encoding"]), (["accept-encoding"], ["accept-encoding"]), (["*"], ["*"]),
        (["Accept, Accept-Encoding, Origin"], ["Accept, Accept-Encoding, Origin"]),
        (["Accept", "Origin"], ["Accept, Accept-Encoding", "Origin"]),
    ])
    func `Vary keeps what the handler says`(given: [String], expected: [String]) async throws {
        var fields = HTTPFields()
        for value in given { fields.add("Vary", value) }
        try await withServer([Self.page(fields)]) { server in
            let plain = try await server.ask("/a")
            let coded = try await server.ask("/a", ["Accept-Encoding": "gzip"])

            #expect(plain.values("Vary") == expected)
            #expect(coded.values("Vary") == expected)
        }
    }

    @Test(arguments: [("\"x\"", "\"x-gzip\""), ("W/\"x\"", "W/\"x\""), ("broken", "broken")])
    func `the compressed bytes have a strong tag of their own`(tag: String, coded: String) async throws {
        try await withServer([Self.page(["ETag": tag])]) { server in
            let plain = try await server.ask("/a")
            let compressed = try await server.ask("/a", ["Accept-Encoding": "gzip"])

            #expect(plain.values("ETag") == [tag])
            #expect(compressed.values("ETag") == [coded])
        }
    }

    @Test(
        arguments: [
            (["If-None-Match": "\"x-gzip\"", "Accept-Encoding": "gzip"], 304, "\"x-gzip\""),
            (["If-None-Match": "\"x\"", "Accept-Encoding": "gzip"], 304, "\"x\""),
            (["If-None-Match": "\"x\", \"x-gzip\"", "Accept-Encoding": "gzip"], 304, "\"x-gzip\""),
            (["If-None-Match": "\"x\", \"x-gzip\""], 304, "\"x\""),
            (["If-None-Match": "\"x-gzip\""], 200, "\"x\""),
            (["If-None-Match": "\"y-gzip\"", "Accept-Encoding": "gzip"], 200, "\"x-gzip\""),
            (["If-None-Match": "*", "Accept-Encoding": "gzip"], 304, "\"x-gzip\""),
            (["If-None-Match": "*"], 304, "\"x\""),
            (["If-Match": "\"x-gzip\"", "Accept-Encoding": "gzip"], 200, "\"x-gzip\""),
            (["If-Match": "\"x-gzip\""], 200, "\"x\""),
            (["If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT", "Accept-Encoding": "gzip"], 304, "\"x-gzip\""),
            (["If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"], 304, "\"x\""),
        ] as [(HTTPFields, Int, String)])
    func `a copy is confirmed under the tag it has`(fields: HTTPFields, status: Int, tag: String) async throws {
        let route = Route(.get, "/a") { request in
            .representation(
                of: request, fields: ["Content-Type": "text/plain", "Vary": "Accept"], etag: EntityTag("x"),
                lastModified: HTTPDate(secondsSince1970: 784_111_777), body: .bytes(Array(Self.words.utf8)))
        }
        try await withServer([route]) { server in
            let response = try await server.ask("/a", fields)

            #expect(response.status == status)
            #expect(response.values("ETag") == [tag])
            #expect(response.values("Vary") == ["Accept, Accept-Encoding"])
            #expect((response["Content-Encoding"] == "gzip") == (status == 200 && tag == "\"x-gzip\""))
            #expect((response["Content-Type"] == nil) == (status == 304))
        }
    }

    @Test(
        arguments: [
            (["Content-Type": "text/html", "ETag": "\"x\""], "\"x-gzip\"", "Accept-Encoding"),
            (["ETag": "\"x\""], "\"x-gzip\"", "Accept-Encoding"),
            (["Content-Type": "image/jpeg", "ETag": "\"x\""], "\"x\"", nil),
        ] as [(HTTPFields, String, String?)])
    func `a handler may say 304 without a body`(fields: HTTPFields, tag: String, vary: String?) async throws {
        try await withServer([Route(.get, "/a") { _ in HTTPResponse(.notModified, fields: fields) }]) { server in
            let response = try await server.ask("/a", ["If-None-Match": "\"x-gzip\"", "Accept-Encoding": "gzip"])

            #expect(response["ETag"] == tag)
            #expect(response["Vary"] == vary)
            #expect(response["Content-Type"] == nil)
        }
    }

    @Test func `a part is one of the uncoded bytes, and a compressed whole has no parts`() async throws {
        let route = Route(.get, "/a") { request in
            .representation(
                of: request, fields: ["Content-Type": "text/plain"], etag: EntityTag("x"),
                body: .bytes(Array(Self.words.utf8)))
        }
        try await withServer([route]) { server in
            let whole = try await server.ask("/a", ["Accept-Encoding": "gzip"])
            let part = try await server.ask("/a", ["Accept-Encoding": "gzip", "Range": "bytes=0-2999"])
            let parts = try await server.ask("/a", ["Accept-Encoding": "gzip", "Range": "bytes=0-1999,4000-"])

            #expect(whole["Accept-Ranges"] == nil)
            for response in [part, parts] {
                #expect(response.status == 206)
                #expect(response["ETag"] == "\"x\"")
                #expect(response["Content-Encoding"] == nil)
                #expect(response["Vary"] == "Accept-Encoding")
                #expect(response["Accept-Ranges"] == "bytes")
            }
            #expect(part.body == String(Self.words.prefix(3_000)))
        }
    }

    @Test func `errors and other statuses are compressed as well`() async throws {
        try await withServer([Self.page(["ETag": "\"x\""], status: .notFound)]) { server in
            let response = try await server.ask("/a", ["Accept-Encoding": "gzip"])

            #expect(response.status == 404)
            let content = try gunzip(response.content)
            #expect(String(decoding: content, as: UTF8.self) == Self.words)
        }
    }

    @Test func `one stream serves all answers of a loop`() async throws {
        let routes = [
            Route(.get, "/{n}") { request in
                .text((0..<500).map { "\(request.parameters["n"] ?? "") \($0)" }.joined(separator: "\n"))
            }
        ]
        try await withServer(routes) { server in
            let client = try server.client()
            let requests = (0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\n" }

            try await client.send(requests.joined())

            for number in 0..<50 {
                let text = String(decoding: try gunzip(try await client.response().content), as: UTF8.self)
                #expect(text == (0..<500).map { "\(number) \($0)" }.joined(separator: "\n"))
            }
        }
    }

    @Test func `what cannot be compressed is coded nevertheless, and grows by little`() throws {
        let encoder = try #require(GzipEncoder())
        var generator = SplitMix64(seed: 1)
        let noise = generator.bytes(100_000)

        let encoded = try #require(encoder.encode(noise))

        let decoded = try gunzip(encoded)
        #expect(decoded == noise)
        #expect(encoded.count < noise.count + 200)
        #expect(encoder.encode(noise) == encoded)
    }
}
