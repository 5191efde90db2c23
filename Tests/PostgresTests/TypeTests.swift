import Foundation
import Postgres
import TestSupport
import Testing

struct TypeTests {
    @Test func `values come back as they went`() async throws {
        try await withTestSchema { database in
            try await check(["", "plain", "ünï🎞️cödé", "a\\b'c\"d\n", "{},"], "text", in: database)
            try await check(["", "x"], "varchar", in: database)
            try await check([Int64.min, -1, 0, .max], "int8", in: database)
            try await check([Int.min, -1, 0, .max], "int8", in: database)
            try await check([Int32.min, 0, .max], "int4", in: database)
            try await check([Int16.min, 0, .max], "int2", in: database)
            try await check([UInt8.min, .max], "int2", in: database)
            try await check([true, false], "bool", in: database)
            try await check([0.1, -0.0, .pi, .infinity, -.infinity, .leastNonzeroMagnitude], "float8", in: database)
            try await check([UUID(), UUID()], "uuid", in: database)
            try await check([[], [0], Array(UInt8.min...UInt8.max)], "bytea", in: database)
            try await check(
                [.zero, .microseconds(1), .seconds(90_000), .milliseconds(-1500)] as [Duration], "interval",
                in: database)
        }
    }

    @Test func `an absent value is null and back`() async throws {
        try await withTestSchema { database in
            try await check([String?.none, "x"], "text", in: database)
            try await check([Int?.none, 7], "int4", in: database)
            try await check([UUID?.none, UUID()], "uuid", in: database)
            try await check([Date?.none], "timestamptz", in: database)
            try await check([[UInt8]?.none, []], "bytea", in: database)
            try await check([[String]?.none, []], "text[]", in: database)
        }
    }

    @Test func `arrays come back as they went`() async throws {
        try await withTestSchema { database in
            try await check([[], [""], ["a", "NULL", "b\"c", "d\\e", "{f,g}", " ", "ü"]], "text[]", in: database)
            try await check([["a", nil, "b"]] as [[String?]], "text[]", in: database)
            try await check([[], [Int64.min, .max]], "int8[]", in: database)
            try await check([[Int32.min, .max]], "int4[]", in: database)
            try await check([[UUID(), UUID()]], "uuid[]", in: database)
            try await check([[[], [0, 92, 255]]] as [[[UInt8]]], "bytea[]", in: database)
            try await check([[Date(timeIntervalSince1970: 1.5)]], "timestamptz[]", in: database)
            try await check([[true, false]], "bool[]", in: database)
        }
    }

    @Test func `times are exact to the microsecond`() async throws {
        try await withTestSchema { database in
            for microseconds in [0, 1, -1, 999_999, 951_782_400_000_000, 1_795_289_400_123_456, -2_208_988_800_000_001]
            {
                let date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)

                let (back, counted) = try await database.one(
                    Query(
                        "time",
                        "SELECT t, (extract(epoch FROM t) * 1000000)::int8 AS n FROM (SELECT $1::timestamptz AS t) s",
                        [date]
                    ) { row throws(PostgresError) in (try row.get("t", as: Date.self), try row.get("n", as: Int.self)) }
                )

                #expect(back == date)
                #expect(counted == microseconds)
            }
        }
    }

    @Test(arguments: ["0001-01-02", "0999-12-31", "1900-02-28", "2000-02-29", "2023-03-01", "2024-12-31", "3999-11-30"])
    func `every day of the calendar is the server's day`(day: String) async throws {
        try await withTestSchema { database in
            let date = try await database.one(
                Query("day", "SELECT $1::date AS day", [day]) { row throws(PostgresError) in
                    try row.get("day", as: Date.self)
                })

            let text = try await database.one(
                Query("text_of_day", "SELECT to_char($1::timestamptz, 'YYYY-MM-DD HH24:MI:SS') AS day", [date]) {
                    row throws(PostgresError) in try row.get("day", as: String.self)
                })

            #expect(text == "\(day) 00:00:00")
        }
    }

    @Test func `infinity is the distant future and the distant past`() async throws {
        try await withTestSchema { database in
            let row = try await database.one(
                Query(
                    "infinity",
                    """
                    SELECT 'infinity'::timestamptz AS future, '-infinity'::timestamptz AS past, 'infinity'::date AS day,
                           $1 = 'infinity'::timestamptz AND $2 = '-infinity'::timestamptz AS same
                    """, [Date.distantFuture, Date.distantPast]
                ) { row throws(PostgresError) in
                    (
                        try row.get("future", as: Date.self), try row.get("past", as: Date.self),
                        try row.get("day", as: Date.self), try row.get("same", as: Bool.self)
                    )
                })

            #expect(row == (.distantFuture, .distantPast, .distantFuture, true))
        }
    }

    @Test func `enums and JSON are text`() async throws {
        try await withTestSchema { database in
            try await database.execute(.command("CREATE TYPE mood AS ENUM ('glad', 'sad')"))

            let row = try await database.one(
                Query(
                    "enums", "SELECT $1::mood AS mood, ARRAY[$1::mood] AS moods, $2::json AS json, $3::jsonb AS jsonb",
                    [Severity.glad, "{ }", "{\"a\":1}"]
                ) { row throws(PostgresError) in
                    (
                        try row.get("mood", as: Severity.self), try row.get("moods", as: [Severity].self),
                        try row.get("json", as: String.self), try row.get("jsonb", as: String.self)
                    )
                })

            #expect(row == (.glad, [.glad], "{ }", "{\"a\": 1}"))
        }
    }

    @Test func `columns are found by name in any order`() async throws {
        try await withTestSchema { database in
            let rows = try await database.run(
                Query("columns", "SELECT i AS a, i * 10 AS b, i * 100 AS c FROM generate_series(1, 2) i") {
                    row throws(PostgresError) in
                    [try row.get("c", as: Int.self), try row.get("a"), try row.get("b"), try row.get("a")]
                })

            #expect(rows == [[100, 1, 10, 1], [200, 2, 20, 2]])
        }
    }

    @Test(arguments: [
        ("SELECT 1 AS other", PostgresError.decoding(column: "n", expected: "Int16", found: "absent")),
        ("SELECT NULL::int AS n", .decoding(column: "n", expected: "an integer", found: "NULL")),
        ("SELECT 'x' AS n", .decoding(column: "n", expected: "an integer", found: "text")),
        ("SELECT 1::numeric AS n", .decoding(column: "n", expected: "an integer", found: "numeric")),
        ("SELECT 32768 AS n", .decoding(column: "n", expected: "an integer of 16 bits", found: "int4")),
    ])
    func `a column that does not fit is named`(sql: String, expected: PostgresError) async throws {
        try await withTestSchema { database in
            await #expect(throws: expected) {
                try await database.run(
                    Query("misfit", sql) { row throws(PostgresError) in try row.get("n", as: Int16.self) })
            }
        }
    }

    @Test(arguments: [
        (
            "ARRAY[[1,2],[3,4]]",
            PostgresError.decoding(column: "n", expected: "an array of Int with one dimension", found: "of type 1007")
        ),
        ("ARRAY[1,NULL]", .decoding(column: "n", expected: "an integer", found: "NULL")),
        ("'x'::text", .decoding(column: "n", expected: "an array of Int", found: "text")),
        ("NULL::int[]", .decoding(column: "n", expected: "an array of Int", found: "NULL")),
    ])
    func `an array that does not fit is refused`(value: String, expected: PostgresError) async throws {
        try await withTestSchema { database in
            await #expect(throws: expected) {
                try await database.run(
                    Query("misfit", "SELECT \(value) AS n") { row throws(PostgresError) in
                        try row.get("n", as: [Int].self)
                    })
            }
        }
    }

    @Test func `a NUL is refused and never cuts a value`() async throws {
        try await withTestSchema { database in
            await #expect(throws: PostgresError.invalidText(parameter: 2, statement: "nul")) {
                try await database.execute(Query("nul", "SELECT $1::text, $2::text", ["a", "b\0c"]))
            }
            await #expect(throws: PostgresError.invalidText(parameter: 1, statement: "nul")) {
                try await database.execute(Query("nul", "SELECT $1::text[]", [["a", "b\0c"]]))
            }
            await #expect(throws: PostgresError.misuse("the text of nul contains a NUL")) {
                try await database.execute(Query("nul", "SELECT 1\0; DROP TABLE photos"))
            }
            try await database.execute(Query("nul", "SELECT $1::text, $2::text", ["a", "b"]))
        }
    }

    private func check<Value: ParameterConvertible & ColumnDecodable & Equatable>(
        _ values: [Value], _ type: String, in database: Database, at location: SourceLocation = #_sourceLocation
    ) async throws {
        for value in values {
            let back = try await database.one(
                Query("round_trip_\(type)", "SELECT $1::\(type) AS value", [value]) { row throws(PostgresError) in
                    try row.get("value", as: Value.self)
                })
            #expect(back == value, sourceLocation: location)
        }
    }
}

private enum Severity: String, ParameterConvertible, ColumnDecodable {
    case glad, sad
}
