import EventLoops
import Logging
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(2)))
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
        while await database.statistics().waiting == 0 { await Task.yield() }
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
}
