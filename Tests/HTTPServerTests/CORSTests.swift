import Foundation
import HTTP
import HTTPServer
import Testing

/// Pages of other origins (Fetch standard, sections 3.2 and 4.8).
struct CORSTests {
    private static let routes = [
        Route(.get, "/v1/photos") { _ in .json([]) },
        Route(.post, "/v1/photos") { _ in .json([], status: .created) },
        Route(.put, "/v1/photos/{id}/like") { _ in .noContent },
        Route(.get, "/v1/events") { _ in HTTPResponse(.ok, body: .stream { try await $0.write("event") }) },
        Route(.get, "/v1/failure") { _ in throw TestServer.Refusal() },
        Route(.get, "/v1") { _ in .text("v1") },
        Route(.get, "/v1beta") { _ in .text("other") },
        Route(.get, "/page") { _ in .html("<p>") },
        Route(.options, "/v1/uploads") { _ in .text("handler") },
    ]
    private static let some = CORSPolicy(.only(["https://app.example", "http://localhost:5173"]), path: "/v1")
    private static let any = CORSPolicy(.any, path: "/v1")
    private static let origin = "https://app.example"

    private func withSharing(_ policy: CORSPolicy?, _ test: (TestServer) async throws -> Void) async throws {
        try await withServer(Self.routes, configure: { $0.cors = policy.map { [$0] } ?? [] }, test)
    }

    private func preflight(
        _ server: TestServer, _ path: String, from origin: String = origin, method: String = "PUT"
    ) async throws -> ReceivedResponse {
        try await server.ask(
            path,
            [
                "Origin": origin, "Access-Control-Request-Method": method,
                "Access-Control-Request-Headers": "authorization,idempotency-key",
            ], method: .options)
    }

    @Test(arguments: [
        ("/v1/photos", "GET, HEAD, OPTIONS, POST"), ("/v1/photos/7/like", "OPTIONS, PUT"),
        ("/v1", "GET, HEAD, OPTIONS"), ("/v1/uploads", "OPTIONS"),
        ("/v1/none", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"),
    ])
    func `a preflight request is told the methods of the path`(path: String, methods: String) async throws {
        try await withSharing(Self.some) { server in
            let response = try await preflight(server, path)

            #expect(response.status == 204)
            #expect(response["Access-Control-Allow-Origin"] == Self.origin)
            #expect(response["Access-Control-Allow-Methods"] == methods)
            #expect(response["Access-Control-Max-Age"] == "7200")
            #expect(response["Vary"] == "Origin")
            #expect(response["Access-Control-Allow-Credentials"] == nil)
            #expect(response["Access-Control-Expose-Headers"] == nil)
            let headers = response["Access-Control-Allow-Headers"]?.lowercased().components(separatedBy: ", ") ?? []
            for name in [
                "authorization", "content-type", "if-match", "if-none-match", "idempotency-key", "x-request-id",
                "upload-offset", "tus-resumable",
            ] { #expect(headers.contains(name)) }
        }
    }

    @Test func `every origin is answered with a star where all are welcome`() async throws {
        try await withSharing(Self.any) { server in
            let preflight = try await preflight(server, "/v1/photos", from: "https://any.example")
            let response = try await server.ask("/v1/photos", ["Origin": "https://any.example"])
            let plain = try await server.ask("/v1/photos")

            for response in [preflight, response, plain] {
                #expect(response["Access-Control-Allow-Origin"] == "*")
                #expect(response["Vary"] == nil)
            }
        }
    }

    @Test(arguments: [
        "https://other.example", "https://app.example.evil.example", "http://app.example", "https://APP.example",
        "https://app.example:8443", "null", "", "*", "https://app.example, https://app.example",
    ])
    func `an origin that is not on the list is allowed nothing`(origin: String) async throws {
        try await withSharing(Self.some) { server in
            let preflight = try await preflight(server, "/v1/photos", from: origin)
            let response = try await server.ask("/v1/photos", ["Origin": origin])

            #expect(preflight.status == 204)
            #expect(response.status == 200)
            for response in [preflight, response] {
                #expect(!response.fields.contains { $0.hasPrefix("Access-Control-") })
                #expect(response["Vary"] == "Origin")
            }
        }
    }

    @Test(arguments: [
        (HTTPMethod.get, "/v1/photos", 200), (.head, "/v1/photos", 200), (.get, "/v1/failure", 422),
        (.get, "/v1/none", 404), (.delete, "/v1/photos", 405), (HTTPMethod(rawValue: "BREW"), "/v1/photos", 501),
        (.put, "/v1/photos/7/like", 204), (.get, "/v1/events", 200), (.get, "/v1", 200),
    ])
    func `answers and errors may be read by the pages on the list`(
        method: HTTPMethod, path: String, status: Int
    ) async throws {
        try await withSharing(Self.some) { server in
            let response = try await server.ask(path, ["Origin": "http://localhost:5173"], method: method)

            #expect(response.status == status)
            #expect(response.values("Access-Control-Allow-Origin") == ["http://localhost:5173"])
            #expect(response["Vary"] == "Origin")
            let exposed = response["Access-Control-Expose-Headers"]?.components(separatedBy: ", ") ?? []
            for name in ["Location", "Link", "ETag", "Retry-After", "RateLimit", "X-Request-ID", "Upload-Offset"] {
                #expect(exposed.contains(name))
            }
        }
    }

    @Test func `a request without an origin is told that origins matter`() async throws {
        try await withSharing(Self.some) { server in
            let response = try await server.ask("/v1/photos")

            #expect(response["Vary"] == "Origin")
            #expect(response["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test(arguments: ["/page", "/v1beta", "/none"])
    func `other paths are not shared`(path: String) async throws {
        try await withSharing(Self.any) { server in
            let response = try await server.ask(path, ["Origin": Self.origin])
            let preflight = try await preflight(server, path)

            for response in [response, preflight] {
                #expect(!response.fields.contains { $0.hasPrefix("Access-Control-") })
                #expect(response["Vary"] == nil)
            }
        }
    }

    @Test func `OPTIONS that is no preflight is answered as ever`() async throws {
        try await withSharing(Self.some) { server in
            let plain = try await server.ask("/v1/photos", method: .options)
            let handler = try await server.ask("/v1/uploads", ["Origin": Self.origin], method: .options)

            #expect(plain.status == 204)
            #expect(plain["Allow"] == "GET, HEAD, OPTIONS, POST")
            #expect(handler.body == "handler")
            #expect(handler["Access-Control-Allow-Origin"] == Self.origin)
        }
    }

    @Test func `without a policy nothing is shared`() async throws {
        try await withSharing(nil) { server in
            let response = try await server.ask("/v1/photos", ["Origin": Self.origin])
            let preflight = try await preflight(server, "/v1/photos")

            #expect(!response.fields.contains { $0.hasPrefix("Access-Control-") })
            #expect(preflight["Allow"] == "GET, HEAD, OPTIONS, POST")
            #expect(!preflight.fields.contains { $0.hasPrefix("Access-Control-") })
        }
    }

    @Test func `what varies by coding and origin says both`() async throws {
        let route = Route(.get, "/v1/a") { _ in .text(String(repeating: "word ", count: 500)) }
        try await withServer([route], configure: { $0.cors = [Self.some] }) { server in
            let response = try await server.ask("/v1/a", ["Origin": Self.origin, "Accept-Encoding": "gzip"])

            #expect(response["Vary"] == "Accept-Encoding, Origin")
            #expect(response["Content-Encoding"] == "gzip")
        }
    }
}
