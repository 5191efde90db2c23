internal import HTTP

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
