import HTTP
import Logging
import Testing

@testable import HTTPServer

struct DescriptorBudgetTests {
    @Test(arguments: [
        (10_000, 20_000, 128, 10_000), (10_000, 1_024, 128, 896), (10_000, 1_024, 0, 1_024), (10_000, 100, 128, 1),
        (5, 1_024, 128, 5), (Int.max, nil, 128, Int.max - 128), (10_000, nil, 128, 10_000), (10, 20, -5, 10),
    ])
    func `as many connections are allowed as there are descriptors for`(
        wanted: Int, descriptors: Int?, reserve: Int, allowed: Int
    ) {
        #expect(
            DescriptorBudget(wanted: wanted, descriptors: descriptors, reserve: reserve).connections == allowed)
    }

    @Test func `the operator hears of it only when there are fewer than configured`() {
        let log = RecordingSink()
        let logger = Logger(sink: log)

        DescriptorBudget(wanted: 800, descriptors: 1_024, reserve: 128).report(to: logger)
        #expect(log.lines.isEmpty)
        DescriptorBudget(wanted: 900, descriptors: 1_024, reserve: 128).report(to: logger)

        #expect(log.lines.count == 1)
        for part in ["connections=896", "configured=900", "open_files=1024", "reserved=128"] {
            #expect(log.lines.first?.contains(part) == true, "\(log.lines)")
        }
    }

    @Test func `a server refuses the connections it has no descriptors for`() async throws {
        let limit = try #require(DescriptorBudget.softLimit)
        let route = Route(.get, "/a") { _ in .noContent }
        try await withServer([route], configure: { $0.descriptorReserve = limit - 1 }) { server in
            let first = try server.client()
            try await first.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await first.response().status == 204)

            #expect(try await server.client().answers().map(\.status) == [503])
            #expect(server.log.lines.contains { $0.contains("connections=1 ") })
        }
    }
}
