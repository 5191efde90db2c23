internal import HTTP

/// The routing table, arranged for looking paths up.
struct RouteIndex: Sendable {
    private var resources: [Resource] = []
    /// Paths without parameters: found with one look.
    private var fixed: [String: Int] = [:]
    private var tree = RouteTree()
    private var methods: Set<HTTPMethod> = [.get, .head, .post, .put, .patch, .delete, .options]

    /// The methods of one path.
    private struct Resource {
        var routes: [(method: HTTPMethod, index: Int)] = []
        var names: [String]
        var allow = ""

        func index(_ method: HTTPMethod) -> Int? {
            for route in routes where route.method.rawValue == method.rawValue { return route.index }
            return method.rawValue == "HEAD" ? index(.get) : nil
        }
    }

    init(_ routes: [Route]) throws(RouterError) {
        for (index, route) in routes.enumerated() {
            let place = try place(for: route)
            guard !resources[place].routes.contains(where: { $0.method == route.method }) else {
                throw .duplicate(route.method, path: route.path)
            }
            resources[place].routes.append((route.method, index))
            methods.insert(route.method)
        }
        for place in resources.indices {
            resources[place].allow = Self.allow(resources[place].routes.map(\.method))
        }
    }

    func match(_ method: HTTPMethod, _ path: String) -> Router.Match {
        if let place = fixed[path] { return match(method, resources[place], values: []) }
        if let (place, values) = tree.find(path) { return match(method, resources[place], values: values) }
        guard isKnown(method) else { return .unknownMethod }
        return path == "*" ? .options(allow: Self.allow(Array(methods))) : .notFound
    }

    /// The value for `Allow` of a path; of one that has no routes, all methods that the table knows.
    func allow(_ path: String) -> String {
        guard let place = fixed[path] ?? tree.find(path)?.resource else { return Self.allow(Array(methods)) }
        return resources[place].allow
    }

    /// TRACE is known and allowed nowhere: it would show a page the fields that its browser adds (RFC 9110, section 9.3.8).
    /// QUERY is a method of the registry, too (RFC 9110, section 16.1).
    private func isKnown(_ method: HTTPMethod) -> Bool {
        method == .trace || method == .query || methods.contains(method)
    }

    private func match(_ method: HTTPMethod, _ resource: Resource, values: [String]) -> Router.Match {
        if let index = resource.index(method) {
            return .route(index, PathParameters(names: resource.names, values: values))
        }
        if method == .options { return .options(allow: resource.allow) }
        return isKnown(method) ? .notAllowed(allow: resource.allow) : .unknownMethod
    }

    private static func allow(_ methods: [HTTPMethod]) -> String {
        var names = Set(methods.map(\.rawValue)).union(["OPTIONS"])
        if names.contains("GET") { names.insert("HEAD") }
        return names.sorted().joined(separator: ", ")
    }

    /// The resource of a route's path, made if it is new.
    private mutating func place(for route: Route) throws(RouterError) -> Int {
        let names = route.parameterNames
        guard route.path.first == "/", Set(names).count == names.count, names.allSatisfy({ !$0.isEmpty }),
            !route.segments.contains(where: \.hasStrayBrace)
        else { throw .malformed(path: route.path) }
        guard let place = names.isEmpty ? fixed[route.path] : tree.place(route.segments) else {
            resources.append(Resource(names: names))
            if names.isEmpty {
                fixed[route.path] = resources.count - 1
            } else {
                tree.insert(route.segments, resources.count - 1)
            }
            return resources.count - 1
        }
        guard resources[place].names == names else { throw .ambiguous(path: route.path) }
        return place
    }
}

extension Route.Segment {
    fileprivate var hasStrayBrace: Bool {
        if case .literal(let text) = self { text.contains { "{}".contains($0) } } else { false }
    }
}

/// The paths with parameters, as a tree of segments.
struct RouteTree: Sendable {
    private struct Node {
        var literals: [Substring: Int] = [:]
        var parameter: Int?
        var resource: Int?
    }

    private var nodes = [Node()]
    private var depth = 0

    /// The resource of exactly these segments, names aside.
    func place(_ segments: [Route.Segment]) -> Int? {
        var node = 0
        for segment in segments {
            guard let next = child(of: node, segment) else { return nil }
            node = next
        }
        return nodes[node].resource
    }

    mutating func insert(_ segments: [Route.Segment], _ resource: Int) {
        var node = 0
        for segment in segments {
            if let next = child(of: node, segment) {
                node = next
                continue
            }
            nodes.append(Node())
            switch segment {
            case .literal(let text): nodes[node].literals[text] = nodes.count - 1
            case .parameter: nodes[node].parameter = nodes.count - 1
            }
            node = nodes.count - 1
        }
        nodes[node].resource = resource
        depth = max(depth, segments.count)
    }

    /// The resource of a path and the values of its parameters.
    func find(_ path: String) -> (resource: Int, values: [String])? {
        // A path of a million segments is not taken apart further than the longest route.
        let segments = path.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), maxSplits: depth, omittingEmptySubsequences: false)
        guard segments.count <= depth else { return nil }
        var values: [String] = []
        return descend(0, segments[...], &values).map { ($0, values) }
    }

    private func descend(_ node: Int, _ segments: ArraySlice<Substring.UTF8View>, _ values: inout [String]) -> Int? {
        guard let segment = segments.first.map(Substring.init) else { return nodes[node].resource }
        if let next = nodes[node].literals[segment], let found = descend(next, segments.dropFirst(), &values) {
            return found
        }
        guard let next = nodes[node].parameter, !segment.isEmpty else { return nil }
        values.append(RequestTarget.shown(segment))
        if let found = descend(next, segments.dropFirst(), &values) { return found }
        values.removeLast()
        return nil
    }

    private func child(of node: Int, _ segment: Route.Segment) -> Int? {
        switch segment {
        case .literal(let text): nodes[node].literals[text]
        case .parameter: nodes[node].parameter
        }
    }
}
