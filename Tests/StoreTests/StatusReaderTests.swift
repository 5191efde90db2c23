import EventLoops
import Logging
import Postgres
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StatusReaderTests {
    @Test func `many who ask at once get one reading`() async throws {
        let loop = try EventLoop(name: "status")
        try await withStore { bench in
            let reader = StatusReader(store: bench.store, loop: loop)

            let readings = try await withThrowingTaskGroup { group in
                for _ in 0..<50 { group.addTask { try await reader.read().readAt } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            // A slow machine may need a second reading, never fifty.
            #expect(Set(readings).count < 5)
            #expect(await reader.isDatabaseAnswering())
        }
        loop.stop()
    }

    @Test func `a database that does not answer is told at once`() async throws {
        let loop = try EventLoop(name: "status")
        let database = Database(
            DatabaseSettings(connection: "host=/nonexistent user=nobody"), loops: [loop], logger: .silent)
        let reader = StatusReader(store: Store(database: database), loop: loop)

        #expect(await reader.isDatabaseAnswering() == false)
        await #expect(throws: StoreError.unavailable) { try await reader.read() }
        await database.close()
        loop.stop()
    }
}
