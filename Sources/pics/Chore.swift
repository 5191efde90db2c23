import EventLoops
import Logging

/// Work that comes again and again while a process runs.
struct Chore: Sendable {
    enum Beginning { case atOnce, afterPause }

    let loop: EventLoop
    let logger: Logger

    /// Does `work` until the task is cancelled, each time `pause` after the last. What it throws is logged as `trouble`, and the
    /// next turn comes as ever.
    func run(
        every pause: Duration, _ beginning: Beginning = .afterPause, trouble: String, _ work: () async throws -> Void
    ) async {
        var isDue = beginning == .atOnce
        while !Task.isCancelled {
            if isDue {
                do {
                    try await work()
                } catch {
                    logger.warning(trouble, ["error": logText(of: error)])
                }
            }
            isDue = true
            do throws(CancellationError) { try await loop.sleep(for: pause) } catch { return }
        }
    }
}
