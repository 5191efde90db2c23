import EventLoops
import Logging
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5)))
struct PoolTests {
    @Test func `a pool opens no more connections than it may`() async throws {
        try await withTestSchema(adjust: { $0.connectionsPerLoop = 3 }) { database in
            let processes = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<50 { group.addTask { try await database.one(.process) } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }

            #expect(processes.count <= 3)
            #expect(await database.statistics().idle == processes.count)
        }
    }

    @Test func `the connections of a reserved loop serve callers on that loop alone`() async throws {
        try await withTestSchema { database in
            let (loop, reserved) = (try EventLoop(name: "loop"), try EventLoop(name: "reserved"))
            let both = Database(database.settings, loops: [loop], reserved: [reserved], logger: .silent)
            let process = { @Sendable () async throws(PostgresError) in try await both.one(.process) }

            let own = try await Task(executorPreference: reserved) { try await process() }.value
            var others: Set<Int> = []
            for _ in 0..<10 { others.insert(try await process()) }

            #expect(!others.contains(own))
            #expect(try await Task(executorPreference: reserved) { try await process() }.value == own)
            await both.close()
            for loop in [loop, reserved] { loop.stop() }
        }
    }

    @Test func `who waits longest is served first`() async throws {
        try await withTestSchema(adjust: { $0.connectionsPerLoop = 1 }) { database in
            let order = try await withThrowingTaskGroup(of: Int.self) { group in
                try await database.transaction { transaction throws(PostgresError) in
                    _ = try await transaction.one(.process)
                    for number in 1...5 {
                        group.addTask { try await database.one(.echo(number)) }
                        await until { await database.statistics().waiting >= number }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(order == [1, 2, 3, 4, 5])
        }
    }

    @Test func `a caller does not wait longer than the limit`() async throws {
        try await withTestSchema(adjust: {
            $0.connectionsPerLoop = 1
            $0.waitLimit = .milliseconds(100)
        }) { database in
            // On a busy machine even the first connection may take longer than this limit.
            while await database.statistics().idle == 0 {
                do { try await database.run(.echo(0)) } catch PostgresError.poolExhausted {}
            }
            try await database.transaction { transaction throws(PostgresError) in
                await #expect(throws: PostgresError.poolExhausted) { try await database.one(.echo(1)) }
            }
            let after = try await database.one(.echo(2))
            #expect(after == 2)
        }
    }

    @Test func `too many callers are refused at once`() async throws {
        try await withTestSchema(adjust: {
            $0.connectionsPerLoop = 1
            $0.waitersPerLoop = 1
        }) { database in
            try await database.transaction { transaction throws(PostgresError) in
                _ = try await transaction.one(.process)
                let waiting = Task { try await database.one(.echo(1)) }
                await until { await database.statistics().waiting > 0 }

                await #expect(throws: PostgresError.poolExhausted) { try await database.one(.echo(2)) }

                waiting.cancel()
                await #expect(throws: PostgresError.cancelled) { try await waiting.value }
            }
        }
    }

    @Test func `a caller on a pool's loop keeps its loop`() async throws {
        try await withTestSchema { database in
            let loops = try [EventLoop(name: "one"), EventLoop(name: "two")]
            let wide = Database(database.settings, loops: loops, logger: .silent)

            for loop in loops {
                let stayed = try await Resident(loop: loop).asksItself(wide)
                #expect(stayed)
            }

            await wide.close()
            for loop in loops { loop.stop() }
        }
    }

    @Test func `a statement whose caller is cancelled ends at once and the pool goes on`() async throws {
        try await withTestSchema(adjust: { $0.applicationName = "cancelled statement" }) { database in
            let sleeping = Task { try await database.execute(.sleepForAnHour) }
            let watch = { try await database.one(.sessions("cancelled statement", running: "pg_sleep")) }
            try await until { try await watch() == 1 }

            sleeping.cancel()

            await #expect(throws: PostgresError.cancelled) { try await sleeping.value }
            // The server stops working for it too.
            try await until { try await watch() == 0 }
            #expect(await database.statistics().lent == 0)
        }
    }

    @Test func `a cancelled caller sends nothing`() async throws {
        try await withTestSchema { database in
            try await database.execute(.command("CREATE TABLE t (n int)"))
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await database.execute(Query("insert", "INSERT INTO t VALUES (1)"))
            }

            await #expect(throws: PostgresError.cancelled) { try await task.value }

            let count = try await database.one(.countOfRows("t"))
            #expect(count == 0)
        }
    }

    @Test func `a connection that the server ended is replaced without an error`() async throws {
        try await withTestSchema(adjust: { $0.connectionsPerLoop = 1 }) { database in
            try await withTestSchema { other in
                let process = try await database.one(.process)

                try await other.execute(.terminate(process))

                let next = try await database.one(.process)
                #expect(next != process)
            }
        }
    }

    @Test func `a statement whose connection breaks is not sent again`() async throws {
        try await withTestSchema(adjust: { $0.connectionsPerLoop = 1 }) { database in
            try await withTestSchema { other in
                let process = try await database.one(.process)
                let sleeping = Task { try await database.execute(.sleepForAnHour) }
                try await until {
                    try await other.one(
                        .number(
                            "active",
                            "SELECT count(*) AS n FROM pg_stat_activity WHERE pid = $1::int AND state = 'active'",
                            [process])) == 1
                }

                try await other.execute(.terminate(process))

                let error = await #expect(throws: PostgresError.self) { try await sleeping.value }
                guard case .disconnected(sent: true, let reason)? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(reason.contains("57P01"))
                let next = try await database.one(.process)
                #expect(next != process)
            }
        }
    }

    @Test func `a caller learns why no connection can be made`() async throws {
        let loop = try EventLoop(name: "test")
        var settings = DatabaseSettings(connection: "host=/nonexistent user=nobody")
        settings.waitLimit = .milliseconds(200)
        let database = Database(settings, loops: [loop], logger: .silent)

        var reason = ""
        while reason.isEmpty {
            do throws(PostgresError) {
                try await database.run(.echo(1))
            } catch {
                // Before the first attempt has failed there is no reason.
                if case .disconnected(sent: false, let text) = error { reason = text }
            }
        }

        #expect(reason.contains("/nonexistent"))
        await database.close()
        loop.stop()
    }

    @Test func `the hook runs before every connection and can refuse it`() async throws {
        struct Refusal: Error {}
        let calls = Atomic(0)
        try await withTestSchema { database in
            var settings = database.settings
            settings.beforeConnect = {
                if calls.wrappingAdd(1, ordering: .relaxed).oldValue == 0 { throw Refusal() }
            }
            let hooked = Database(settings, loops: [database.loop], logger: .silent)

            let value = try await hooked.one(.echo(1))

            #expect(value == 1)
            #expect(calls.load(ordering: .relaxed) == 2)
            await hooked.close()
        }
    }

    @Test func `a closed pool refuses work and closes what comes back`() async throws {
        try await withTestSchema { database in
            try await database.transaction { transaction throws(PostgresError) in
                _ = try await transaction.one(.echo(1))
                await database.close()

                await #expect(throws: PostgresError.closed) { try await database.one(.echo(2)) }
                _ = try await transaction.one(.echo(3))
            }
            #expect(await database.statistics() == PoolStatistics(limit: 2))
        }
    }

    @Test func `a session has the settings it was promised`() async throws {
        try await withTestSchema(adjust: {
            $0.applicationName = "pics test"
            $0.statementLimit = .seconds(7)
        }) { database in
            let values = try await database.run(
                Query(
                    "settings",
                    "SELECT current_setting(n) AS value FROM unnest($1::text[]) n",
                    [
                        [
                            "application_name", "statement_timeout", "idle_in_transaction_session_timeout", "TimeZone",
                            "search_path", "client_encoding", "jit",
                        ]
                    ]
                ) { row throws(PostgresError) in try row.get("value", as: String.self) })

            #expect(values == ["pics test", "7s", "1min", "UTC", database.settings.searchPath, "UTF8", "off"])
        }
    }

    @Test func `notices go to the log`() async throws {
        let sink = RecordingSink()
        try await withTestSchema(logger: Logger(sink: sink)) { database in
            try await database.execute(.command("DO $$ BEGIN RAISE NOTICE 'all is well'; END $$"))
        }

        #expect(sink.lines.contains { $0.contains("all is well") && $0.contains("sqlstate=00000") })
    }
}

/// Somebody who lives on a loop, as a connection of the server does.
private actor Resident {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) { self.loop = loop }

    /// Whether the pool of this loop served, and the caller is still on the loop.
    func asksItself(_ database: Database) async throws -> Bool {
        let served = try await database.transaction { transaction throws(PostgresError) in
            _ = try await transaction.one(.echo(1))
            return transaction.connection.loop === EventLoop.current
        }
        return served && loop.isCurrent
    }
}
