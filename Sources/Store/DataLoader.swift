internal import EventLoops

/// Answers many reads of one event loop with few statements: what is asked while a statement is under way goes along with the next. A
/// single read waits for nothing; sixty at once cost about as much as two.
///
/// Nothing is cached: every answer was read after its question was asked. A statement that fails fails for all who asked.
actor DataLoader<Key: Hashable & Sendable, Value: Sendable> {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    typealias Load = @Sendable ([Key]) async throws(StoreError) -> [Key: Value]

    private typealias Continuation = CheckedContinuation<Result<Value?, StoreError>, Never>

    private struct Waiter {
        let id: Int
        let continuation: Continuation
    }

    private let load: Load
    private var waiting: [Key: [Waiter]] = [:]
    /// Reads that wait for their statement.
    private(set) var waiters = 0
    private var lastID = 0
    private var underWay = 0

    /// Statements at once: PostgreSQL works on one while the answers of the other are used.
    private static var statements: Int { 2 }
    /// From so many keys on, a second statement is worth its round trip.
    private static var keysForSecond: Int { 16 }
    private static var maximumKeys: Int { 256 }
    /// Reads that may wait for their statement; more are refused.
    private let maximumWaiting: Int

    init(on loop: EventLoop, maximumWaiting: Int = 8192, _ load: @escaping Load) {
        self.loop = loop
        self.maximumWaiting = maximumWaiting
        self.load = load
    }

    /// The value for `key`; nil when there is none.
    ///
    /// - Throws: What the statement throws; `.unavailable` when too many wait; `.cancelled` when the caller was cancelled while it waited.
    func value(for key: Key) async throws(StoreError) -> Value? {
        guard waiters < maximumWaiting else { throw .unavailable }
        lastID += 1
        let id = lastID
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Continuation) in
                guard !Task.isCancelled else {
                    continuation.resume(returning: .failure(.cancelled))
                    return
                }
                waiting[key, default: []].append(Waiter(id: id, continuation: continuation))
                waiters += 1
                guard underWay == 0 || underWay < Self.statements && waiting.count >= Self.keysForSecond else { return }
                underWay += 1
                Task(executorPreference: loop) { await self.work() }
            }
        } onCancel: {
            Task(executorPreference: loop) { await self.cancel(id, key) }
        }
        return try result.get()
    }

    private func work() async {
        while let batch = take() {
            let values: Result<[Key: Value], StoreError>
            do throws(StoreError) { values = .success(try await load(Array(batch.keys))) } catch {
                values = .failure(error)
            }
            for (key, waiters) in batch {
                let value = values.map { $0[key] }
                for waiter in waiters { waiter.continuation.resume(returning: value) }
            }
        }
        underWay -= 1
    }

    private func take() -> [Key: [Waiter]]? {
        guard !waiting.isEmpty else { return nil }
        var batch = waiting
        if waiting.count > Self.maximumKeys {
            batch = Dictionary(uniqueKeysWithValues: waiting.prefix(Self.maximumKeys).map { ($0.key, $0.value) })
        }
        for (key, taken) in batch {
            waiting[key] = nil
            waiters -= taken.count
        }
        return batch
    }

    /// Ends the wait of a caller whose statement has not been sent.
    private func cancel(_ id: Int, _ key: Key) {
        guard let place = waiting[key]?.firstIndex(where: { $0.id == id }),
            let waiter = waiting[key]?.remove(at: place)
        else { return }
        waiters -= 1
        if waiting[key]?.isEmpty == true { waiting[key] = nil }
        waiter.continuation.resume(returning: .failure(.cancelled))
    }
}

/// A loader for each event loop of the database; callers from elsewhere use the first.
struct DataLoaders<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let loaders: [DataLoader<Key, Value>]

    init(_ loops: [EventLoop], _ load: @escaping DataLoader<Key, Value>.Load) {
        loaders = loops.map { DataLoader(on: $0, load) }
    }

    func value(for key: Key) async throws(StoreError) -> Value? {
        let current = EventLoop.current
        let loader = loaders.first { $0.loop === current } ?? loaders[0]
        return try await loader.value(for: key)
    }
}
