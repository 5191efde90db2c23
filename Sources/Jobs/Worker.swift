package import EventLoops
internal import HTTP
internal import Logging
internal import Store
internal import Domain

/// Takes jobs from the queue and runs them, until stopped. Any number of workers, in any number of processes, share a
/// database.
package actor Worker {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// The worker's times and bounds.
    package struct Configuration: Sendable {
        /// Names the process in the table of jobs.
        package var name: String
        /// Jobs at once.
        package var concurrency: Int
        /// A worker that is silent for so long has lost its jobs.
        package var lease: Duration
        package var heartbeat: Duration
        /// Between two looks into the queue when nobody calls.
        package var poll: Duration
        package var rescue: Duration
        package var sweep: Duration
        /// No try may take longer.
        package var longestTry: Duration
        package var backoff: Backoff

        package init(
            name: String, concurrency: Int = 16, lease: Duration = .seconds(60), heartbeat: Duration = .seconds(20),
            poll: Duration = .seconds(1), rescue: Duration = .seconds(5), sweep: Duration = .seconds(60),
            longestTry: Duration = .seconds(1800), backoff: Backoff = Backoff()
        ) {
            self.name = name
            self.concurrency = concurrency
            self.lease = lease
            self.heartbeat = heartbeat
            self.poll = poll
            self.rescue = rescue
            self.sweep = sweep
            self.longestTry = longestTry
            self.backoff = backoff
        }
    }

    private final class RunningJob {
        let job: ClaimedJob
        let meter = ProgressMeter()
        let begunAt = Moment.now
        var stop: StopReason?
        var task: Task<Verdict, Never>?

        init(_ job: ClaimedJob) { self.job = job }
    }

    private let configuration: Configuration
    private let workshop: Workshop
    private var running: [Int64: RunningJob] = [:]
    private var isStopping = false
    private var hasNews = true
    private var sleeper: CheckedContinuation<Void, Never>?
    private var alarm: LoopTimer?
    private var emptied: CheckedContinuation<Void, Never>?

    package init(_ configuration: Configuration, workshop: Workshop, loop: EventLoop) {
        self.configuration = configuration
        self.workshop = workshop
        self.loop = loop
    }

    // MARK: From outside

    /// There may be work: look at once.
    package func wake() {
        hasNews = true
        endSleep()
    }

    /// A person cancelled a submission, which may run here.
    package func cancel(_ submission: String) {
        for running in running.values where running.job.submission.description == submission { stop(running, .person) }
    }

    /// Takes no more jobs, lets running ones end within `grace`, gives the rest back, and returns.
    package func stop(within grace: Duration) async {
        isStopping = true
        endSleep()
        guard !running.isEmpty else { return }
        let deadline = loop.schedule(after: grace) { self.giveBackRunning() }
        await withCheckedContinuation { emptied = $0 }
        deadline.cancel()
    }

    private func giveBackRunning() {
        for running in running.values { stop(running, .shutdown) }
    }

    // MARK: The loop

    /// Works until `stop`.
    package func run() async {
        var nextBeat = Moment.now + configuration.heartbeat
        var nextRescue = Moment.now
        var nextSweep = Moment.now + configuration.sweep
        while !isStopping {
            let now = Moment.now
            if now >= nextRescue {
                await upkeep("rescue") { () async throws(StoreError) in try await workshop.store.rescueJobs() }
                nextRescue = Moment.now + configuration.rescue
            }
            if now >= nextSweep {
                await upkeep("sweep") { () async throws(StoreError) in try await workshop.store.sweepLanes() }
                nextSweep = Moment.now + configuration.sweep
            }
            if now >= nextBeat {
                await beat()
                nextBeat = Moment.now + configuration.heartbeat
            }
            await writeProgress()
            await takeJobs()
            if !hasNews, !isStopping { await sleep() }
        }
        // Leases are kept while the last jobs end.
        while !running.isEmpty {
            await beat()
            await sleep()
        }
    }

    private func takeJobs() async {
        hasNews = false
        let free = configuration.concurrency - running.count
        guard free > 0 else { return }
        do {
            let jobs = try await workshop.store.takeJobs(
                worker: configuration.name, limit: free, lease: configuration.lease)
            for job in jobs { begin(job) }
            // More may be due, in these lanes or in others.
            if !jobs.isEmpty { hasNews = true }
        } catch {
            workshop.logger.warning("queue cannot be read", ["error": "\(error)"])
        }
    }

    private func begin(_ job: ClaimedJob) {
        let entry = RunningJob(job)
        running[job.id] = entry
        Task { await work(on: entry) }
    }

    private func work(on entry: RunningJob) async {
        do {
            let journal = try JobJournal(entry.job, store: workshop.store, lease: configuration.lease, loop: loop)
            let run = JobRun(
                workshop: workshop, job: entry.job, journal: journal, meter: entry.meter, backoff: configuration.backoff)
            let task = Task { await attempt(run, entry) }
            entry.task = task
            if isStopping { stop(entry, .shutdown) }
            await settle(await task.value, of: run)
        } catch {
            workshop.logger.error("journal cannot be read", ["job": entry.job.id, "error": "\(error)"])
        }
        running[entry.job.id] = nil
        wake()
        if running.isEmpty {
            emptied?.resume()
            emptied = nil
        }
    }

    /// The cancellable part.
    private func attempt(_ run: JobRun, _ entry: RunningJob) async -> Verdict {
        await run.run { entry.stop }
    }

    /// Writes a verdict, again and again while the lease is kept: it may be the only witness of a post.
    private func settle(_ verdict: Verdict, of run: JobRun) async {
        let begunAt = Moment.now
        while true {
            do {
                return try await run.settle(verdict)
            } catch {
                workshop.logger.warning("job not settled", ["job": run.job.id, "error": "\(error)"])
                guard Moment.now - begunAt < configuration.lease else { return }
                await pause(.milliseconds(500))
            }
        }
    }

    private func pause(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            _ = loop.schedule(after: duration) { continuation.resume() }
        }
    }

    private func stop(_ entry: RunningJob, _ reason: StopReason) {
        entry.stop = entry.stop ?? reason
        entry.task?.cancel()
    }

    // MARK: Leases and progress

    private func beat() async {
        for entry in running.values where Moment.now - entry.begunAt > configuration.longestTry { stop(entry, .overdue) }
        let held = running.values.map { (id: $0.job.id, leaseNo: $0.job.leaseNo) }
        guard !held.isEmpty else { return }
        do {
            let kept = try await workshop.store.beat(held, lease: configuration.lease)
            for (id, _) in held {
                // A job that ended while the statement was under way is no longer in `running`.
                guard let entry = running[id] else { continue }
                if let answer = kept.first(where: { $0.id == id }) {
                    if answer.isCancelled { stop(entry, .person) }
                } else {
                    stop(entry, .leaseLost)
                }
            }
        } catch {
            workshop.logger.warning("leases not extended", ["error": "\(error)"])
        }
    }

    private func writeProgress() async {
        for entry in running.values {
            guard let reading = entry.meter.takeNews() else { continue }
            await upkeep("progress") { () async throws(StoreError) in
                try await workshop.store.noteProgress(entry.job.submission, sent: reading.sent, total: reading.total)
                return 0
            }
        }
    }

    private func upkeep(_ name: String, _ work: () async throws(StoreError) -> Int) async {
        do {
            let count = try await work()
            if count > 0 { workshop.logger.notice("queue \(name)", ["jobs": count]) }
        } catch {
            workshop.logger.warning("queue \(name) failed", ["error": "\(error)"])
        }
    }

    // MARK: Waiting

    private func sleep() async {
        await withCheckedContinuation { continuation in
            sleeper = continuation
            alarm = loop.schedule(after: configuration.poll) { self.endSleep() }
        }
    }

    private func endSleep() {
        alarm?.cancel()
        alarm = nil
        sleeper?.resume()
        sleeper = nil
    }
}
