import HTTP
import HTTPServer
import TestTools
import Testing

/// Validators, conditions and ranges as a client sees them (RFC 9110, sections 13 and 14).
struct RepresentationTests {
    private static let date = HTTPDate(secondsSince1970: 784_111_777)
    private static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"

    /// The alphabet, from memory and from the middle of a file.
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)

    private static func routes() throws -> [Route] {
        let file = try temporaryFile(Array("??".utf8) + letters + Array("??".utf8))
        let fields: HTTPFields = ["Content-Type": "image/x-letters", "Cache-Control": "max-age=9", "Vary": "Accept"]
        return [
            Route(.get, "/bytes") {
                .representation(
                    of: $0, fields: fields, etag: EntityTag("v1"), lastModified: date, body: .bytes(letters))
            },
            Route(.get, "/file") { request in
                await .representation(of: request, fields: fields, etag: EntityTag("v1"), lastModified: date) {
                    .file(FileBody(file, offset: 2, length: 26))
                }
            },
            Route(.get, "/weak") {
                .representation(of: $0, etag: EntityTag("v1", weak: true), body: .bytes(letters))
            },
            Route(.get, "/bare") { .representation(of: $0, etag: nil, body: .bytes(letters)) },
            Route(.get, "/nothing") { .representation(of: $0, etag: EntityTag("v1"), body: .bytes([])) },
            Route(.get, "/stream") {
                .representation(of: $0, etag: EntityTag("v1"), body: .stream { try await $0.write("abc") })
            },
            Route(.post, "/bytes") { .representation(of: $0, etag: EntityTag("v2"), body: .bytes(letters)) },
        ]
    }

    @Test(
        arguments: [
            ([:], 200),
            (["If-None-Match": "\"v1\""], 304), (["If-None-Match": "W/\"v1\""], 304), (["If-None-Match": "*"], 304),
            (["If-None-Match": "\"v0\", \"v1\""], 304), (["If-None-Match": "\"v0\""], 200),
            (["If-None-Match": "\"v0\"", "if-none-match": "\"v1\""], 304),
            (["If-Modified-Since": same], 304), (["If-Modified-Since": later], 304),
            (["If-Modified-Since": earlier], 200), (["If-Modified-Since": "yesterday"], 200),
            (["If-None-Match": "\"v0\"", "If-Modified-Since": same], 200),
            (["If-Match": "\"v1\""], 200), (["If-Match": "*"], 200), (["If-Match": "\"v0\""], 412),
            (["If-Match": "W/\"v1\""], 412), (["If-Match": "v1"], 412),
            (["If-Unmodified-Since": same], 200), (["If-Unmodified-Since": earlier], 412),
            (["If-Unmodified-Since": "tomorrow"], 200),
            (["If-Match": "\"v1\"", "If-Unmodified-Since": earlier], 200),
            (["If-Match": "\"v1\"", "If-None-Match": "\"v1\""], 304),
            (["If-Match": "\"v0\"", "If-None-Match": "\"v1\""], 412),
            (["If-Unmodified-Since": earlier, "If-None-Match": "\"v1\""], 412),
            // Conditions come before the range.
            (["If-None-Match": "\"v1\"", "Range": "bytes=0-1"], 304),
            (["If-Match": "\"v0\"", "Range": "bytes=0-1"], 412),
            (["If-Match": "\"v1\"", "Range": "bytes=0-1"], 206),
            (["If-Match": "\"v0\"", "Range": "bytes=99-"], 412),
        ] as [(HTTPFields, Int)])
    func `conditions are evaluated in their order`(fields: HTTPFields, status: Int) async throws {
        try await withServer(Self.routes()) { server in
            for path in ["/bytes", "/file"] {
                #expect(try await server.ask(path, fields).status == status)
                let head = try await server.ask(path, fields, method: .head)
                #expect(head.status == (status == 206 ? 200 : status))
            }
        }
    }

    @Test func `a representation tells its validators, and so does what refers to it`() async throws {
        try await withServer(Self.routes()) { server in
            let whole = try await server.ask("/file")
            let known = try await server.ask("/file", ["If-None-Match": "\"v1\""])
            let failed = try await server.ask("/file", ["If-Match": "\"v0\""])

            for response in [whole, known] {
                #expect(response["ETag"] == "\"v1\"")
                #expect(response["Last-Modified"] == Self.same)
                #expect(response["Cache-Control"] == "max-age=9")
                #expect(response["Vary"] == "Accept")
            }
            #expect(whole.content == Self.letters)
            #expect(whole["Accept-Ranges"] == "bytes")
            #expect(known["Content-Type"] == nil && known["Content-Length"] == nil)
            #expect(failed["Content-Type"] == "application/problem+json")
            #expect(failed.body.contains("/problems/precondition-failed"))
        }
    }

    @Test(arguments: [
        ("bytes=0-3", "0-3", "abcd"), ("bytes=24-", "24-25", "yz"), ("bytes=-3", "23-25", "xyz"),
        ("bytes=20-999", "20-25", "uvwxyz"), ("bytes=0-", "0-25", "abcdefghijklmnopqrstuvwxyz"),
        ("bytes=0-1,1-3", "0-3", "abcd"), ("bytes=0-0,99-", "0-0", "a"),
    ])
    func `one range is answered with its part`(range: String, place: String, text: String) async throws {
        try await withServer(Self.routes()) { server in
            for path in ["/bytes", "/file"] {
                let response = try await server.ask(path, ["Range": range])

                #expect(response.status == 206)
                #expect(response["Content-Range"] == "bytes \(place)/26")
                #expect(response["Content-Length"] == String(text.utf8.count))
                #expect(response["Content-Type"] == "image/x-letters")
                #expect(response["ETag"] == "\"v1\"")
                #expect(response["Accept-Ranges"] == "bytes")
                #expect(response.body == text)
            }
        }
    }

    @Test(arguments: ["/bytes", "/file"])
    func `several ranges are answered with several parts`(path: String) async throws {
        try await withServer(Self.routes()) { server in
            let response = try await server.ask(path, ["Range": "bytes=-1, 2-4,0-0 , 50-60"])

            #expect(response.status == 206)
            #expect(response["Content-Range"] == nil)
            let type = try #require(response["Content-Type"].flatMap { MediaType($0) })
            #expect(type.essence == "multipart/byteranges")
            let boundary = try #require(type.parameter("boundary"))
            #expect(
                response.body == [("25-25", "z"), ("2-4", "cde"), ("0-0", "a")].map { place, text in
                    "--\(boundary)\r\nContent-Type: image/x-letters\r\nContent-Range: bytes \(place)/26\r\n\r\n\(text)\r\n"
                }.joined() + "--\(boundary)--\r\n")
        }
    }

    @Test func `no two answers have the same boundary`() async throws {
        try await withServer(Self.routes()) { server in
            var types: Set<String> = []
            for _ in 0..<8 {
                types.insert(try await server.ask("/bytes", ["Range": "bytes=0-0,2-2"])["Content-Type"] ?? "")
            }

            #expect(types.count == 8)
        }
    }

    @Test(arguments: ["bytes=26-", "bytes=99-100,30-", "bytes=-0"])
    func `a range beyond the end is refused with the length`(range: String) async throws {
        try await withServer(Self.routes()) { server in
            let response = try await server.ask("/file", ["Range": range])

            #expect(response.status == 416)
            #expect(response["Content-Range"] == "bytes */26")
            #expect(response["Content-Type"] == "application/problem+json")
            #expect(response.body.contains("/problems/range-not-satisfiable"))
        }
    }

    @Test(arguments: [
        "items=0-1", "bytes=3-1", "bytes=x", "bytes 0-1", "bytes=", "0-1",
        "bytes=" + (0...16).map { "\($0)-\($0)" }.joined(separator: ","),
    ])
    func `a range that is malformed, unknown or too much gets the whole`(range: String) async throws {
        try await withServer(Self.routes()) { server in
            let response = try await server.ask("/file", ["Range": range])

            #expect(response.status == 200)
            #expect(response.content == Self.letters)
            #expect(response["Content-Range"] == nil)
        }
    }

    @Test(
        arguments: [
            ("/bytes", "\"v1\"", 206), ("/bytes", same, 206), ("/bytes", "\"v0\"", 200), ("/bytes", "W/\"v1\"", 200),
            ("/bytes", earlier, 200), ("/bytes", later, 200), ("/bytes", "nonsense", 200), ("/weak", "W/\"v1\"", 200),
            ("/weak", "\"v1\"", 200), ("/bare", same, 200), ("/bare", "\"v1\"", 200), ("/bytes", "\"v1-gzip\"", 200),
        ])
    func `If-Range gives a part only of the copy that the client has`(
        path: String, value: String, status: Int
    ) async throws {
        try await withServer(Self.routes()) { server in
            let response = try await server.ask(path, ["Range": "bytes=0-1", "If-Range": value])

            #expect(response.status == status)
            #expect(response.body == (status == 206 ? "ab" : "abcdefghijklmnopqrstuvwxyz"))
            // A range that cannot be satisfied is ignored too.
            let beyond = try await server.ask(path, ["Range": "bytes=99-", "If-Range": value])
            #expect(beyond.status == (status == 206 ? 416 : 200))
        }
    }

    @Test func `ranges are given of what has a length, to GET`() async throws {
        try await withServer(Self.routes()) { server in
            let range: HTTPFields = ["Range": "bytes=0-1"]
            let stream = try await server.ask("/stream", range)
            let nothing = try await server.ask("/nothing", ["Range": "bytes=-1"])
            let post = try await server.ask("/bytes", range, method: .post)

            #expect(stream.status == 200 && stream.body == "abc" && stream["Accept-Ranges"] == nil)
            #expect(nothing.status == 200 && nothing["Accept-Ranges"] == "bytes")
            #expect(try await server.ask("/nothing", range).status == 416)
            #expect(post.status == 200 && post["ETag"] == "\"v2\"" && post["Accept-Ranges"] == nil)
        }
    }

    @Test func `a body is not opened for what does not need it`() async throws {
        let opened = Box(0)
        let route = Route(.get, "/a") { request in
            await .representation(of: request, etag: EntityTag("v1")) {
                opened.update { $0 += 1 }
                return .bytes(Self.letters)
            }
        }
        try await withServer([route]) { server in
            _ = try await server.ask("/a", ["If-None-Match": "\"v1\""])
            _ = try await server.ask("/a", ["If-Match": "\"v0\""])
            #expect(opened.value == 0)

            _ = try await server.ask("/a", ["Range": "bytes=0-1"])
            #expect(opened.value == 1)
        }
    }

    @Test func `parts of a large file arrive whole and in their order`() async throws {
        let content = (0..<6_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let file = try temporaryFile(content)
        let route = Route(.get, "/a") {
            .representation(of: $0, etag: nil, body: .file(FileBody(file, length: 6_000_000)))
        }
        try await withServer([route]) { server in
            let client = try server.client()
            let places = (0..<16).map { $0 * 370_000..<($0 * 370_000 + 300_001) }
            let range = places.reversed().map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: ",")

            // Two at once: the second waits in the connection until the first is sent.
            let request = "GET /a HTTP/1.1\r\nHost: h\r\nRange: bytes=\(range)\r\n\r\n"
            try await client.send(request + request)
            for _ in 0..<2 {
                let response = try await client.response()
                #expect(response.content.count > 16 * 300_001)
                var rest = response.content[...]
                for place in places.reversed() {
                    let head = try #require(rest.firstRange(of: Array("\r\n\r\n".utf8)))
                    #expect(rest[head.upperBound...].prefix(place.count).elementsEqual(content[place]))
                    rest = rest[head.upperBound...].dropFirst(place.count)
                }
            }
        }
    }
}
