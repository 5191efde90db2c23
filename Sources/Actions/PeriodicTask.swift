package import EventLoops
package import Logging
internal import System

/// Work that comes again and again while a process runs.
package struct PeriodicTask: Sendable {
    /// In the log and in metrics, such as `sweep-blobs`.
    package let name: String
    /// From the end of one run to the begin of the next.
    package let interval: Duration
    /// Whether the first run is at the start of the process, rather than an interval later.
    package let runsAtStart: Bool
    package let work: @Sendable () async throws -> Void

    package init(
        _ name: String, every interval: Duration, atStart runsAtStart: Bool = false,
        _ work: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.interval = interval
        self.runsAtStart = runsAtStart
        self.work = work
    }
}

/// Runs of one periodic task in this process.
package struct PeriodicTaskRuns: Sendable, Equatable {
    package let name: String
    package let interval: Duration
    /// Runs that have ended.
    package internal(set) var runs = 0
    /// Those that ended with an error.
    package internal(set) var failures = 0
    /// The time that all of them took.
    package internal(set) var duration = Duration.zero
}

/// The periodic tasks of a process, and their runs so far.
package final class PeriodicTasks: Sendable {
    private let tasks: [PeriodicTask]
    private let loop: EventLoop
    private let logger: Logger
    private let states: Lock<[PeriodicTaskRuns]>

    package init(_ tasks: [PeriodicTask], on loop: EventLoop, logger: Logger) {
        self.tasks = tasks
        self.loop = loop
        self.logger = logger
        states = Lock(tasks.map { PeriodicTaskRuns(name: $0.name, interval: $0.interval) })
    }

    /// The runs of each task, in the order of the list.
    package var runs: [PeriodicTaskRuns] { states.withLock { $0 } }

    /// Runs all of them until it is cancelled; returns when the last run has ended. A run that fails is logged, and the next comes
    /// as ever.
    package func run() async {
        for task in tasks {
            logger.info("periodic task", ["task": task.name, "seconds": "\(task.interval / .seconds(1))"])
        }
        await withTaskGroup { group in
            for (index, task) in tasks.enumerated() {
                group.addTask(executorPreference: loop) { await self.run(task, index) }
            }
        }
    }

    private func run(_ task: PeriodicTask, _ index: Int) async {
        var isDue = task.runsAtStart
        while !Task.isCancelled {
            if isDue { await runOnce(task, index) }
            isDue = true
            do throws(CancellationError) { try await loop.sleep(for: task.interval) } catch { return }
        }
    }

    private func runOnce(_ task: PeriodicTask, _ index: Int) async {
        let begun = Moment.now
        var hasFailed = false
        do { try await task.work() } catch {
            hasFailed = true
            logger.warning("periodic task failed", ["task": task.name, "error": logText(of: error)])
        }
        let duration = Moment.now - begun
        states.withLock { states in
            states[index].runs += 1
            if hasFailed { states[index].failures += 1 }
            states[index].duration += duration
        }
    }
}
