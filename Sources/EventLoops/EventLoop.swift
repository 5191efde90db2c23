internal import CLinux
internal import CLoopGuard
internal import Dispatch
internal import Glibc
internal import System

/// One thread's worth of work: waits for descriptors, timers and Swift jobs, and runs them one at a time.
///
/// A loop is a serial `DispatchQueue` with **one** `DispatchSource` on a private epoll descriptor. A source per
/// connection would cost a context switch per event; one source per loop costs one per batch. The loop is also a
/// `SerialExecutor`: an actor that names it as its executor has its methods, and every async function they call, run
/// here without a hop and without a lock. Tasks that live on a loop are started with it as their preferred executor:
/// without that, Swift resumes a continuation on its shared pool before it comes back here.
///
/// `@unchecked Sendable`: everything in `Confined` is touched on the loop only, which `assertCurrent()` checks; what
/// other threads hand over goes through the locked `inbox`.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// Shown in logs and debuggers.
    package nonisolated let name: String

    /// The jobs that run before descriptors are looked at again.
    private static let jobBudget = 1024

    private let queue: DispatchQueue
    private let source: any DispatchSourceRead
    let poller: Poller
    private let inbox = Lock(Inbox())
    private var confined = Confined()

    private struct Inbox {
        var jobs: [UnownedJob] = []
        var work: [@Sendable () -> Void] = []
        var isSignalled = false
    }

    private struct Confined {
        var jobs: [UnownedJob] = []
        var watches = WatchTable()
        var timers = TimerHeap()
        var idleActions: [() -> Void] = []
        var isStopped = false
    }

    /// Starts a loop.
    ///
    /// - Throws: `EventLoopError` when the process has no descriptor left.
    package init(name: String) throws(EventLoopError) {
        self.name = name
        poller = try Poller()
        queue = DispatchQueue(label: name)
        source = DispatchSource.makeReadSource(fileDescriptor: poller.descriptor, queue: queue)
        source.setEventHandler { [unowned self] in turn() }
        source.setCancelHandler { [self] in poller.close() }
        source.activate()
    }

    // MARK: Where am I

    /// The loop that runs the calling code; nil elsewhere.
    package static var current: EventLoop? { CurrentLoop.get() }

    /// Whether the calling code runs on this loop.
    package var isCurrent: Bool { CurrentLoop.get() === self }

    /// Ends the process when called elsewhere: a broken invariant of ours, never a client's doing.
    package func assertCurrent() {
        precondition(isCurrent, "\(name): touched from another thread")
    }

    // MARK: Swift's executor

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            confined.jobs.append(job)
        } else {
            hand { $0.jobs.append(job) }
        }
    }

    package func checkIsolated() { assertCurrent() }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    // MARK: Work

    /// Runs `work` on the loop, soon. From anywhere.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        hand { $0.work.append(work) }
    }

    /// Watches a descriptor; on the loop only.
    ///
    /// Level-triggered (epoll(7)): `handler` is called again as long as what it was told of is not dealt with.
    /// The descriptor stays its owner's: cancel the watch before closing it.
    package func watch(
        _ descriptor: Int32, for interest: Readiness, _ handler: @escaping (Readiness) -> Void
    ) throws(EventLoopError) -> Watch {
        assertCurrent()
        let watch = Watch(descriptor: descriptor, interest: interest, loop: self, handler: handler)
        confined.watches.insert(watch)
        do throws(EventLoopError) {
            try poller.add(descriptor, interest, token: watch.token)
        } catch {
            confined.watches.remove(watch)
            throw error
        }
        return watch
    }

    /// Calls `action` once, when everything that is ready now has run: for what is worth doing for all of it together; on the loop only.
    package func whenIdle(_ action: @escaping () -> Void) {
        assertCurrent()
        confined.idleActions.append(action)
    }

    /// Calls `action` once on the loop after `delay`; on the loop only. Precise to a millisecond, never early.
    package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> LoopTimer {
        assertCurrent()
        let timer = LoopTimer(due: Moment.now + delay, loop: self, action: action)
        if confined.timers.insert(timer) { poller.setTimer(timer.due) }
        return timer
    }

    /// Stops watching and calling; jobs of Swift tasks still run. From anywhere; a second call does nothing.
    package func stop() {
        execute { [self] in
            guard !confined.isStopped else { return }
            confined.isStopped = true
            confined.timers.removeAll()
            // A descriptor that stays open and ready would wake the loop for ever.
            for descriptor in confined.watches.removeAll() { poller.remove(descriptor) }
        }
    }

    // MARK: For Watch and LoopTimer

    func update(_ watch: Watch) {
        assertCurrent()
        poller.modify(watch.descriptor, watch.interest, token: watch.token)
    }

    func remove(_ watch: Watch) {
        assertCurrent()
        guard confined.watches.remove(watch) else { return }
        poller.remove(watch.descriptor)
    }

    func remove(_ timer: LoopTimer) {
        assertCurrent()
        confined.timers.remove(timer)
    }

    // MARK: A turn

    private func hand(_ deposit: (inout Inbox) -> Void) {
        let mustSignal = inbox.withLock { inbox in
            deposit(&inbox)
            defer { inbox.isSignalled = true }
            return !inbox.isSignalled
        }
        if mustSignal { poller.signal() }
    }

    /// Serves whatever is ready until nothing is, but not for ever: Dispatch calls again while the descriptor is ready.
    private func turn() {
        CurrentLoop.set(self)
        defer { CurrentLoop.set(nil) }
        for _ in 0..<64 {
            let count = poller.poll()
            var budget = Self.jobBudget
            for index in 0..<count {
                let (token, readiness) = poller.event(index)
                switch token {
                case Poller.signalToken: emptyInbox()
                case Poller.timerToken: fireTimers()
                default: confined.watches[token]?.handler(readiness)
                }
                runJobs(within: &budget)
            }
            runJobs(within: &budget)
            runIdleActions()
            if count == 0, confined.jobs.isEmpty, confined.idleActions.isEmpty { return }
        }
        if !confined.jobs.isEmpty || !confined.idleActions.isEmpty { poller.signal() }
    }

    private func runIdleActions() {
        guard !confined.idleActions.isEmpty else { return }
        for action in exchange(&confined.idleActions, with: []) { action() }
    }

    private func emptyInbox() {
        poller.acknowledgeSignal()
        let received = inbox.withLock { inbox in
            defer { inbox = Inbox() }
            return inbox
        }
        confined.jobs.append(contentsOf: received.jobs)
        for work in received.work { work() }
    }

    private func fireTimers() {
        poller.acknowledgeTimer()
        let now = Moment.now
        while let timer = confined.timers.popDue(at: now) { timer.action() }
        if let next = confined.timers.earliest { poller.setTimer(next) }
    }

    /// Runs the jobs that are ready, and those that they make ready, as many as `budget` has left.
    ///
    /// A task that becomes ready again and again must not keep the loop from its descriptors and timers.
    private func runJobs(within budget: inout Int) {
        guard !confined.jobs.isEmpty else { return }
        let executor = asUnownedSerialExecutor()
        let taskExecutor = asUnownedTaskExecutor()
        while budget > 0, !confined.jobs.isEmpty {
            var batch: [UnownedJob] = []
            swap(&batch, &confined.jobs)
            let count = min(budget, batch.count)
            budget -= count
            for index in 0..<count {
                batch[index].runSynchronously(isolatedTo: executor, taskExecutor: taskExecutor)
            }
            if count < batch.count {
                confined.jobs.insert(contentsOf: batch[count...], at: 0)
            } else if confined.jobs.isEmpty {
                // Keeps the array's storage for the next turn.
                batch.removeAll(keepingCapacity: true)
                swap(&batch, &confined.jobs)
            }
        }
    }
}

/// Why a loop cannot watch: the system call that failed and its `errno`.
package struct EventLoopError: Error, Equatable, CustomStringConvertible {
    /// The name of the system call, such as `epoll_ctl`.
    package let call: String
    /// Its `errno`, such as `EMFILE`.
    package let code: Int32

    package var description: String { "\(call) failed with errno \(code)" }
}

/// The loop that the current thread is serving, in a thread-specific slot: Dispatch may serve a loop from any thread.
enum CurrentLoop {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "no thread-specific key left")
        return key
    }()

    static func get() -> EventLoop? {
        pthread_getspecific(key).map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    static func set(_ loop: EventLoop?) {
        pthread_setspecific(key, loop.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
        #if DEBUG
        pics_loop_guard_serve(loop != nil)
        #endif
    }
}
