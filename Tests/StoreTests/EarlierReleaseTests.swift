import Domain
import Foundation
import Postgres
import Testing

@testable import Store

/// Statements of release 0.1.0 on today's schema: `docs/decisions/migrations-and-releases.md`.
@Suite(.timeLimit(.minutes(5)))
struct EarlierReleaseTests {
    /// The statements that 0.1.0 sends, by name: all 211 that its sources name and PostgreSQL can prepare. BEGIN, COMMIT,
    /// ROLLBACK and LISTEN stand outside; the functions' bodies and what triggers do are today's.
    private static let statements = Result {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/release-0.1.0.sql")
        let text = try String(contentsOf: file, encoding: .utf8)
        var statements: [String: String] = [:]
        for part in text.split(separator: ";\n") {
            let lines = part.split(separator: "\n").drop { !$0.hasPrefix("-- ") || $0.contains(".") }
            guard let name = lines.first?.dropFirst(3) else { continue }
            statements[String(name)] = lines.dropFirst().joined(separator: "\n")
        }
        return statements
    }

    @Test func `every statement finds its tables, columns and functions`() async throws {
        let statements = try Self.statements.get()
        #expect(statements.count == 211)
        try await withStore { bench in
            for (name, sql) in statements.sorted(by: { $0.key < $1.key }) {
                do throws(PostgresError) {
                    try await bench.database.execute(.statement("PREPARE earlier_\(name) AS \(sql)"))
                } catch {
                    Issue.record("\(name): \(error.detail)")
                }
            }
        }
    }

    @Test func `its worker and today's drain a queue together, and each job ends once`() async throws {
        let earlier = EarlierWorker(statements: try Self.statements.get())
        try await withStore(connections: 4) { bench in
            var submissions: [SubmissionID] = []
            for _ in 0..<3 {
                let connection = try await bench.connect()
                for _ in 0..<10 { submissions.append(try await bench.submission(to: connection)) }
            }

            async let theirs = earlier.drain(bench)
            async let ours = drain(bench)
            let counts = try await (theirs, ours)

            #expect(counts.0 + counts.1 == 30)
            for submission in submissions { #expect(try await bench.state(of: submission) == .done) }
            let ended = "SELECT count(*) FROM attempts WHERE outcome = 'done'"
            #expect(try await bench.database.number(ended) == 30)
        }
    }

    @Test func `it takes over what today's has given back, and today's what it has`() async throws {
        let earlier = EarlierWorker(statements: try Self.statements.get())
        try await withStore { bench in
            let first = try await bench.submission(to: try await bench.connect())
            let job = try await bench.takeOne()
            _ = try await bench.store.release(job, JobRelease(delay: nil, counts: true, isArmed: false))
            let theirs = try await earlier.take(bench)
            #expect(theirs.count == 1)
            #expect(try await earlier.release(theirs[0], bench) == "waiting")

            let again = try await bench.takeOne()

            #expect(again.submission == first && again.failures == 2)
        }
    }

    private func drain(_ bench: Bench) async throws -> Int {
        var count = 0
        while try await bench.database.number("SELECT count(*) FROM jobs") > 0 {
            for job in try await bench.take(2, worker: "today") {
                let ended = try await bench.store.finish(
                    job, state: .done, remoteID: "\(job.id)", report: AttemptReport(outcome: "done"))
                if ended { count += 1 }
            }
        }
        return count
    }
}

/// A worker that speaks as 0.1.0 does.
private struct EarlierWorker {
    let statements: [String: String]

    func take(_ bench: Bench) async throws -> [JobLease] {
        try await bench.database.run(
            query("take_jobs", ["earlier", Int32(2), 60.0]) { row throws(PostgresError) in
                JobLease(id: try row.get("id"), leaseNo: try row.get("lease_no"))
            })
    }

    /// The state of the submission afterwards.
    func release(_ job: JobLease, _ bench: Bench) async throws -> String? {
        let (none, time): (String?, Double?) = (nil, nil)
        return try await bench.database.one(
            query(
                "release_job",
                [job.id, job.leaseNo, 0.0, true, "none", time, time, time, "temporary", nil as Int32?, none, none]
            ) { row throws(PostgresError) in try row.get("state") })
    }

    func drain(_ bench: Bench) async throws -> Int {
        var count = 0
        while try await bench.database.number("SELECT count(*) FROM jobs") > 0 {
            for job in try await take(bench) {
                let armed: [Bool] = try await bench.database.run(
                    query("checkpoint_job", [job.id, job.leaseNo, #"{"step": 1}"#, Int16(1), true, 60.0]) {
                        row throws(PostgresError) in try row.get("cancelled")
                    })
                guard armed == [false] else { continue }
                let none: [String?] = [nil]
                let ended = try await bench.database.run(
                    query(
                        "finish_jobs",
                        [
                            [job.id], [job.leaseNo], ["done"], ["\(job.id)"], none, none, ["done"], [nil as Int32?],
                            none, none,
                        ]
                    ) { row throws(PostgresError) in JobLease(id: try row.get("id"), leaseNo: try row.get("lease_no")) }
                )
                count += ended.count
            }
        }
        return count
    }

    private func query<Row>(
        _ name: String, _ parameters: [any ParameterConvertible],
        _ decode: @escaping @Sendable (borrowing ResultRow) throws(PostgresError) -> Row
    ) -> Query<Row> {
        Query("earlier_\(name)", statements[name] ?? "", parameters, decode: decode)
    }
}
