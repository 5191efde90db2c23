package import HTTP

/// Counts of a server since its start.
package struct ServerMetrics: Sendable {
    package internal(set) var openConnections = 0
    package internal(set) var acceptedConnections = 0
    package internal(set) var refusedConnections = 0
    /// Connections without the header of the PROXY protocol that they had to begin with.
    package internal(set) var refusedProxyHeaders = 0
    /// Requests of trusted proxies whose word on the client was malformed or contradicted itself.
    package internal(set) var ignoredForwarded = 0
    /// The address of a sender that seems to be a proxy and is none of the trusted ones: all its clients count as one.
    package internal(set) var unknownProxy: String?
    /// One element for each route, in the table's order, then one for all that no route has answered.
    package internal(set) var routes: [RouteMetrics] = []

    /// The finished requests of one route.
    package struct RouteMetrics: Sendable {
        /// Nil for requests that met no route.
        package let method: HTTPMethod?
        /// The pattern, such as `/v1/photos/{id}`; `*` for requests that met no route.
        package let path: String
        /// How many were answered with which status; 499 are those whose client went away before.
        package internal(set) var statuses: [(status: Int, count: Int)] = []
        package internal(set) var durations = DurationHistogram()
    }

    mutating func add(_ other: ServerMetrics) {
        openConnections += other.openConnections
        acceptedConnections += other.acceptedConnections
        refusedConnections += other.refusedConnections
        refusedProxyHeaders += other.refusedProxyHeaders
        ignoredForwarded += other.ignoredForwarded
        unknownProxy = unknownProxy ?? other.unknownProxy
        guard !routes.isEmpty else { return routes = other.routes }
        for index in routes.indices {
            for (status, count) in other.routes[index].statuses {
                routes[index].statuses.count(status, times: count)
            }
            routes[index].durations.add(other.routes[index].durations)
        }
    }
}

/// How long requests took, counted in buckets as Prometheus does.
package struct DurationHistogram: Sendable {
    /// The upper bounds of the buckets in seconds; one more bucket takes the rest.
    package static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// One count for each bound and one for the rest; not cumulative.
    package internal(set) var counts = [Int](repeating: 0, count: DurationHistogram.bounds.count + 1)
    package internal(set) var totalNanoseconds: Int64 = 0

    mutating func add(_ other: DurationHistogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        totalNanoseconds += other.totalNanoseconds
    }
}

extension [(status: Int, count: Int)] {
    /// A route gives few different statuses: looking through them is faster than a dictionary.
    mutating func count(_ status: Int, times: Int) {
        for index in indices where self[index].status == status { return self[index].count += times }
        append((status, times))
    }
}

/// The requests of one route on one loop; nobody else writes here, so counting needs no lock.
final class RouteCounter {
    private var statuses: [(status: Int, count: Int)] = []
    private var counts = DurationHistogram().counts
    private var totalNanoseconds: Int64 = 0
    private let bounds = DurationHistogram.bounds.map { Int64($0 * 1e9) }

    func record(status: Int, nanoseconds: Int64) {
        var bucket = 0
        while bucket < bounds.count, nanoseconds > bounds[bucket] { bucket += 1 }
        counts[bucket] += 1
        totalNanoseconds += nanoseconds
        // The first is the usual one.
        if let first = statuses.first, first.status == status {
            statuses[0].count += 1
        } else {
            statuses.count(status, times: 1)
        }
    }

    func metrics(method: HTTPMethod?, path: String) -> ServerMetrics.RouteMetrics {
        var durations = DurationHistogram()
        durations.counts = counts
        durations.totalNanoseconds = totalNanoseconds
        return ServerMetrics.RouteMetrics(method: method, path: path, statuses: statuses, durations: durations)
    }
}
