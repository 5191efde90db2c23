import Domain
import EventLoops
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(5)))
struct ReceiptWriterTests {
    /// The batches of a writer and their answers; each statement waits until it is let go.
    private actor Statements {
        private(set) var sent: [[Int64]] = []
        private var answers: [CheckedContinuation<StoreError?, Never>] = []
        private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        func send(_ jobs: [EndedJob]) async -> StoreError? {
            sent.append(jobs.map(\.id))
            for watcher in watchers where watcher.count <= sent.count { watcher.continuation.resume() }
            watchers.removeAll { $0.count <= sent.count }
            return await withCheckedContinuation { answers.append($0) }
        }

        func response(_ error: StoreError? = nil) { answers.removeFirst().resume(returning: error) }

        /// Waits until so many statements were sent.
        func wait(for count: Int) async {
            if sent.count >= count { return }
            await withCheckedContinuation { watchers.append((count, $0)) }
        }
    }

    private static func job(_ id: Int64, lease: Int32 = 1) -> EndedJob {
        EndedJob(
            id: id, leaseNo: lease, state: .done, remoteID: nil, remoteURL: nil, text: nil,
            report: AttemptReport(outcome: "done"))
    }

    /// Runs `body` with a writer whose statements `body` answers; jobs of another lease than 1 count as lost.
    private func withWriter(
        maximumWaiting: Int = 4096, _ body: (ReceiptWriter, Statements) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "receipts")
        let statements = Statements()
        let writer = ReceiptWriter(on: loop, maximumWaiting: maximumWaiting) { jobs throws(StoreError) in
            if let error = await statements.send(jobs) { throw error }
            return Set(jobs.map(\.lease).filter { $0.leaseNo == 1 })
        }
        try await body(writer, statements)
        loop.stop()
    }

    /// Begins to end jobs, in this order. The loop does one thing after the other: when this returns, the writer has them all.
    private func begin(_ jobs: [EndedJob], _ writer: ReceiptWriter) async -> [Task<Result<Bool, StoreError>, Never>] {
        let tasks = jobs.map { job in
            Task(executorPreference: writer.loop) { () async -> Result<Bool, StoreError> in
                do throws(StoreError) { return .success(try await writer.end(job)) } catch { return .failure(error) }
            }
        }
        _ = await writer.backlog
        return tasks
    }

    private func values(_ tasks: [Task<Result<Bool, StoreError>, Never>]) async -> [Result<Bool, StoreError>] {
        var values: [Result<Bool, StoreError>] = []
        for task in tasks { values.append(await task.value) }
        return values
    }

    @Test func `what ends while a statement is under way goes along with the next`() async throws {
        try await withWriter { writer, statements in
            let first = await begin([Self.job(1)], writer)
            await statements.wait(for: 1)
            let others = await begin([Self.job(2), Self.job(3), Self.job(4)], writer)
            await statements.response()
            await statements.wait(for: 2)
            await statements.response()

            #expect(await values(first + others) == Array(repeating: .success(true), count: 4))
            #expect(await statements.sent == [[1], [2, 3, 4]])
        }
    }

    @Test func `a lost lease is told to its own caller alone`() async throws {
        try await withWriter { writer, statements in
            let first = await begin([Self.job(1)], writer)
            await statements.wait(for: 1)
            let others = await begin([Self.job(2, lease: 7), Self.job(3)], writer)
            await statements.response()
            await statements.wait(for: 2)
            await statements.response()

            #expect(await values(first + others) == [.success(true), .success(false), .success(true)])
        }
    }

    @Test func `a receipt that PostgreSQL refuses fails alone`() async throws {
        let refused = StoreError.conflict(constraint: "jobs_of_test")
        try await withWriter { writer, statements in
            let first = await begin([Self.job(1)], writer)
            await statements.wait(for: 1)
            let others = await begin([Self.job(2), Self.job(3), Self.job(4)], writer)
            await statements.response()
            await statements.wait(for: 2)
            await statements.response(refused)
            for (place, error) in [nil, refused, nil].enumerated() {
                await statements.wait(for: place + 3)
                await statements.response(error)
            }

            #expect(
                await values(first + others) == [.success(true), .success(true), .failure(refused), .success(true)])
            #expect(await statements.sent == [[1], [2, 3, 4], [2], [3], [4]])
        }
    }

    @Test func `while the database is away, nothing is sent row by row`() async throws {
        try await withWriter { writer, statements in
            let first = await begin([Self.job(1)], writer)
            await statements.wait(for: 1)
            let others = await begin([Self.job(2), Self.job(3)], writer)
            await statements.response()
            await statements.wait(for: 2)
            await statements.response(.unavailable)

            #expect(await values(first + others) == [.success(true), .failure(.unavailable), .failure(.unavailable)])
            #expect(await statements.sent == [[1], [2, 3]])
        }
    }

    @Test func `more receipts than may wait are refused at once`() async throws {
        try await withWriter(maximumWaiting: 2) { writer, statements in
            let first = await begin([Self.job(1)], writer)
            await statements.wait(for: 1)
            let waiting = await begin([Self.job(2), Self.job(3)], writer)
            let refused = await begin([Self.job(4)], writer)

            #expect(await values(refused) == [.failure(.unavailable)])
            await statements.response()
            await statements.wait(for: 2)
            await statements.response()
            #expect(await values(first + waiting) == Array(repeating: .success(true), count: 3))
        }
    }

    @Test func `a cancelled receipt is not sent, and one that was sent is waited for`() async throws {
        try await withWriter { writer, statements in
            let sent = await begin([Self.job(1)], writer)
            await statements.wait(for: 1)
            let others = await begin([Self.job(2), Self.job(3)], writer)
            sent[0].cancel()
            others[0].cancel()
            #expect(await others[0].value == .failure(.cancelled))
            await statements.response()
            await statements.wait(for: 2)
            await statements.response()

            #expect(await values(sent + others) == [.success(true), .failure(.cancelled), .success(true)])
            #expect(await statements.sent == [[1], [3]])
        }
    }
}
