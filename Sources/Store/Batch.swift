internal import EventLoops

/// Answers many questions of one event loop with few statements: what is asked while a statement is under way goes along
/// with the next. A single question waits for nothing; sixty at once cost about as much as two.
///
/// Nothing is kept: every answer was read after its question was asked.
actor Batch<Key: Hashable & Sendable, Value: Sendable> {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    typealias Waiter = CheckedContinuation<Result<Value?, StoreError>, Never>

    private let ask: @Sendable ([Key]) async throws(StoreError) -> [Key: Value]
    private var waiting: [Key: [Waiter]] = [:]
    private var underWay = 0

    /// Two for reads, so that PostgreSQL works on one while the answers of the other are used; one for writes that would wait
    /// for each other's locks.
    private let mostUnderWay: Int
    private static var enough: Int { 16 }
    private static var mostKeys: Int { 256 }

    init(
        on loop: EventLoop, atOnce mostUnderWay: Int = 2,
        _ ask: @escaping @Sendable ([Key]) async throws(StoreError) -> [Key: Value]
    ) {
        self.loop = loop
        self.mostUnderWay = mostUnderWay
        self.ask = ask
    }

    /// The answer for `key`; nil when there is none.
    func value(for key: Key) async throws(StoreError) -> Value? {
        let result = await withCheckedContinuation { waiter in
            waiting[key, default: []].append(waiter)
            guard underWay == 0 || underWay < mostUnderWay && waiting.count >= Self.enough else { return }
            underWay += 1
            Task(executorPreference: loop) { await self.work() }
        }
        return try result.get()
    }

    private func work() async {
        while let batch = take() {
            let answers: Result<[Key: Value], StoreError>
            do throws(StoreError) { answers = .success(try await ask(Array(batch.keys))) } catch {
                answers = .failure(error)
            }
            for (key, waiters) in batch {
                let answer = answers.map { $0[key] }
                for waiter in waiters { waiter.resume(returning: answer) }
            }
        }
        underWay -= 1
    }

    private func take() -> [Key: [Waiter]]? {
        guard !waiting.isEmpty else { return nil }
        guard waiting.count > Self.mostKeys else {
            defer { waiting = [:] }
            return waiting
        }
        let batch = Dictionary(uniqueKeysWithValues: waiting.prefix(Self.mostKeys).map { ($0.key, $0.value) })
        for key in batch.keys { waiting[key] = nil }
        return batch
    }
}

/// A batch for each event loop of the database; who calls from elsewhere asks through one of them.
struct Batches<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let batches: [Batch<Key, Value>]

    init(
        _ loops: [EventLoop], atOnce: Int = 2,
        _ ask: @escaping @Sendable ([Key]) async throws(StoreError) -> [Key: Value]
    ) {
        batches = loops.map { Batch(on: $0, atOnce: atOnce, ask) }
    }

    func value(for key: Key) async throws(StoreError) -> Value? {
        let current = EventLoop.current
        let batch = batches.first { $0.loop === current } ?? batches[0]
        return try await batch.value(for: key)
    }
}
