internal import Domain
internal import EventLoops
internal import Logging
internal import Store
internal import System

/// Extends the leases of a worker's jobs on an event loop that carries nothing else, over a connection of its own: however
/// long the worker's own loop is busy, no lease ends.
final class LeaseKeeper: Sendable {
    /// A reason for the worker to stop a job.
    enum News: Sendable {
        /// Another worker may have the job.
        case lost
        /// A person asked for the end of the submission.
        case cancelled
        /// The attempt takes longer than attempts may; its lease is extended no more.
        case overdue
    }

    private struct Lease {
        let job: Int64
        let number: Int32
        let begunAt = Moment.now
        /// The attempt has ended, and its outcome is being written: as long as that takes.
        var isSettling = false
    }

    typealias Key = ObjectIdentifier

    private let leases = Lock<[Key: Lease]>([:])
    private let configuration: Worker.Configuration
    private let store: PicsStore
    private let loop: EventLoop
    private let logger: Logger

    init(_ configuration: Worker.Configuration, store: PicsStore, loop: EventLoop, logger: Logger) {
        self.configuration = configuration
        self.store = store
        self.loop = loop
        self.logger = logger
    }

    /// Keeps a job's lease from now on.
    func hold(_ key: Key, _ job: ClaimedJob) {
        leases.withLock { $0[key] = Lease(job: job.id, number: job.leaseNo) }
    }

    /// The attempt has ended: nothing that follows counts as overdue.
    func settle(_ key: Key) {
        leases.withLock { $0[key]?.isSettling = true }
    }

    /// Lets the lease end.
    func drop(_ key: Key) {
        leases.withLock { $0[key] = nil }
    }

    /// Extends all leases after each heartbeat, until the task is cancelled. `tell` must not wait for the worker.
    func start(_ tell: @escaping @Sendable (Key, News) -> Void) -> Task<Void, Never> {
        Task(executorPreference: loop) { [self] in
            while true {
                do { try await loop.sleep(for: configuration.heartbeat) } catch { return }
                await extend(tell)
            }
        }
    }

    private func extend(_ tell: @Sendable (Key, News) -> Void) async {
        let now = Moment.now
        let (held, overdue) = leases.withLock { leases in
            let overdue = leases.filter {
                !$0.value.isSettling && now - $0.value.begunAt > configuration.longestAttempt
            }
            for key in overdue.keys { leases[key] = nil }
            return (leases, overdue.keys)
        }
        for key in overdue { tell(key, .overdue) }
        guard !held.isEmpty else { return }
        do {
            let kept = try await store.extendLeases(
                held.values.map { (id: $0.job, leaseNo: $0.number) }, lease: configuration.lease)
            for (key, lease) in held {
                guard let answer = kept.first(where: { $0.id == lease.job }) else {
                    drop(key)
                    tell(key, .lost)
                    continue
                }
                if answer.isCancelled { tell(key, .cancelled) }
            }
        } catch {
            // The end of the worker is no trouble.
            if error != .cancelled { logger.warning("leases not extended", ["error": logText(of: error)]) }
        }
    }
}
