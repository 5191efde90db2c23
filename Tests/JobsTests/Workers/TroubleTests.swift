internal import Domain
internal import HTTP
internal import Jobs
internal import Submitters
internal import Testing

/// What the database refuses, or has no room for, in the middle of a try.
@Suite(.timeLimit(.minutes(1)))
struct TroubleTests {
    /// From now on the database has no room for rows of `table` that `condition` describes.
    private static func refuse(_ bench: Bench, _ table: String, when condition: String) async throws {
        try await bench.sql(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END $$
            """)
        try await bench.sql(
            "CREATE TRIGGER refusal BEFORE UPDATE ON \(table) FOR EACH ROW WHEN (\(condition)) EXECUTE FUNCTION refuse()")
    }

    private static func accept(_ bench: Bench, _ table: String) async throws {
        try await bench.sql("DROP TRIGGER refusal ON \(table)")
    }

    @Test func `a receipt outlives the trouble of a database, and a lease that nobody has taken`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            try await Self.refuse(bench, "submissions", when: "NEW.state = 'done'")
            _ = bench.start { $0.lease = .milliseconds(10) }
            await bench.log.wait(for: "job not settled", count: 2)
            try await Self.accept(bench, "submissions")

            let submission = try await bench.ended(id)

            #expect(submission.state == .done)
            #expect(submission.remoteID == "post-\(id)")
            #expect(service.calls == [.submit(id)])
        }
    }

    @Test func `a step that cannot be written after arming leaves the outcome open`() async throws {
        let service = ScriptedSubmitter()
        let armed = Signal()
        let refused = Signal()
        service.play { task throws(SubmissionError) in
            try await task.journal.arm()
            armed.fire()
            await refused.wait()
            try await task.journal.record("posted", "7")
            return ScriptedSubmitter.receipt(task.submission)
        }
        service.tell(.found(Receipt(remoteID: "7", url: nil)))
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            await armed.wait()
            try await Self.refuse(bench, "jobs", when: "NEW.journal ? 'posted'")
            refused.fire()
            let lost = try await bench.ended(id)
            try await Self.accept(bench, "jobs")
            try await bench.makeDue()
            await worker.wake()

            #expect(lost.state == .waiting)
            #expect(try await bench.ended(id, tries: 2).remoteID == "7")
            #expect(service.calls == [.submit(id), .reconcile(id)])
        }
    }

    @Test func `what cannot be armed is not sent, and is tried again`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            try await Self.refuse(bench, "jobs", when: "NEW.effect = 'armed'")
            let worker = bench.start()
            let refused = try await bench.ended(id)
            try await Self.accept(bench, "jobs")
            try await bench.makeDue()
            await worker.wake()

            #expect(refused.state == .waiting)
            #expect(refused.attempts == 1)
            #expect(try await bench.ended(id, tries: 2).state == .done)
            #expect(service.calls == [.submit(id), .submit(id)])
        }
    }

    @Test func `a queue that cannot be read is read again when somebody calls, and not before`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            try await bench.sql("ALTER FUNCTION take_jobs RENAME TO lost_jobs")
            let worker = bench.start()
            await bench.log.wait(for: "queue cannot be read")
            await worker.wake()
            await bench.log.wait(for: "queue cannot be read", count: 2)
            try await bench.sql("ALTER FUNCTION lost_jobs RENAME TO take_jobs")
            await worker.wake()

            #expect(try await bench.ended(id).state == .done)
            #expect(bench.log.count("queue cannot be read") == 2)
        }
    }

    @Test func `a worker that finds no database reads the queue again with the poll`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            try await bench.sql("ALTER FUNCTION take_jobs RENAME TO lost_jobs")
            _ = bench.start { $0.poll = .milliseconds(20) }
            await bench.log.wait(for: "queue cannot be read", count: 2)
            try await bench.sql("ALTER FUNCTION lost_jobs RENAME TO take_jobs")

            #expect(try await bench.ended(id).state == .done)
        }
    }

    @Test func `what a service wrote cannot keep its job from ending`() async throws {
        let service = ScriptedSubmitter()
        service.fail(.rejected(SubmissionProblem("It is too long.", detail: "NUL: \u{0}")))
        service.play { _ throws(SubmissionError) in
            Receipt(remoteID: "\u{0}7", url: "https://social.test/\u{0}", text: "\u{0}")
        }
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let first = try await bench.submit(to: connection)
            let second = try await bench.submit(to: connection)
            _ = bench.start()

            #expect(try await bench.ended(first).state == .rejected)
            #expect(try await bench.ended(second).remoteID == "\u{FFFD}7")
        }
    }

    @Test func `a journal that cannot be read is trouble like any other`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
            try await bench.sql("UPDATE jobs SET journal = '{\"deep\": \(deep)}'")
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .waiting)
            #expect(submission.attempts == 1)
        }
    }

    @Test func `a rescued job is taken at once`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        let end = Signal()
        service.play { _ throws(SubmissionError) in
            begun.fire()
            await end.wait()
            throw .cancelled
        }
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let id = try await bench.submit(to: connection)
            _ = bench.start("dead")
            await begun.wait()
            _ = bench.start("heir") { $0.rescue = .milliseconds(20) }
            try await bench.endLeases()

            #expect(try await bench.ended(id).state == .done)
            end.fire()
        }
    }
}
