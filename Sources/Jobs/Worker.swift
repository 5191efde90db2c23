internal import Domain
package import EventLoops
internal import Logging
internal import Store

/// Takes jobs from the queue and runs them, until stopped. Any number of workers, in any number of processes, share a
/// database.
package actor Worker {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let configuration: Configuration
    private let context: WorkerContext
    private let leases: LeaseKeeper
    private var running: [ObjectIdentifier: RunningJob] = [:]
    /// Of `running`, those whose attempt has not ended.
    private var attempts = 0
    /// The last look took as many jobs as could begin; more may wait.
    private var isBehind = false
    private var isWorking = false
    private var isStopping = false
    /// Something happened since the queue was last read.
    private var hasNews = false
    private var sleeper: CheckedContinuation<Void, Never>?
    private var alarm: LoopTimer?
    /// Waits until a look is worth its price.
    private var pause: (continuation: CheckedContinuation<Void, Never>, timer: LoopTimer)?
    /// Those who wait for the end of `run`.
    private var stoppers: [CheckedContinuation<Void, Never>] = []

    /// An attempt under way, until its outcome is written.
    private final class RunningJob {
        let job: ClaimedJob
        let journal: JobJournal
        let meter = ProgressMeter()
        var stop: StopReason?
        /// Nil once the attempt has ended and its outcome is being written.
        var task: Task<JobOutcome, Never>?

        init(_ job: ClaimedJob, journal: JobJournal) {
            self.job = job
            self.journal = journal
        }

        func stop(_ reason: StopReason) {
            stop = stop ?? reason
            task?.cancel()
        }
    }

    /// A worker on `loop`, whose leases are kept on the loop `leases`, which should carry nothing else.
    package init(_ configuration: Configuration, context: WorkerContext, loop: EventLoop, leases: EventLoop) {
        self.configuration = configuration
        self.context = context
        self.loop = loop
        self.leases = LeaseKeeper(configuration, store: context.store, loop: leases, logger: context.logger)
    }

    // MARK: From outside

    /// There may be work: look at once.
    package func wake() {
        hasNews = true
        endSleep()
        if isWorthLook { endPause() }
    }

    /// A person cancelled a submission, which may run here.
    package func cancel(_ submission: String) async {
        for entry in running.values where entry.job.submission.description == submission { await cancel(entry) }
    }

    /// Takes no more jobs, lets running ones end within `grace`, gives the rest back, and returns when `run` does.
    package func stop(within grace: Duration) async {
        isStopping = true
        context.logger.info("worker stops", ["running": running.count])
        wake()
        guard isWorking else { return }
        let deadline = loop.schedule(after: grace) { self.releaseRunning() }
        await withCheckedContinuation { stoppers.append($0) }
        deadline.cancel()
    }

    private func releaseRunning() {
        for entry in running.values { entry.stop(.shutdown) }
    }

    private func cancel(_ entry: RunningJob) async {
        if await entry.journal.cancel() { entry.stop(.user) }
    }

    // MARK: The loop

    /// Works until `stop`.
    package func run() async {
        isWorking = true
        await rescue()
        // Each at its own pace: a slow claim must not cost a lease.
        let periodicTasks = [
            leases.start { [self] key, news in
                Task(executorPreference: loop) { await self.handle(news, of: key) }
            },
            startPeriodicTask(every: configuration.progress) { await $0.writeProgress() },
            startPeriodicTask(every: configuration.rescue) { await $0.rescue() },
            startPeriodicTask(every: configuration.sweep) { await $0.sweep() },
        ]
        while !isStopping {
            hasNews = false
            let lookedAt = Moment.now
            await claimJobs()
            await sleep()
            await waitForMore(until: lookedAt + configuration.pace)
        }
        // Leases are kept while the last jobs end.
        while !running.isEmpty {
            hasNews = false
            await sleep()
        }
        for work in periodicTasks { work.cancel() }
        for work in periodicTasks { await work.value }
        isWorking = false
        for stopper in stoppers { stopper.resume() }
        stoppers = []
    }

    /// How many attempts may begin: at most `concurrency` run, and at most twice as many jobs are held, whose outcomes are being
    /// written or whose attempts run.
    private var free: Int {
        min(configuration.concurrency - attempts, 2 * configuration.concurrency - running.count)
    }

    private func claimJobs() async {
        let limit = free
        guard limit > 0 else { return }
        do {
            let jobs = try await context.store.claimJobs(
                worker: configuration.name, limit: limit, lease: configuration.lease)
            isBehind = jobs.count == limit
            context.logger.trace("queue read", ["jobs": jobs.count])
            for job in jobs { begin(job) }
            // More may be due, in these lanes or in others: those that stood first may only have been put off.
            let mayFindMore = if jobs.isEmpty { try await context.store.hasLanesAwake() } else { true }
            if mayFindMore { hasNews = true }
        } catch {
            context.logger.warning("queue cannot be read", ["error": logText(of: error)])
        }
    }

    private func begin(_ job: ClaimedJob) {
        // The job was lost and has come back: what is left of its earlier attempt is not told so by a heartbeat.
        for (key, entry) in running where entry.job.id == job.id {
            leases.drop(key)
            entry.stop(.leaseLost)
        }
        let journal = JobJournal(job, store: context.store, lease: configuration.lease, loop: loop)
        let entry = RunningJob(job, journal: journal)
        let key = ObjectIdentifier(entry)
        running[key] = entry
        attempts += 1
        leases.hold(key, job)
        let run = JobRun(
            context: context, job: job, journal: journal, meter: entry.meter, backoff: configuration.backoff)
        let task = Task(executorPreference: loop) { await self.attempt(run, key) }
        entry.task = task
        // It was on its way when the worker was stopped.
        if isStopping { entry.stop(.shutdown) }
        Task(executorPreference: loop) { await self.end(key, run, outcome: await task.value) }
    }

    /// The cancellable part.
    private func attempt(_ run: JobRun, _ key: ObjectIdentifier) async -> JobOutcome {
        await run.run { running[key]?.stop }
    }

    private func end(_ key: ObjectIdentifier, _ run: JobRun, outcome: JobOutcome) async {
        running[key]?.task = nil
        attempts -= 1
        leases.settle(key)
        if isBehind { wake() }
        await settle(outcome, of: run)
        leases.drop(key)
        running[key] = nil
        wake()
    }

    /// Writes an outcome, which may be the only witness of a post: again and again while the database cannot be reached,
    /// since the job stays this worker's until somebody else has taken it. While stopping, and when the database
    /// refuses it, not for longer than a lease.
    private func settle(_ outcome: JobOutcome, of run: JobRun) async {
        let begunAt = Moment.now
        var pause = Duration.milliseconds(250)
        while true {
            do {
                return try await run.settle(outcome)
            } catch {
                context.logger.warning("job not settled", ["job": run.job.id, "error": logText(of: error)])
                guard error == .unavailable && !isStopping || Moment.now - begunAt < configuration.lease else { return }
                await wait(pause)
                pause = min(pause * 2, .seconds(10))
            }
        }
    }

    // MARK: Leases, progress and upkeep

    private func handle(_ news: LeaseKeeper.News, of key: ObjectIdentifier) async {
        guard let entry = running[key] else { return }
        switch news {
        case .lost: entry.stop(.leaseLost)
        case .overdue: entry.stop(.overdue)
        case .cancelled: await cancel(entry)
        }
    }

    private func writeProgress() async {
        for entry in running.values {
            guard let reading = entry.meter.takeNews() else { continue }
            do {
                try await context.store.noteProgress(entry.job.submission, sent: reading.sent, total: reading.total)
            } catch {
                context.logger.debug("progress not written", ["error": logText(of: error)])
            }
        }
    }

    private func rescue() async {
        await maintain("rescue") { () async throws(StoreError) in try await context.store.rescueJobs() }
    }

    private func sweep() async {
        do {
            let count = try await context.store.correctTimes()
            if count > 0 {
                context.logger.warning("the database's clock was ahead; times in the queue corrected", ["rows": count])
                wake()
            }
        } catch {
            warn("times not corrected", error)
        }
        await maintain("sweep") { () async throws(StoreError) in try await context.store.sweepLanes() }
    }

    private func maintain(_ name: String, _ work: () async throws(StoreError) -> Int) async {
        do {
            let count = try await work()
            guard count > 0 else { return }
            context.logger.notice("queue \(name)", ["jobs": count])
            wake()
        } catch {
            warn("queue \(name) failed", error)
        }
    }

    private func warn(_ message: String, _ error: StoreError) {
        // A chore that was cut short by the end of the worker is no trouble.
        if error != .cancelled { context.logger.warning(message, ["error": logText(of: error)]) }
    }

    // MARK: Waiting

    /// Does a chore after each pause, until the task is cancelled.
    private func startPeriodicTask(
        every pause: Duration, _ work: @escaping @Sendable (isolated Worker) async -> Void
    ) -> Task<Void, Never> {
        Task(executorPreference: loop) {
            while true {
                do { try await self.loop.sleep(for: pause) } catch { return }
                await work(self)
            }
        }
    }

    /// Until the next poll, or until somebody has news.
    private func sleep() async {
        guard !hasNews else { return }
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

    /// Until `time`, or until all places are free where more jobs may wait: a look costs about the same for one job
    /// and for a hundred.
    private func waitForMore(until time: Moment) async {
        let early = time - Moment.now
        guard early > .zero, !isWorthLook else { return }
        await withCheckedContinuation { continuation in
            pause = (continuation, loop.schedule(after: early) { self.endPause() })
        }
    }

    private var isWorthLook: Bool { isStopping || isBehind && free >= configuration.concurrency }

    private func endPause() {
        pause?.timer.cancel()
        pause?.continuation.resume()
        pause = nil
    }

    /// Also in a cancelled task.
    private func wait(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            _ = loop.schedule(after: duration) { continuation.resume() }
        }
    }
}
