import HTTP
import HTTPServer
import Testing

/// What a strict server does with every message of the tables, over real sockets.
struct ConformanceTests {
    /// Status and whether the connection went on, with the message in one piece.
    @Test(arguments: Row.all)
    func `a message gets the answer that the RFCs ask for`(row: Row) async throws {
        let client = try await SharedServer.client()

        try await client.send(row.message + Array(Row.last.utf8))

        #expect(try await outcome(client) == Outcome(row))
    }

    @Test(arguments: Row.all.filter { $0.message.count < 1_000 })
    func `a message that comes byte by byte gets the same answer`(row: Row) async throws {
        let client = try await SharedServer.client()

        try await client.trickle(row.message + Array(Row.last.utf8))

        #expect(try await outcome(client) == Outcome(row))
    }

    @Test(arguments: Row.all.filter { !$0.goesOn })
    func `a connection that ends after an answer says so`(row: Row) async throws {
        let client = try await SharedServer.client()

        try await client.send(row.message)

        #expect(try await client.answers().last?["Connection"] == "close")
    }

    @Test(arguments: Row.all.filter { $0.statuses.contains { $0 >= 400 } })
    func `every error comes as problem details with a date and a request id`(row: Row) async throws {
        let client = try await SharedServer.client()

        try await client.send(row.message + Array(Row.last.utf8))

        let failure = try #require(try await client.answers().first { $0.status >= 400 })
        #expect(failure["Content-Type"] == "application/problem+json")
        #expect(try JSONValue(parsing: Array(failure.body.utf8))["status"]?.int == Int64(failure.status))
        #expect(failure["Date"]?.hasSuffix("GMT") == true)
        #expect(failure["X-Request-ID"] != nil)
    }

    private struct Outcome: Equatable {
        var statuses: [Int]
        var goesOn: Bool

        init(_ row: Row) { (statuses, goesOn) = (row.statuses, row.goesOn) }

        init(_ statuses: [Int]) {
            goesOn = statuses.last == 299
            self.statuses = goesOn ? statuses.dropLast() : statuses
        }
    }

    private func outcome(_ client: Client) async throws -> Outcome {
        Outcome(try await client.answers().map(\.status))
    }
}

/// One server for all rows.
private enum SharedServer {
    private static let starting = Task { try await TestServer.start(routes) }

    static func client() async throws -> Client { try await starting.value.client() }

    private static let routes = [
        Route(.get, "/") { _ in .text("root") },
        Route(.get, "/{name}") { .text($0.parameters["name"] ?? "") },
        Route(.get, "/last") { _ in Response(299) },
        Route(.get, "/stream") { _ in Response(.ok, body: .stream { try await $0.write("streamed") }) },
        Route(.get, "/fails") { _ in throw CancelledByNobody() },
        Route(.post, "/body") { .text(String(decoding: try await $0.body.collect(upTo: .max), as: UTF8.self)) },
        Route(.post, "/unread") { _ in .text("done") },
    ]

    private struct CancelledByNobody: Error {}
}
