package import HTTP

/// Finds the route of a request. Built once; afterwards it only reads.
///
/// At every segment a literal wins over a parameter, so `/livez` and `/{code}` live together. GET answers HEAD, and OPTIONS is
/// answered for every path.
package final class Router: Sendable {
    /// The table as it was given.
    package let routes: [Route]
    private let index: RouteIndex
    private let lenientPath: String?

    /// Builds the table's index.
    ///
    /// Below `lenientPath`, such as `/api/`, a slash at the end of a path makes no difference.
    ///
    /// - Throws: `RouterError` for a table that cannot be meant.
    package init(_ routes: [Route], lenientBelow lenientPath: String? = nil) throws(RouterError) {
        self.routes = routes
        self.lenientPath = lenientPath
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

    func match(_ method: HTTPMethod, _ path: String) -> Match { index.match(method, known(path)) }

    /// The methods of a path, or those of the whole table where there is nothing, as `Allow` has them.
    func allow(_ path: String) -> String { index.allow(known(path)) }

    private func known(_ path: String) -> String {
        guard let lenientPath, path.hasPrefix(lenientPath), path.hasSuffix("/") else { return path }
        return String(path.dropLast())
    }
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

/// One row of the routing table: what answers a method of a path, and what the world is told about it.
package struct Route: Sendable {
    package let method: HTTPMethod
    /// Segments between slashes; `{name}` stands for any one segment that is not empty: `/v1/photos/{id}`.
    package let path: String
    /// The scope that a token needs; documentation, the handler's middleware enforces it.
    package let scope: String?
    package let operation: Operation
    /// The most bytes a body may have; nil means the server's default.
    package let bodyLimit: Int64?
    /// The price of a request for its sender, beyond that of every request.
    package let cost: RouteCost
    /// Under which hosts it answers, where a `HostPolicy` is set.
    package let audience: Audience
    let handler: Handler

    /// The clients that may use a route under a host that is not served to everybody.
    package enum Audience: Sendable {
        /// Nobody, but with a token under the listener's own address.
        case host
        /// As `host`, and everybody under the hosts of media.
        case media
        /// Programs, under the listener's own address, without a token too.
        case programs
        /// Every client under any host, such as a probe of liveness.
        case anyHost
        /// As `anyHost`, and without TLS also at a listener that sends everything else to https.
        case anyHostAndScheme
    }

    enum Handler: Sendable {
        case task(@Sendable (HTTPRequest) async throws -> HTTPResponse)
        case immediate(@Sendable (HTTPRequest) throws -> HTTPResponse)
        /// The first where it has a response, else the second.
        case immediateOrTask(
            @Sendable (HTTPRequest) -> HTTPResponse?, @Sendable (HTTPRequest) async throws -> HTTPResponse)
    }

    /// A route whose handler may wait; it runs as a task on the connection's event loop.
    package init(
        _ method: HTTPMethod, _ path: String, scope: String? = nil, operation: Operation, bodyLimit: Int64? = nil,
        costs cost: RouteCost = .ordinary, audience: Audience = .host,
        handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) {
        self.init(method, path, scope, operation, bodyLimit, cost, audience, .task(handler))
    }

    /// A route that is answered at once, without a task: for responses that are already in memory.
    ///
    /// `answer` runs on the event loop and must not block.
    package init(
        _ method: HTTPMethod, _ path: String, scope: String? = nil, operation: Operation,
        costs cost: RouteCost = .ordinary, audience: Audience = .host,
        response: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse
    ) {
        self.init(method, path, scope, operation, nil, cost, audience, .immediate(response))
    }

    /// A route of which some responses are already in memory: what `kept` returns is sent at once, without a task, and where that is
    /// nil, `handler` runs as one.
    ///
    /// `kept` runs on the event loop and must not block.
    package init(
        _ method: HTTPMethod, _ path: String, scope: String? = nil, operation: Operation,
        costs cost: RouteCost = .ordinary, audience: Audience = .host,
        kept: @escaping @Sendable (HTTPRequest) -> HTTPResponse?,
        handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) {
        self.init(method, path, scope, operation, nil, cost, audience, .immediateOrTask(kept, handler))
    }

    private init(
        _ method: HTTPMethod, _ path: String, _ scope: String?, _ operation: Operation, _ bodyLimit: Int64?,
        _ cost: RouteCost, _ audience: Audience, _ handler: Handler
    ) {
        self.method = method
        self.path = path
        self.scope = scope
        self.operation = operation
        self.bodyLimit = bodyLimit
        self.cost = cost
        self.audience = audience
        self.handler = handler
    }

    /// The path's parts between slashes.
    var segments: [Segment] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.first == "{" && part.last == "}" ? .parameter(String(part.dropFirst().dropLast())) : .literal(part)
        }
    }

    enum Segment: Equatable {
        case literal(Substring)
        case parameter(String)
    }

    /// The names in braces, in order.
    var parameterNames: [String] {
        segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }
}
