package import HTTP

/// Finds the route of a request. Built once; afterwards it only reads.
///
/// At every segment a literal wins over a parameter, so `/livez` and `/{code}` live together. GET answers HEAD, and OPTIONS is
/// answered for every path.
package final class Router: Sendable {
    /// The table as it was given.
    package let routes: [Route]
    private let index: RouteIndex

    /// Builds the table's index.
    ///
    /// - Throws: `RouterError` for a table that cannot be meant.
    package init(_ routes: [Route]) throws(RouterError) {
        self.routes = routes
        index = try RouteIndex(routes)
    }

    /// The outcome of looking a request up.
    enum Match {
        case route(Int, PathParameters)
        /// OPTIONS, with the value for `Allow`.
        case options(allow: String)
        case notAllowed(allow: String)
        case notFound
        case unknownMethod
    }

    func match(_ method: HTTPMethod, _ path: String) -> Match { index.match(method, path) }

    /// The methods of a path, or those of the whole table where there is nothing, as `Allow` has them.
    func allow(_ path: String) -> String { index.allow(path) }
}

/// A routing table that cannot be meant: a defect of the program, found at its start.
package enum RouterError: Error, Equatable, CustomStringConvertible {
    /// The path has no slash in front, an empty or repeated name, or braces inside a segment.
    case malformed(path: String)
    /// Two routes have the same method and path.
    case duplicate(HTTPMethod, path: String)
    /// Another route has the same path with other names in braces.
    case ambiguous(path: String)

    package var description: String {
        switch self {
        case .malformed(let path): "the path \(path) of a route is malformed"
        case .duplicate(let method, let path): "there are two routes for \(method) \(path)"
        case .ambiguous(let path): "another route names the parameters of \(path) differently"
        }
    }
}
