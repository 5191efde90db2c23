import TestSupport
import Testing

@testable import Postgres

struct PipelineTests {
    @Test func `preparing and running a statement is one round trip`() async throws {
        try await withTestSchema { database in
            let connection = try await database.connector.connect(on: database.loop)

            #expect(try await connection.one(.echo(1)) == 1)
            #expect(try await connection.one(.echo(2)) == 2)

            #expect(await connection.roundTrips == 2)
            await connection.close()
        }
    }

    @Test func `several statements are one round trip and keep their order and types`() async throws {
        try await withTestSchema { database in
            let connection = try await database.connector.connect(on: database.loop)
            let word = Query<String>("word", "SELECT 'x' AS w") { row throws(PostgresError) in try row.get("w") }

            let (one, words, three) = try await connection.run(.echo(1), word, .echo(3))

            #expect(one == [1])
            #expect(words == ["x"])
            #expect(three == [3])
            #expect(await connection.roundTrips == 1)
            await connection.close()
        }
    }

    @Test func `statements of one round trip take effect together or not at all`() async throws {
        try await withTestSchema { database in
            try await database.execute(.command("CREATE TABLE t (n int)"))
            let insert = Query<Void>("insert", "INSERT INTO t VALUES (1), (2)")

            let error = await #expect(throws: PostgresError.self) {
                try await database.execute([insert, .command("SELECT 1 / 0"), insert])
            }

            #expect(error?.sqlState == "22012")
            #expect(try await database.one(.countOfRows("t")) == 0)
            #expect(try await database.execute([insert, .command("DELETE FROM t WHERE n = 1")]) == [2, 1])
        }
    }

    @Test func `a skipped statement is prepared when it runs`() async throws {
        try await withTestSchema { database in
            await #expect(throws: PostgresError.self) {
                try await database.run(.number("failing", "SELECT 1 / 0 AS n"), .echo(1))
            }

            let next = try await database.one(.echo(2))
            #expect(next == 2)
        }
    }

    @Test func `a row that cannot be read leaves the round trip in order`() async throws {
        try await withTestSchema { database in
            let word = Query<Int>.number("word", "SELECT 'x' AS n")

            await #expect(throws: PostgresError.decoding(column: "n", expected: "an integer", found: "text")) {
                try await database.run(.echo(1), word, .echo(3))
            }

            let next = try await database.one(.echo(4))
            #expect(next == 4)
            #expect(await database.statistics().idle == 1)
        }
    }

    @Test func `a thousand statements are one round trip`() async throws {
        try await withTestSchema { database in
            try await database.execute(.command("CREATE TABLE t (n int, filler text)"))
            let filler = String(repeating: "x", count: 1000)
            let inserts = (0..<1000).map { Query<Void>("insert", "INSERT INTO t VALUES ($1, $2)", [$0, filler]) }

            let counts = try await database.execute(inserts)

            #expect(counts == Array(repeating: 1, count: 1000))
            #expect(try await database.one(.countOfRows("t")) == 1000)
        }
    }

    @Test func `values larger than any socket buffer pass in both directions`() async throws {
        try await withTestSchema { database in
            let bytes = (0..<20_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

            let back = try await database.one(
                Query("large", "SELECT $1::bytea AS b", [bytes]) { row throws(PostgresError) in
                    try row.get("b", as: [UInt8].self)
                })

            #expect(back == bytes)
        }
    }

    @Test func `a transaction takes BEGIN along with its first statement`() async throws {
        try await withTestSchema { database in
            let roundTrips = try await database.transaction { transaction throws(PostgresError) in
                let before = await transaction.connection.roundTrips
                _ = try await transaction.one(.echo(1))
                return await transaction.connection.roundTrips - before
            }

            #expect(roundTrips == 1)
        }
    }
}
