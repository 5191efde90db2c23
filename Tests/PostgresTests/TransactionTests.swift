import TestSupport
import Testing

@testable import Postgres

private struct Refusal: PostgresErrorConvertible, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
    init(_ error: PostgresError) { reason = error.description }
}

@Suite(.timeLimit(.minutes(5)))
struct TransactionTests {
    private let insert = Query<Void>("insert", "INSERT INTO t VALUES (1)")

    @Test func `what a transaction did lasts once its body returns`() async throws {
        try await withTable { database in
            let count = try await database.transaction { transaction throws(PostgresError) in
                try await transaction.execute(insert)
                return try await transaction.one(.countOfRows("t"))
            }

            #expect(count == 1)
            #expect(try await database.one(.countOfRows("t")) == 1)
        }
    }

    @Test func `nothing remains of a transaction whose body throws`() async throws {
        try await withTable { database in
            await #expect(throws: Refusal("no")) {
                try await database.transaction { transaction throws(Refusal) in
                    do throws(PostgresError) { try await transaction.execute(insert) } catch { throw Refusal(error) }
                    throw Refusal("no")
                }
            }

            let count = try await database.one(.countOfRows("t"))
            #expect(count == 0)
            #expect(await database.statistics().idle == 1)
        }
    }

    @Test func `a body that hides a refused statement does not commit`() async throws {
        try await withTable { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.transaction { transaction throws(PostgresError) in
                    try await transaction.execute(insert)
                    do { try await transaction.execute(.command("SELECT 1 / 0")) } catch {}
                }
            }

            let count = try await database.one(.countOfRows("t"))
            #expect(error?.sqlState == "22012")
            #expect(count == 0)
        }
    }

    @Test func `a refusal at COMMIT is the transaction's error`() async throws {
        try await withTable { database in
            try await database.execute(
                .command("ALTER TABLE t ADD CONSTRAINT t_n_key UNIQUE (n) DEFERRABLE INITIALLY DEFERRED"))

            let error = await #expect(throws: PostgresError.self) {
                try await database.transaction { transaction throws(PostgresError) in
                    try await transaction.execute([insert, insert])
                }
            }

            #expect(error?.constraint == "t_n_key")
            #expect(await database.statistics().idle == 1)
        }
    }

    @Test func `a transaction without a statement needs no round trip`() async throws {
        try await withTable { database in
            let (connection, before) = try await database.transaction { transaction throws(PostgresError) in
                (transaction.connection, await transaction.connection.roundTrips)
            }

            #expect(await connection.roundTrips == before)
        }
    }

    @Test func `a statement after the end of its transaction is refused`() async throws {
        try await withTable { database in
            let over = try await database.transaction { transaction throws(PostgresError) in transaction }

            await #expect(throws: PostgresError.misuse("the transaction is over")) { try await over.execute(insert) }
        }
    }

    @Test func `a transaction that lost against another runs again from its start when asked to`() async throws {
        try await withTable { database in
            try await database.execute(insert)
            var runs = 0

            try await database.transaction(isolation: .serializable, retries: 1) { transaction throws(PostgresError) in
                runs += 1
                _ = try await transaction.one(.countOfRows("t"))
                if runs == 1 { try await database.execute(.command("UPDATE t SET n = n + 10")) }
                try await transaction.execute(.command("UPDATE t SET n = n + 1"))
            }

            #expect(runs == 2)
            #expect(try await database.one(.number("sum", "SELECT sum(n) AS n FROM t")) == 12)
        }
    }

    @Test func `a transaction that lost against another fails when not asked to run again`() async throws {
        try await withTable { database in
            try await database.execute(insert)

            let error = await #expect(throws: PostgresError.self) {
                try await database.transaction(isolation: .repeatableRead) { transaction throws(PostgresError) in
                    _ = try await transaction.one(.countOfRows("t"))
                    try await database.execute(.command("UPDATE t SET n = n + 10"))
                    try await transaction.execute(.command("UPDATE t SET n = n + 1"))
                }
            }

            #expect(error?.isSerializationFailure == true)
        }
    }

    @Test func `the victim of a deadlock runs again`() async throws {
        try await withTable { database in
            try await database.execute([insert, .command("INSERT INTO t VALUES (2)")])
            let meeting = Meeting()

            @Sendable func update(_ first: Int, _ second: Int) async throws {
                var runs = 0
                // On a busy machine both are victims, and may meet again.
                try await database.transaction(retries: 10) { transaction throws(PostgresError) in
                    runs += 1
                    try await transaction.execute(.command("SET LOCAL deadlock_timeout = '10ms'"))
                    try await transaction.execute(.command("UPDATE t SET n = n WHERE n = \(first)"))
                    if runs == 1 { await meeting.arrive() }
                    try await transaction.execute(.command("UPDATE t SET n = n WHERE n = \(second)"))
                }
            }
            async let one: Void = update(1, 2)
            async let other: Void = update(2, 1)

            _ = try await (one, other)
        }
    }

    @Test func `tasks that share a transaction take turns`() async throws {
        try await withTable { database in
            let sum = try await database.transaction { transaction throws(PostgresError) in
                async let one = transaction.one(.echo(1))
                async let two = transaction.one(.echo(2))
                async let three = transaction.one(.echo(3))
                do { return try await one + two + three } catch { throw PostgresError.misuse("\(error)") }
            }

            #expect(sum == 6)
        }
    }

    @Test func `a cancelled transaction leaves nothing and a cancelled COMMIT is not torn`() async throws {
        try await withTable { database in
            let task = Task {
                try await database.transaction { transaction throws(PostgresError) in
                    try await transaction.execute(insert)
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }

            try await task.value

            #expect(try await database.one(.countOfRows("t")) == 1)
        }
    }

    private func withTable(_ body: (Database) async throws -> Void) async throws {
        try await withTestSchema { database in
            try await database.execute(.command("CREATE TABLE t (n int)"))
            try await body(database)
        }
    }
}

/// Holds the first who arrives until the second does.
private actor Meeting {
    private var waiting: CheckedContinuation<Void, Never>?

    func arrive() async {
        if let waiting { waiting.resume() } else { await withCheckedContinuation { waiting = $0 } }
    }
}
