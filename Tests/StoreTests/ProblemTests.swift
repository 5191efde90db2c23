import Domain
import Foundation
import Postgres
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ProblemTests {
    private static let limit = Problem(
        .rateLimited,
        ProblemParameters(service: "Flickr", until: Date(timeIntervalSince1970: 1_763_754_300), scope: .account))
    private static let report = AttemptReport(outcome: "temporary", problem: limit)

    @Test func `code and parameters are read as a worker wrote them, and 0.1.0 reads the text`() async throws {
        try await withStore { bench in
            let id = try await bench.submission(to: try await bench.connect())

            _ = try await bench.store.release(
                try await bench.takeOne(),
                JobRelease(
                    delay: .zero, counts: true, isArmed: false, gateBlock: .seconds(60), report: Self.report))

            #expect(try await bench.submission(id).problem == Self.limit)
            #expect(try await bench.store.attempts(of: id).map(\.problem) == [Self.limit])
            #expect(try await bench.store.gates().first { $0.name == "file" }?.problem == Self.limit)
            #expect(try await bench.text("SELECT problem FROM submissions") == Self.limit.text)
            #expect(try await bench.text("SELECT problem FROM attempts") == Self.limit.text)
        }
    }

    @Test func `a parked account tells its code to its posts, also to those that come later`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            let first = try await bench.submission(to: connection)
            _ = try await bench.store.park(try await bench.takeOne(), isArmed: false, report: Self.report)
            let second = try await bench.submission(to: connection)

            #expect(try await bench.submission(first).problem == Self.limit)
            #expect(try await bench.submission(second).problem == Self.limit)
            #expect(try await bench.store.connections(of: bench.owner.id).map(\.problem) == [Self.limit])
        }
    }

    @Test func `a text that 0.1.0 writes over a code is shown as it is`() async throws {
        try await withStore { bench in
            let id = try await bench.submission(to: try await bench.connect())
            _ = try await bench.store.release(
                try await bench.takeOne(), JobRelease(delay: .zero, counts: true, isArmed: false, report: Self.report))

            try await bench.database.execute(.statement("UPDATE submissions SET problem = 'Old words.'"))
            #expect(try await bench.submission(id).problem == .other("Old words."))

            try await bench.database.execute(.statement("UPDATE submissions SET problem = NULL"))
            #expect(try await bench.submission(id).problem == nil)
        }
    }

    @Test func `what 0.1.0 gives a function is shown as it is, and stays the cause at the end of the attempts`()
        async throws
    {
        try await withStore { bench in
            let id = try await bench.submission(to: try await bench.connect(), attempts: 2)
            let job = try await bench.takeOne()
            try await bench.database.execute(
                .statement(
                    """
                    SELECT release_job($1, $2, interval '0', true, 'none', NULL, NULL, NULL, 'temporary', 503,
                                       'Old words.', NULL)
                    """, [job.id, job.leaseNo]))
            #expect(try await bench.submission(id).problem == .other("Old words."))

            _ = try await bench.store.release(
                try await bench.takeOne(), JobRelease(delay: .zero, counts: true, isArmed: false))

            let ended = try await bench.submission(id)
            #expect(ended.state == .rejected)
            #expect(ended.problem?.code == .attemptsExhausted)
            #expect(ended.problem?.text == "Old words. Pics stopped retrying.")
            #expect(try await bench.text("SELECT problem FROM submissions").hasPrefix("Old words. Tried until"))
        }
    }

    @Test func `the end of the attempts keeps the last code with its parameters, without its time`() async throws {
        try await withStore { bench in
            let id = try await bench.submission(to: try await bench.connect(), attempts: 1)

            _ = try await bench.store.release(
                try await bench.takeOne(), JobRelease(delay: .zero, counts: true, isArmed: true, report: Self.report))

            let ended = try await bench.submission(id)
            #expect(ended.state == .unknown)
            #expect(
                ended.problem
                    == Problem(
                        .outcomeUnknown,
                        ProblemParameters(
                            service: "Flickr", scope: .account, reason: .attemptsExhausted, cause: .rateLimited)))
        }
    }

    @Test func `SQL functions hold no prose, and set only codes that programs know`() throws {
        let functions = try Migrations.load(migrationsFolder).functions
        for function in functions {
            let text = try String(
                contentsOfFile: "\(migrationsFolder)/functions/\(function.name).sql", encoding: .utf8)
            for match in text.matches(of: /make_problem\('([a-z_]+)'/) {
                #expect(ProblemCode(rawValue: String(match.1)) != nil, "\(function.name): \(match.1)")
            }
            guard function.name != "make_problem" else { continue }
            let lines = text.split(separator: "\n").filter { !$0.drop(while: \.isWhitespace).hasPrefix("--") }
            #expect(!lines.contains { $0.contains(/'[A-Z][a-z]+ [a-z]/) }, "\(function.name)")
        }
    }
}

extension Bench {
    /// The one text that a statement gives.
    fileprivate func text(_ sql: String) async throws -> String {
        // A statement's name stands for one text.
        let query = Query<String>("text_of_test_\(UUID())", sql) { row throws(PostgresError) in try row.get("problem") }
        return try await database.one(query)
    }
}
