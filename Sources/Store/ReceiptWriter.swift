internal import EventLoops

/// Writes the ends of jobs, those of one event loop in few statements: what ends while a statement is under way goes along with the next.
/// One statement at a time, since two would wait for each other's locks.
///
/// A receipt may be the only witness of a post. One that PostgreSQL refuses fails alone: when a statement fails for another reason than
/// that the database is away, each of its receipts is written by itself.
actor ReceiptWriter {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Ends jobs in one statement; the leases that did so. One that is missing was lost.
    typealias Write = @Sendable ([EndedJob]) async throws(StoreError) -> Set<JobLease>

    private typealias Continuation = CheckedContinuation<Result<Bool, StoreError>, Never>

    private struct Entry {
        let id: Int
        let job: EndedJob
        let continuation: Continuation
    }

    private let write: Write
    private var waiting: [Entry] = []
    private var lastID = 0
    private var isWriting = false

    static let maximumBatch = 256
    /// Receipts that may wait for their statement. Beyond, workers are told `.unavailable`, and try again with growing pauses.
    private let maximumWaiting: Int

    init(on loop: EventLoop, maximumWaiting: Int = 4096, _ write: @escaping Write) {
        self.loop = loop
        self.maximumWaiting = maximumWaiting
        self.write = write
    }

    /// Ends a job. False: its lease was lost, and nothing is changed.
    ///
    /// - Throws: `.unavailable` when the database is away, or too many wait; `.cancelled` when the caller was cancelled before its
    ///   statement was sent; else why PostgreSQL refuses this very receipt.
    func end(_ job: EndedJob) async throws(StoreError) -> Bool {
        guard waiting.count < maximumWaiting else { throw .unavailable }
        lastID += 1
        let id = lastID
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Continuation) in
                guard !Task.isCancelled else {
                    continuation.resume(returning: .failure(.cancelled))
                    return
                }
                waiting.append(Entry(id: id, job: job, continuation: continuation))
                guard !isWriting else { return }
                isWriting = true
                Task(executorPreference: loop) { await self.work() }
            }
        } onCancel: {
            Task(executorPreference: loop) { await self.cancel(id) }
        }
        return try result.get()
    }

    /// Receipts that wait for their statement.
    var backlog: Int { waiting.count }

    private func work() async {
        while !waiting.isEmpty {
            let batch = Array(waiting.prefix(Self.maximumBatch))
            waiting.removeFirst(batch.count)
            await end(batch)
        }
        isWriting = false
    }

    private func end(_ batch: [Entry]) async {
        let leases: Result<Set<JobLease>, StoreError>
        do throws(StoreError) { leases = .success(try await write(batch.map(\.job))) } catch {
            leases = .failure(error)
        }
        switch leases {
        case .failure(let error) where batch.count > 1 && error != .unavailable && error != .cancelled:
            for entry in batch { await end([entry]) }
        default:
            for entry in batch {
                entry.continuation.resume(returning: leases.map { $0.contains(entry.job.lease) })
            }
        }
    }

    private func cancel(_ id: Int) {
        guard let place = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting.remove(at: place).continuation.resume(returning: .failure(.cancelled))
    }
}

/// A writer for each event loop of the database; callers from elsewhere use the first.
struct ReceiptWriters: Sendable {
    private let writers: [ReceiptWriter]

    init(_ loops: [EventLoop], _ write: @escaping ReceiptWriter.Write) {
        writers = loops.map { ReceiptWriter(on: $0, write) }
    }

    func end(_ job: EndedJob) async throws(StoreError) -> Bool {
        let current = EventLoop.current
        let writer = writers.first { $0.loop === current } ?? writers[0]
        return try await writer.end(job)
    }
}
