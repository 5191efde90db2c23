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
