import EventLoops
import HTTP
import HTTPServer
import Logging
import TestTools
import Testing

/// Responses at rate limits, over real sockets.
struct RateLimitAnswerTests {
    private let clock = ManualClock()

    private func limiter(_ policies: RatePolicy...) -> RateLimiter { RateLimiter(policies, clock: clock) }

    private static let everybody = RatePolicy(
        .init("address"), quota: 2, per: .seconds(60), of: .address, countsEveryRequest: true)
    private static let costly = RatePolicy(.init("costly"), quota: 2, per: .seconds(60), of: .address)

    private func get(_ path: String, _ lines: String...) -> String {
        (["GET \(path) HTTP/1.1", "Host: h"] + lines + ["", ""]).joined(separator: "\r\n")
    }

    @Test func `too many requests are refused until tokens come back`() async throws {
        let limiter = limiter(Self.everybody)
        let route = Route(.get, "/a") { _ in .noContent }
        try await withServer([route], configure: { $0.rateLimiter = limiter }) { server in
            let client = try server.client()
            try await client.send(get("/a") + get("/a") + get("/a"))
            let answers = [try await client.response(), try await client.response(), try await client.response()]
            clock.advance(by: .seconds(30))
            try await client.send(lastGet("/a"))

            #expect(answers.map(\.status) == [204, 204, 429])
            #expect(try await client.answers().map(\.status) == [204])
        }
    }

    @Test func `a refusal is problem details that name the policy and the pause`() async throws {
        let limiter = limiter(Self.everybody)
        try await withServer([], configure: { $0.rateLimiter = limiter }) { server in
            let client = try server.client()
            try await client.send(get("/a") + get("/a") + lastGet("/a"))
            // A path without a handler costs as much as any other.
            let missing = [try await client.response().status, try await client.response().status]

            let refusal = try #require(try await client.answers().first)

            let problem = try JSONValue(parsing: Array(refusal.body.utf8))
            #expect(missing + [refusal.status] == [404, 404, 429])
            #expect(refusal["Content-Type"] == "application/problem+json")
            #expect(refusal["Retry-After"] == "30")
            #expect(refusal["RateLimit-Policy"] == "\"address\";q=2;w=60")
            #expect(refusal["RateLimit"] == "\"address\";r=0;t=30")
            #expect(problem["type"]?.string == "https://iana.org/assignments/http-problem-types#quota-exceeded")
            #expect(problem["status"]?.int == 429)
            #expect(problem["violated-policies"] == ["address"])
        }
    }

    @Test func `answers of a route with a cost tell what is left, others do not`() async throws {
        let limiter = limiter(
            RatePolicy(.init("address"), quota: 9, per: .seconds(60), of: .address, countsEveryRequest: true),
            Self.costly)
        let routes = [
            Route(.get, "/costly", costs: .charging(.init("costly"))) { _ in .text("a") },
            Route(.get, "/streamed", costs: .charging(.init("costly"))) { _ in
                HTTPResponse(.ok, body: .stream { try await $0.write("b") })
            },
            Route(.get, "/plain") { _ in .text("c") },
        ]
        try await withServer(routes, configure: { $0.rateLimiter = limiter }) { server in
            let client = try server.client()
            try await client.send(get("/costly") + get("/streamed"))
            let costly = [try await client.response(), try await client.response()]
            try await client.send(get("/plain"))
            let other = try await client.response()

            #expect(costly.map(\.status) == [200, 200])
            #expect(costly[0]["RateLimit-Policy"] == "\"address\";q=9;w=60, \"costly\";q=2;w=60")
            #expect(
                costly.map { $0["RateLimit"] } == [
                    "\"address\";r=8;t=7, \"costly\";r=1;t=30", "\"address\";r=7;t=7, \"costly\";r=0;t=30",
                ])
            #expect(other["RateLimit"] == nil && other["RateLimit-Policy"] == nil)
        }
    }

    @Test func `a server without limits says nothing of them`() async throws {
        try await withServer([Route(.get, "/a", costs: .charging(.init("costly"))) { _ in .noContent }]) { server in
            let response = try #require(try await server.answers(to: lastGet("/a")).first)

            #expect(response.status == 204 && response["RateLimit"] == nil && response["RateLimit-Policy"] == nil)
        }
    }

    @Test func `probes from this machine are never refused`() async throws {
        let limiter = limiter(Self.everybody)
        let routes = [
            Route(.get, "/livez", operation: .undocumented, costs: .probe) { _ in .noContent },
            Route(.get, "/a") { _ in .noContent },
        ]
        try await withServer(routes, configure: { $0.rateLimiter = limiter }) { server in
            let answers = try await server.answers(to: String(repeating: get("/livez"), count: 5) + lastGet("/a"))

            #expect(answers.map(\.status) == [204, 204, 204, 204, 204, 204])
        }
    }

    @Test(arguments: ["X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: nonsense", "X-Forwarded-Proto: https"])
    func `a probe that a proxy passes on from elsewhere is refused like anything else`(line: String) async throws {
        let limiter = limiter(Self.everybody)
        let route = Route(.get, "/livez", operation: .undocumented, costs: .probe) { _ in .noContent }
        let proxy = try #require(ProxyRange("127.0.0.1"))
        try await withServer(
            [route],
            configure: {
                $0.rateLimiter = limiter
                $0.trustedProxies = [proxy]
            }
        ) { server in
            let client = try server.client()
            try await client.send(String(repeating: get("/livez", line), count: 3))

            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await client.response().status) }
            #expect(statuses == [204, 204, 429])
        }
    }

    @Test func `the body of a refused upload is not read`() async throws {
        let limiter = limiter(Self.costly)
        let route = Route(.post, "/a", costs: .charging([.init("costly"): 2])) { request in
            .text(String(try await request.body.collect(upTo: 10).count))
        }
        let head = "POST /a HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer 1\r\nContent-Length: 3\r\n"
        try await withServer([route], configure: { $0.rateLimiter = limiter }) { server in
            let client = try server.client()
            try await client.send(head + "\r\nabc" + head + "\r\nabc")
            let statuses = [try await client.response().status, try await client.response().status]
            #expect(statuses == [200, 429])

            // A client that asks first does not have to send it.
            try await client.send(head + "Expect: 100-continue\r\n\r\n")
            let answers = try await client.answers()

            #expect(answers.map(\.status) == [429])
            #expect(answers[0]["Connection"] == "close")
        }
    }

    @Test func `what only a handler knows to be costly is refused by the handler`() async throws {
        let limiter = limiter(RatePolicy(.init("pictures"), quota: 1, per: .seconds(60), of: .address))
        let route = Route(.get, "/{made}") { request in
            if request.parameters["made"] == "new" { try limiter.charge(.init("pictures"), for: request) }
            return .noContent
        }
        try await withServer([route], configure: { $0.rateLimiter = limiter }) { server in
            let client = try server.client()
            try await client.send(get("/new") + get("/old") + get("/new"))
            var answers: [ReceivedResponse] = []
            for _ in 0..<3 { answers.append(try await client.response()) }

            #expect(answers.map(\.status) == [204, 204, 429])
            #expect(answers.map { $0["RateLimit"] } == [nil, nil, "\"pictures\";r=0;t=60"])
            #expect(answers[2]["Retry-After"] == "60")
        }
    }

    @Test func `after too many failures nothing is tried any more until some are forgiven`() async throws {
        let limiter = limiter(RatePolicy(.init("failures"), quota: 3, per: .seconds(60), of: .address))
        let tried = Box(0)
        let route = Route(.get, "/a") { request in
            try limiter.demand(.init("failures"), for: request)
            tried.update { $0 += 1 }
            guard request.fields["Authorization"] == "Bearer right" else {
                limiter.count(.init("failures"), for: request)
                return HTTPResponse(.unauthorized)
            }
            return .noContent
        }
        try await withServer([route], configure: { $0.rateLimiter = limiter }) { server in
            let client = try server.client()
            func statuses(_ tokens: String...) async throws -> [Int] {
                var statuses: [Int] = []
                for token in tokens {
                    try await client.send(get("/a", "Authorization: Bearer \(token)"))
                    statuses.append(try await client.response().status)
                }
                return statuses
            }

            #expect(try await statuses("right", "1", "2", "right", "3") == [204, 401, 401, 204, 401])
            #expect(try await statuses("right", "4") == [429, 429])
            #expect(tried.value == 5)
            clock.advance(by: .seconds(20))
            #expect(try await statuses("right", "5", "6") == [204, 401, 429])
        }
    }

    @Test func `a proxy that nobody has named is told to the operator once`() async throws {
        let limiter = limiter(Self.everybody)
        try await withServer([], configure: { $0.rateLimiter = limiter }) { server in
            let client = try server.client()
            try await client.send(String(repeating: get("/a", "X-Forwarded-For: 192.0.2.1"), count: 5) + lastGet("/a"))
            #expect(try await client.answers().map(\.status) == [404, 404, 429, 429, 429, 429])

            #expect(server.log.lines.count == 1)
            #expect(server.log.lines.first?.contains("trusted_proxies") == true)
        }
    }
}
