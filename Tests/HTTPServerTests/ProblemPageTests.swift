import HTTP
import HTTPServer
import Testing

/// The pages of problems, which browsers get in place of problem details.
struct ProblemPageTests {
    private static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"

    private func withPages(_ test: (TestServer) async throws -> Void) async throws {
        let routes = [
            Route(.get, "/failure") { _ in throw TestServer.Refusal() },
            Route(.get, "/late") { _ in HTTPResponse(.ok, body: .stream { _ in throw TestServer.Refusal() }) },
            Route(.get, "/own") { _ in .html("<p>own", status: .notFound) },
            Route(.get, "/v1/failure") { _ in throw TestServer.Refusal() },
        ]
        try await withServer(
            routes,
            configure: {
                $0.problemPages = ProblemPages(except: "/v1") { status, language in
                    .html("<p>\(status.code) \(language ?? "-")", status: status, fields: ["Vary": "Cookie"])
                }
            }, test)
    }

    @Test(arguments: [
        ("GET", "/foo/bar", 404), ("GET", "/v1beta", 404), ("POST", "/failure", 405), ("BREW", "/failure", 501),
        ("GET", "/failure", 422), ("GET", "/late", 422),
    ])
    func `whoever likes HTML better gets a page`(method: String, path: String, status: Int) async throws {
        try await withPages { server in
            let response = try await server.ask(
                path, ["Accept": Self.browser, "Accept-Language": "ja"], method: HTTPMethod(rawValue: method))

            #expect(response.status == status)
            #expect(response.body == "<p>\(status) ja")
            #expect(response.values("Content-Type") == ["text/html; charset=utf-8"])
            #expect((response["Allow"] != nil) == (status == 405))
        }
    }

    @Test(arguments: [nil, "*/*", "application/json", "application/json, text/html;q=0.9", "image/avif,*/*;q=0.8"])
    func `programs get problem details, and caches hear that there are both`(accept: String?) async throws {
        try await withPages { server in
            let response = try await server.ask("/foo/bar", accept.map { ["Accept": $0] } ?? [:])

            #expect(response.status == 404)
            #expect(response["Content-Type"] == "application/problem+json")
            #expect(response["Vary"] == "Accept")
        }
    }

    @Test(arguments: ["/v1", "/v1/none", "/v1/failure"])
    func `what is for programs alone answers browsers as it answers programs`(path: String) async throws {
        try await withPages { server in
            let response = try await server.ask(path, ["Accept": Self.browser])

            #expect(response["Content-Type"] == "application/problem+json")
            #expect(response["Vary"] == nil)
        }
    }

    @Test func `a page of a handler's own stays`() async throws {
        try await withPages { server in
            let response = try await server.ask("/own", ["Accept": Self.browser])

            #expect(response.body == "<p>own")
        }
    }

    @Test func `HEAD says what GET would, without the page`() async throws {
        try await withPages { server in
            let response = try await server.ask("/foo/bar", ["Accept": Self.browser], method: .head)

            #expect(response.status == 404 && response.content.isEmpty)
            #expect(response["Content-Length"] == "8")
        }
    }

    @Test func `HTTP2 does the same`() async throws {
        try await withPages { server in
            let client = try await HTTP2Client(server)

            let response = try await client.get("/foo/bar", [("accept", Self.browser)])

            #expect(response.status == 404)
            #expect(response.text == "<p>404 -")
        }
    }
}
