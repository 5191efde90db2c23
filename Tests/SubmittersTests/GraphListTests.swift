internal import Foundation
internal import HTTP
internal import Testing

@testable internal import Submitters

struct GraphListTests {
    @Test func `a page of a list may be as long as what people write`() async throws {
        let long = JSONValue.string(String(repeating: "a", count: 15_000))
        let server = Recording(.response(200, ["data": JSONValue([JSONValue](repeating: ["text": long], count: 100))]))
        let graph = AccountAPI(
            client: ServiceClient(service: "Facebook", transport: server, now: { Date() }),
            origin: "https://graph.test", authorization: nil, addresses: .any)

        let list = try await graph.graphList(at: "/1/comments", [:])

        #expect(list.items.count == 100 && list.isComplete)
    }
}
