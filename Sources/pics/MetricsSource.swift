import EventLoops
import HTTPServer

/// The server's counters, for handlers that are made before the server.
final class MetricsSource: Sendable {
    private let server = Lock<HTTPServer?>(nil)

    func set(_ server: HTTPServer) { self.server.withLock { $0 = server } }

    func read() async -> ServerMetrics? {
        guard let server = server.withLock({ $0 }) else { return nil }
        return await server.metrics()
    }
}
