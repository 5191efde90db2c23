import Logging
import TestSupport
import TestTools
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5)))
struct ListenerTests {
    @Test func `a notification arrives with its payload once its transaction commits`() async throws {
        try await withTestDatabase { database in
            let listener = PostgresListener(database)
            var events = await listener.listen(to: ["jobs", "odd \"name\""]).makeAsyncIterator()
            #expect(await events.next() == .connected)

            try await database.transaction { transaction throws(PostgresError) in
                try await transaction.execute(.notify("odd \"name\"", "ü"))
            }
            try await database.execute(.notify("jobs"))

            #expect(await events.next() == .notification(DatabaseNotification(channel: "odd \"name\"", payload: "ü")))
            #expect(await events.next() == .notification(DatabaseNotification(channel: "jobs", payload: "")))
            await listener.stop()
            #expect(await events.next() == nil)
        }
    }

    @Test func `a listener that lost its connection says so and hears again`() async throws {
        try await withTestDatabase(adjust: { $0.applicationName = "listener" }) { database in
            let listener = PostgresListener(database)
            var events = await listener.listen(to: ["jobs"]).makeAsyncIterator()
            #expect(await events.next() == .connected)

            try await database.execute(
                .command(
                    """
                    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                     WHERE application_name = 'listener' AND query LIKE 'LISTEN%' AND datname = current_database()
                    """))

            #expect(await events.next() == .connected)
            try await database.execute(.notify("jobs", "again"))
            #expect(await events.next() == .notification(DatabaseNotification(channel: "jobs", payload: "again")))
            await listener.stop()
        }
    }

    @Test func `a reader that stops reading closes the listener's connection`() async throws {
        try await withTestDatabase { database in
            let listener = PostgresListener(database)
            let reader = Task { [events = await listener.listen(to: ["jobs"])] in
                for await _ in events { withUnsafeCurrentTask { $0?.cancel() } }
            }

            await reader.value

            try await until {
                try await database.one(
                    .number(
                        "listeners",
                        "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
                    )) == 0
            }
        }
    }
}
