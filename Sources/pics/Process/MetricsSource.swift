import Actions
import HTTPServer
internal import System

/// The counters of the server and of the periodic tasks, for handlers that are made before them.
final class MetricsSource: Sendable {
    private let parts = Lock<(server: Server, tasks: PeriodicTasks)?>(nil)

    func set(_ server: Server, _ tasks: PeriodicTasks) { parts.withLock { $0 = (server, tasks) } }

    func server() async -> ServerMetrics? { await parts.withLock { $0?.server }?.metrics() }

    func tasks() -> [PeriodicTaskRuns] { parts.withLock { $0?.tasks }?.runs ?? [] }
}
