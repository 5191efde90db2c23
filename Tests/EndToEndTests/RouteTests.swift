import Foundation
import HTTP
import TestPics
import Testing

/// The table of routes, as the log of a start tells it, beside the server and its OpenAPI document.
@Suite(.timeLimit(.minutes(10)))
struct RouteTests {
    private struct LoggedRoute: Hashable {
        let method: String
        let path: String
        let isPage: Bool
        let costs: String
    }

    private func routes(_ pics: Pics) -> [LoggedRoute] {
        pics.process.logged.split(separator: "\n").compactMap { line in
            guard let event = try? JSONValue(parsing: Array(line.utf8)), event["message"] == "route",
                let method = event["method"]?.string, let path = event["path"]?.string,
                let isPage = event["page"]?.bool ?? event["page"]?.string.map({ $0 == "true" })
            else { return nil }
            return LoggedRoute(method: method, path: path, isPage: isPage, costs: event["costs"]?.string ?? "")
        }
    }

    @Test func `every route is in the OpenAPI document or is a page, and the server has these and no others`()
        async throws
    {
        try await withPics(settings: ["PICS_LOG_LEVEL": "debug", "PICS_LOG_FORMAT": "json"]) { pics in
            let routes = routes(pics)
            #expect(routes.count > 100 && Set(routes.map { "\($0.method) \($0.path)" }).count == routes.count)

            var described: Set<String> = []
            for path in try await pics.json("/openapi.json")["paths"]?.object ?? JSONObject() {
                for method in path.value.object ?? JSONObject() {
                    described.insert("\(method.name.uppercased()) \(path.name)")
                }
            }
            #expect(described == Set(routes.filter { !$0.isPage }.map { "\($0.method) \($0.path)" }))

            for (path, routes) in Dictionary(grouping: routes, by: \.path) {
                var methods = Set(routes.map(\.method))
                // These answer OPTIONS themselves.
                guard !methods.contains("OPTIONS") else { continue }
                methods.insert("OPTIONS")
                if methods.contains("GET") { methods.insert("HEAD") }
                let place = path.replacing(#/\{[a-z]+\}/#, with: "zzzz")
                let response = try await pics.send(.options, place, isAnonymous: true)
                let allowed = (response.fields["Allow"] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
                #expect(Set(allowed.map { String($0) }) == methods, "\(path)")
            }
        }
    }

    @Test func `requests that send others cost their user`() async throws {
        try await withPics(settings: ["PICS_LOG_LEVEL": "debug", "PICS_LOG_FORMAT": "json"]) { pics in
            let routes = routes(pics)
            let outgoing = Set(routes.filter { $0.costs.contains("outgoing") }.map { "\($0.method) \($0.path)" })
            #expect(outgoing.isSuperset(of: ["POST /v1/connections", "POST /settings/webhooks"]))
            #expect(routes.first { $0.path == "/v1/photos" && $0.method == "POST" }?.costs == "token, uploads")
        }
    }
}
