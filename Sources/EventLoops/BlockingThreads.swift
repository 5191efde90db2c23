internal import CLinux
internal import CLoopGuard
internal import Dispatch
internal import Glibc
internal import System

/// Threads for calls that block: disk and C libraries. Neither a loop nor Swift's shared pool may be kept waiting.
package final class BlockingThreads: Sendable {
    /// Does the work, and gives what tells its caller.
    private typealias Job = @Sendable () -> @Sendable () -> Void

    private struct State {
        var waiting: [Job?] = []
        var next = 0
        var isStopped = false
    }

    private let state = Lock(State())
    private let available = DispatchSemaphore(value: 0)
    private let count: Int

    /// Starts `count` threads, at least one, that share one queue.
    ///
    /// They add `niceness` to that of the thread that starts them (nice(2), which for Linux is a thread's own). Threads that compute for
    /// milliseconds let event loops go first with it, where more wants to run than there are processors. Nothing where
    /// `mayLowerNiceness` is false.
    package init(name: String, count: Int, niceness: Int32 = 0) {
        self.count = max(1, count)
        for number in 0..<self.count {
            startThread("\(name)-\(number)") { [self] in
                if niceness > 0, mayLowerNiceness { _ = nice(niceness) }
                work()
            }
        }
    }

    /// Runs `work` on one of the threads; the caller's executor is free meanwhile. First come, first served.
    package func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            add {
                let result = Result(catching: work)
                return { continuation.resume(returning: result) }
            }
        }
        return try result.get()
    }

    /// Runs `work` on one of the threads and lets nobody wait for it. First come, first served, also with `run`.
    package func start(_ work: @escaping @Sendable () -> Void) {
        add {
            work()
            return {}
        }
    }

    private func add(_ job: @escaping Job) {
        let isStopped = state.withLock { state in
            if !state.isStopped { state.waiting.append(job) }
            return state.isStopped
        }
        // A caller that still cleans up after `stop` does not wait for ever.
        if isStopped { startThread("late") { job()() } } else { available.signal() }
    }

    /// Ends the threads once all that waits is done; what is run later gets a thread of its own.
    package func stop() {
        state.withLock { $0.isStopped = true }
        for _ in 0..<count { available.signal() }
    }

    private func work() {
        while true {
            available.wait()
            var (job, isOver) = state.withLock { state -> (Job?, Bool) in
                guard state.next < state.waiting.count else { return (nil, state.isStopped) }
                let job = state.waiting[state.next]
                state.waiting[state.next] = nil
                state.next += 1
                if state.next == state.waiting.count {
                    state.waiting.removeAll(keepingCapacity: true)
                    state.next = 0
                }
                return (job, false)
            }
            let finish = job?()
            // The captures of the work go before its caller continues: a file that vanishes with them has vanished.
            job = nil
            finish?()
            if isOver { return }
        }
    }
}

/// Whether this process may lower the niceness that a thread of it has: as root, by CAP_SYS_NICE, or by RLIMIT_NICE.
///
/// A thread that a niced one starts is as nice, and a continuation that it resumes can start one of Dispatch's, which sets its own niceness
/// when it may. Where it may not, Dispatch's threads would stay niced, event loops among them.
let mayLowerNiceness: Bool = {
    let answer = Lock(false)
    let isKnown = DispatchSemaphore(value: 0)
    startThread("niceness") {
        let process = __priority_which_t(PRIO_PROCESS.rawValue)
        let usual = getpriority(process, 0)
        _ = nice(1)
        let isBack = setpriority(process, 0, usual) == 0
        answer.withLock { $0 = isBack }
        isKnown.signal()
    }
    isKnown.wait()
    return answer.withLock { $0 }
}()

/// The calls that may block and are made on an event loop all the same.
///
/// In debug builds any other ends the process: see `Sources/CLoopGuard`. Lines of the log, written to standard output or
/// standard error, are exempt there. The reasons: `docs/decisions/event-loops-and-actors.md`.
package enum BlockingCall {
    /// libcurl reads the system's certificates, once a day and transport.
    case certificates
    /// The key file is read after it was replaced.
    case replacedKeys
    /// A file's bytes that were found in the page cache a moment ago.
    case cachedPages

    /// Makes a call of this kind, also on a loop.
    package func permit<Value, Failure: Error>(_ call: () throws(Failure) -> Value) throws(Failure) -> Value {
        #if DEBUG
        pics_loop_guard_permit(1)
        defer { pics_loop_guard_permit(-1) }
        #endif
        return try call()
    }
}

/// Starts a thread of its own for `work`, with a name that tools show the first 15 bytes of.
package func startThread(_ name: String, _ work: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(ThreadStart(name: name, work: work))
    let status = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
            pics_name_thread(start.name)
            start.work()
            return nil
        }, start.toOpaque())
    precondition(status == 0, "no thread can be started")
    pthread_detach(thread)
}

private final class ThreadStart: Sendable {
    let name: String
    let work: @Sendable () -> Void

    init(name: String, work: @escaping @Sendable () -> Void) { (self.name, self.work) = (name, work) }
}
