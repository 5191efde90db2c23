import Domain
import EventLoops
import Foundation
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
            #expect(await reader.databaseTrouble() == nil)
        }
        loop.stop()
    }

    @Test func `what is scheduled waits from its time on`() async throws {
        let loop = try EventLoop(name: "status")
        try await withStore { bench in
            let connection = try await bench.connect()
            let posted = try await bench.post(to: [connection], scheduledAt: .now.addingTimeInterval(3600))
            let early = try await StatusReader(store: bench.store, loop: loop).read()

            let time = Date.now.addingTimeInterval(-60)
            try await bench.database.change(
                "UPDATE submissions SET created_at = now() - interval '1 day', scheduled_at = $1 WHERE id = $2",
                [time, posted.submissions[0].uuid])
            let late = try await StatusReader(store: bench.store, loop: loop).read()

            #expect(early.services.map(\.waiting) == [1])
            #expect(early.services.map(\.oldestWaiting) == [nil])
            let since = try #require(late.services.first?.oldestWaiting)
            #expect(abs(since.timeIntervalSince(time)) < 0.001)
        }
        loop.stop()
    }

    @Test func `a database that takes no changes is told, and asked over a new connection the next time`() async throws
    {
        let loop = try EventLoop(name: "status")
        try await withTestDatabase(migrated: true, adjust: { $0.connectionsPerLoop = 1 }) { database in
            let reader = StatusReader(store: PicsStore(database: database), loop: loop)
            // Of the one session there is, as if its server had become a standby.
            try await database.change("SET default_transaction_read_only = on", [])

            let standby = await reader.databaseTrouble()

            #expect(standby == "The database takes no changes: it is a standby, or was set to read only.")
            #expect(await reader.databaseTrouble() == nil)
        }
        loop.stop()
    }

    @Test func `a database that does not answer is told at once`() async throws {
        let loop = try EventLoop(name: "status")
        let database = Database(
            DatabaseSettings(connection: "host=/nonexistent user=nobody"), loops: [loop], logger: .silent)
        let reader = StatusReader(store: PicsStore(database: database), loop: loop)

        #expect(await reader.databaseTrouble() == "The database cannot be reached.")
        await #expect(throws: StoreError.unavailable) { try await reader.read() }
        await database.close()
        loop.stop()
    }
}
