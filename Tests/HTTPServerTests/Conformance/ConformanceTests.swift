import HTTP
import HTTPServer
import System
import Testing

/// The answers of the server to every message of the tables, over real sockets.
struct ConformanceTests {
    /// Status and whether the connection went on, with the message in one piece.
    @Test(arguments: Row.all)
    func `a message gets the answer that the RFCs ask for`(row: Row) async throws {
        let answers = try await SharedServer.answers(to: row.message + Array(Row.last.utf8), row)

        #expect(Outcome(answers, row) == Outcome(row))
    }

    @Test(arguments: Row.all.filter { $0.message.count < 1_000 })
    func `a message that comes byte by byte gets the same answer`(row: Row) async throws {
        let answers = try await SharedServer.answers(to: row.message + Array(Row.last.utf8), row, byteByByte: true)

        #expect(Outcome(answers, row) == Outcome(row))
    }

    @Test(arguments: Row.all.filter { !$0.goesOn })
    func `a connection that ends after an answer says so`(row: Row) async throws {
        let answers = try await SharedServer.answers(to: row.message, row)

        #expect(answers.last?["Connection"] == "close")
    }

    @Test(arguments: Row.oldPersistence.filter { $0.goesOn && $0.statuses.count == 1 })
    func `a connection of an old client that goes on says so`(row: Row) async throws {
        let answers = try await SharedServer.answers(to: row.message + Array(Row.last.utf8), row)

        #expect(answers.first?["Connection"] == "keep-alive")
    }

    @Test(arguments: Row.all.filter { $0.heads.isEmpty && $0.statuses.contains { $0 >= 400 } })
    func `every error comes as problem details with a date and a request id`(row: Row) async throws {
        let answers = try await SharedServer.answers(to: row.message + Array(Row.last.utf8), row)

        for failure in answers where failure.status >= 400 {
            #expect(failure["Content-Type"] == "application/problem+json")
            #expect(try JSONValue(parsing: Array(failure.body.utf8))["status"]?.int == Int64(failure.status))
            #expect(failure["Date"]?.hasSuffix("GMT") == true)
            #expect(failure["X-Request-ID"] != nil)
        }
    }

    @Test(arguments: Row.all.filter { $0.statuses == [405] })
    func `a method that is not here comes with those that are`(row: Row) async throws {
        let answers = try await SharedServer.answers(to: row.message + Array(Row.last.utf8), row)

        let allowed = try #require(answers.first?["Allow"])
        #expect(["GET, HEAD, OPTIONS", "OPTIONS, POST"].contains(allowed))
    }

    @Test func `every row proves something of its own that a section asks for`() {
        #expect(Set(Row.all.map(\.testDescription)).count == Row.all.count)
        #expect(Row.all.allSatisfy { !$0.section.isEmpty })
    }

    private struct Outcome: Equatable {
        var statuses: [Int]
        var goesOn: Bool
        var bodies: [String]

        init(_ row: Row) { (statuses, goesOn, bodies) = (row.statuses, row.goesOn, row.bodies) }

        init(_ answers: [ReceivedResponse], _ row: Row) {
            let finals = answers.filter { $0.status != 100 }
            goesOn = finals.last?.status == 299
            statuses = finals.map(\.status)
            if goesOn { statuses.removeLast() }
            bodies = finals.prefix(row.bodies.count).map(\.body)
        }
    }
}

/// One server for all rows.
private enum SharedServer {
    private static let starting = Task { try await TestServer.start(routes) }
    /// All rows at once would be more connections than one address may have.
    private static let places = AsyncSemaphore(count: 32)

    /// Sends the message and gives all that comes until the server ends the connection.
    static func answers(to message: [UInt8], _ row: Row, byteByByte: Bool = false) async throws -> [ReceivedResponse] {
        await places.wait()
        defer { places.signal() }
        let client = try await starting.value.client()
        if byteByByte { try await client.trickle(message) } else { try await client.send(message) }
        // Who goes on sending behind "close" may be reset when the answer is sent (RFC 9112, section 9.6).
        return try await client.answers(heads: row.heads, orReset: byteByByte)
    }

    private static let routes = [
        Route(.get, "/") { _ in .text("root") },
        Route(.get, "/{name}") { .text($0.parameters["name"] ?? "") },
        Route(.get, "/last") { _ in HTTPResponse(299) },
        Route(.get, "/stream") { _ in HTTPResponse(.ok, body: .stream { try await $0.write("streamed") }) },
        Route(.get, "/fails") { _ in throw CancelledByNobody() },
        Route(.get, "/field") { .text($0.fields["A"] ?? "none") },
        Route(.get, "/authority") { .text($0.authority ?? "none") },
        Route(.get, "/query") { .text($0.query.pairs.map { "\($0.name)=\($0.value)" }.joined(separator: ";")) },
        Route(.post, "/body") { .text(String(decoding: try await $0.body.collect(upTo: .max), as: UTF8.self)) },
        Route(.post, "/unread") { _ in .text("done") },
    ]

    private struct CancelledByNobody: Error {}
}
