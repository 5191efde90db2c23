package import HTTP

/// What a server has done since its start.
package struct ServerMetrics: Sendable {
    package internal(set) var openConnections = 0
    package internal(set) var acceptedConnections = 0
    package internal(set) var refusedConnections = 0
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
    package private(set) var counts = [Int](repeating: 0, count: DurationHistogram.bounds.count + 1)
    package private(set) var totalNanoseconds: Int64 = 0

    private static let limits = bounds.map { Int64($0 * 1e9) }

    mutating func record(_ nanoseconds: Int64) {
        var place = 0
        while place < Self.limits.count, nanoseconds > Self.limits[place] { place += 1 }
        counts[place] += 1
        totalNanoseconds += nanoseconds
    }

    mutating func add(_ other: DurationHistogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        totalNanoseconds += other.totalNanoseconds
    }
}

/// The requests of one route on one loop.
final class RouteCounter {
    private var statuses: [(status: Int, count: Int)] = []
    private var durations = DurationHistogram()

    func record(status: Int, nanoseconds: Int64) {
        statuses.count(status, times: 1)
        durations.record(nanoseconds)
    }

    func metrics(method: HTTPMethod?, path: String) -> ServerMetrics.RouteMetrics {
        ServerMetrics.RouteMetrics(method: method, path: path, statuses: statuses, durations: durations)
    }
}

extension [(status: Int, count: Int)] {
    /// A route gives few different statuses: looking through them is faster than a dictionary.
    fileprivate mutating func count(_ status: Int, times: Int) {
        for index in indices where self[index].status == status { return self[index].count += times }
        append((status, times))
    }
}
