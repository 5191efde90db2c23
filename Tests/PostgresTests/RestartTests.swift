import EventLoops
import Logging
import TestTools
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5)))
struct RestartTests {
    @Test func `pool and listener survive a crash of the server`() async throws {
        let server = try await TemporaryServer()
        try await server.start()
        let loop = try EventLoop(name: "restart")
        var settings = DatabaseSettings(connection: server.connection)
        settings.waitLimit = .seconds(60)
        let database = Database(settings, loops: [loop], logger: .silent)
        let listener = PostgresListener(database)
        var events = await listener.listen(to: ["jobs"]).makeAsyncIterator()
        #expect(await events.next() == .connected)
        #expect(try await database.one(.echo(1)) == 1)

        try await server.crash()
        let waiting = Task { try await database.one(.echo(2)) }
        await until { await database.statistics().waiting > 0 }
        try await server.start()

        #expect(try await waiting.value == 2)
        #expect(await events.next() == .connected)
        try await database.execute(.notify("jobs", "back"))
        #expect(await events.next() == .notification(DatabaseNotification(channel: "jobs", payload: "back")))

        await listener.stop()
        await database.close()
        loop.stop()
        try await server.remove()
    }

    @Test func `a superuser's pool leaves the connections alone that the server keeps for one`() async throws {
        let server = try await TemporaryServer()
        try await server.start(["max_connections=8", "superuser_reserved_connections=3"])
        let loop = try EventLoop(name: "reserved")
        var settings = DatabaseSettings(connection: server.connection)
        settings.waitLimit = .seconds(60)
        settings.connectionsPerLoop = 20
        let database = Database(settings, loops: [loop], logger: .silent)

        let processes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await database.one(.number("rest", "SELECT pg_backend_pid() AS n FROM pg_sleep(0.02)"))
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect((1...5).contains(processes.count))
        await database.close()
        loop.stop()
        try await server.remove()
    }
}
