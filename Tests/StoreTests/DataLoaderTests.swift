import EventLoops
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(5)))
struct DataLoaderTests {
    private typealias Answer = Result<String?, StoreError>

    /// The statements of a loader; each statement waits until it is let go.
    private actor Statements {
        private(set) var asked: [[Int]] = []
        private var answers: [CheckedContinuation<StoreError?, Never>] = []
        private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        func ask(_ keys: [Int]) async -> StoreError? {
            asked.append(keys.sorted())
            for watcher in watchers where watcher.count <= asked.count { watcher.continuation.resume() }
            watchers.removeAll { $0.count <= asked.count }
            return await withCheckedContinuation { answers.append($0) }
        }

        func response(_ error: StoreError? = nil) { answers.removeFirst().resume(returning: error) }

        func wait(for count: Int) async {
            if asked.count >= count { return }
            await withCheckedContinuation { watchers.append((count, $0)) }
        }
    }

    /// Runs `body` with a loader that knows the even numbers, and whose statements `body` answers.
    private func withLoader(
        maximumWaiting: Int = 8192, _ body: (DataLoader<Int, String>, Statements) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "reads")
        let statements = Statements()
        let loader = DataLoader<Int, String>(on: loop, maximumWaiting: maximumWaiting) { keys throws(StoreError) in
            if let error = await statements.ask(keys) { throw error }
            return Dictionary(uniqueKeysWithValues: keys.filter { $0.isMultiple(of: 2) }.map { ($0, "\($0)") })
        }
        try await body(loader, statements)
        loop.stop()
    }

    /// Begins reads, in this order. The loop does one thing after the other: when this returns, the loader has them all.
    private func begin(_ keys: [Int], _ loader: DataLoader<Int, String>) async -> [Task<Answer, Never>] {
        let tasks = await Task(executorPreference: loader.loop) {
            keys.map { key in
                Task(executorPreference: loader.loop) { () async -> Answer in
                    do throws(StoreError) { return .success(try await loader.value(for: key)) } catch {
                        return .failure(error)
                    }
                }
            }
        }.value
        _ = await loader.waiters
        return tasks
    }

    private func values(_ tasks: [Task<Answer, Never>]) async -> [Answer] {
        var values: [Answer] = []
        for task in tasks { values.append(await task.value) }
        return values
    }

    @Test func `what is asked while a statement is under way goes along with the next, each key once`() async throws {
        try await withLoader { loader, statements in
            let first = await begin([2], loader)
            await statements.wait(for: 1)
            let others = await begin([4, 4, 5], loader)
            await statements.response()
            await statements.wait(for: 2)
            await statements.response()

            #expect(
                await values(first + others) == [.success("2"), .success("4"), .success("4"), .success(nil)])
            #expect(await statements.asked == [[2], [4, 5]])
        }
    }

    @Test func `a statement that fails fails for those who asked with it, and for nobody else`() async throws {
        try await withLoader { loader, statements in
            let first = await begin([2], loader)
            await statements.wait(for: 1)
            let others = await begin([4, 6], loader)
            await statements.response(.unavailable)
            await statements.wait(for: 2)
            await statements.response()

            #expect(await values(first + others) == [.failure(.unavailable), .success("4"), .success("6")])
        }
    }

    @Test func `many keys are asked with a second statement at once, and at most 256 with one`() async throws {
        try await withLoader { loader, statements in
            let first = await begin([2], loader)
            await statements.wait(for: 1)
            let others = await begin(Array(1000..<1300), loader)
            await statements.wait(for: 2)
            await statements.response()
            await statements.response()
            await statements.wait(for: 3)
            await statements.response()

            _ = await values(first + others)
            #expect(await statements.asked.map(\.count) == [1, 256, 44])
        }
    }

    @Test func `more reads than may wait are refused at once`() async throws {
        try await withLoader(maximumWaiting: 2) { loader, statements in
            let first = await begin([2], loader)
            await statements.wait(for: 1)
            let waiting = await begin([4, 4], loader)
            let refused = await begin([6], loader)

            #expect(await values(refused) == [.failure(.unavailable)])
            await statements.response()
            await statements.wait(for: 2)
            await statements.response()
            #expect(await values(first + waiting) == [.success("2"), .success("4"), .success("4")])
        }
    }

    @Test func `a cancelled read ends at once, and others of its key go on`() async throws {
        try await withLoader { loader, statements in
            let first = await begin([2], loader)
            await statements.wait(for: 1)
            let others = await begin([4, 4, 6], loader)
            others[0].cancel()
            others[2].cancel()
            #expect(await others[0].value == .failure(.cancelled))
            #expect(await others[2].value == .failure(.cancelled))
            await statements.response()
            await statements.wait(for: 2)
            await statements.response()

            #expect(await values(first) == [.success("2")])
            #expect(await others[1].value == .success("4"))
            #expect(await statements.asked == [[2], [4]])
        }
    }
}
