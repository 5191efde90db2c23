import HTTP
import Testing

@testable import HTTPServer

struct RouterTests {
    @Test(
        arguments: [
            ("/livez", "/livez", [:]), ("/", "/", [:]), ("/Ab3dE9xZ", "/{code}", ["code": "Ab3dE9xZ"]),
            ("/m/Ab3dE9xZ/thumb.webp", "/m/{code}/{file}", ["code": "Ab3dE9xZ", "file": "thumb.webp"]),
            ("/v1/photos", "/v1/photos", [:]), ("/v1/photos/7", "/v1/photos/{id}", ["id": "7"]),
            ("/v1/photos/7/like", "/v1/photos/{id}/like", ["id": "7"]),
            ("/v1/photos/latest", "/v1/photos/latest", [:]),
            ("/v1/photos/latest/like", "/v1/photos/{id}/like", ["id": "latest"]),
        ] as [(String, String, [String: String])])
    func `a path finds the route that fits it best`(path: String, pattern: String, parameters: [String: String]) throws
    {
        let router = try Router(
            [
                "/", "/livez", "/{code}", "/m/{code}/{file}", "/v1/photos", "/v1/photos/{id}", "/v1/photos/{id}/like",
                "/v1/photos/latest",
            ].map { Route(.get, $0) { _ in .noContent } })

        guard case .route(let index, let found) = router.match(.get, path) else {
            Issue.record("no route")
            return
        }
        #expect(router.routes[index].path == pattern)
        for (name, value) in parameters { #expect(found[name] == value) }
        #expect(found["other"] == nil)
    }

    @Test(arguments: [
        "/nothing/here", "/v1", "/v1/", "/v1/photos/", "/v1/photos/7/", "/v1/photos//like", "//", "/m/a", "*x",
    ])
    func `a path that no route has is not found`(path: String) throws {
        let router = try Router(
            ["/livez", "/v1/photos/{id}", "/v1/photos/{id}/like", "/m/{code}/{file}"].map {
                Route(.get, $0) { _ in .noContent }
            })

        guard case .notFound = router.match(.get, path) else {
            Issue.record("found")
            return
        }
    }

    @Test func `a path of a hundred thousand segments is turned away quickly`() throws {
        let router = try Router([Route(.get, "/{a}/{b}") { _ in .noContent }])

        guard case .notFound = router.match(.get, String(repeating: "/a", count: 100_000)) else {
            Issue.record("found")
            return
        }
    }

    @Test func `methods that a path does not have are named in Allow`() throws {
        let router = try Router([
            Route(.get, "/{id}") { _ in .noContent }, Route(.delete, "/{id}") { _ in .noContent },
        ])

        guard case .notAllowed(let allow) = router.match(.put, "/7") else {
            Issue.record("allowed")
            return
        }
        #expect(allow == "DELETE, GET, HEAD, OPTIONS")
    }

    @Test(arguments: [
        ([("GET", "/a"), ("GET", "/a")], RouterError.duplicate(.get, path: "/a")),
        ([("GET", "/{a}"), ("GET", "/{a}")], .duplicate(.get, path: "/{a}")),
        ([("GET", "/{a}"), ("PUT", "/{b}")], .ambiguous(path: "/{b}")),
        ([("GET", "a")], .malformed(path: "a")),
        ([("GET", "/{a}/{a}")], .malformed(path: "/{a}/{a}")),
        ([("GET", "/{}")], .malformed(path: "/{}")),
        ([("GET", "/a{b}")], .malformed(path: "/a{b}")),
    ])
    func `a table that cannot be meant is refused`(table: [(String, String)], error: RouterError) {
        #expect(throws: error) {
            try Router(table.map { Route(HTTPMethod(rawValue: $0.0), $0.1) { _ in .noContent } })
        }
    }
}
