internal import Domain
internal import HTTP
internal import Jobs
internal import Submitters
internal import System
internal import TestTools
internal import Testing

/// Writes that the database refuses, or has no room for, in the middle of an attempt.
@Suite(.timeLimit(.minutes(5)))
struct TroubleTests {
    @Test func `a receipt outlives the trouble of a database, and a lease that nobody has taken`() async throws {
        let service = ScriptedSubmitter()
        // It arms nothing: a slow machine would not get that done within such a lease.
        service.play { task throws(SubmissionError) in ScriptedSubmitter.receipt(task.submission) }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            try await bench.refuse("submissions", when: "NEW.state = 'done'")
            _ = bench.start { $0.lease = .milliseconds(300) }
            // The third try comes 750 ms after the first.
            await bench.log.wait(for: "job not settled", count: 3)
            try await bench.accept("submissions")

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
            try await bench.refuse("jobs", when: "NEW.journal ? 'posted'")
            refused.fire()
            let lost = try await bench.ended(id)
            try await bench.accept("jobs")
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
            try await bench.refuse("jobs", when: "NEW.effect = 'armed'")
            let worker = bench.start()
            let refused = try await bench.ended(id)
            try await bench.accept("jobs")
            try await bench.makeDue()
            await worker.wake()

            #expect(refused.state == .waiting)
            #expect(refused.attempts == 1)
            #expect(try await bench.ended(id, tries: 2).state == .done)
            #expect(service.calls == [.submit(id), .submit(id)])
        }
    }

    @Test func `who was held up while arming sends nothing, since others may have taken the job`() async throws {
        let service = ScriptedSubmitter()
        let refusals = Box<[SubmissionError?]>([])
        service.play { task throws(SubmissionError) in
            let refusal = await task.refusalToArm()
            refusals.update { $0.append(refusal) }
            throw refusal ?? .rejected(SubmissionProblem(.other("It was armed.")))
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start { $0.lease = .zero }

            let submission = try await bench.ended(id)

            #expect(submission.state == .waiting)
            #expect(
                refusals.value == [.temporary(Problem(.interrupted))])
            #expect(try await bench.value("SELECT effect FROM jobs") == "none")
        }
    }

    @Test func `a worker outlives its connections`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        let end = Signal()
        service.play { task throws(SubmissionError) in
            begun.fire()
            await end.wait()
            return try await ScriptedSubmitter.publish(task)
        }
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let first = try await bench.submit(to: connection)
            let second = try await bench.submit(to: connection)
            _ = bench.start { $0.poll = .milliseconds(20) }
            await begun.wait()
            try await bench.sql(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid()
                """)
            end.fire()

            // The first may have met a connection that was cut, and is tried again.
            for submission in [first, second] {
                await bench.log.wait(for: "submission tried", submission.description, "state=done")
            }
            #expect(try await bench.submission(first).state == .done)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `work that is due is found at once behind lanes that a breaker holds`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            for number in 1...5 {
                try await bench.submit(to: try await bench.connect("behind \(number)", gate: "away"))
            }
            let id = try await bench.submit(to: try await bench.connect("in front", gate: "there"))
            try await bench.sql(
                "UPDATE gates SET failures = 3, open_until = now() + interval '1 hour' WHERE name = 'away'")
            try await bench.sql(
                "UPDATE lanes SET wake_at = now() - CASE gate WHEN 'away' THEN interval '1 h' ELSE interval '1 s' END")
            _ = bench.start {
                $0.concurrency = 1
                $0.poll = .seconds(600)
            }

            #expect(try await bench.ended(id).state == .done)
        }
    }

    @Test func `an attempt begins while the outcome of another cannot be written`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let first = try await bench.submit(to: try await bench.connect("first"))
            let second = try await bench.submit(to: try await bench.connect("second"))
            try await bench.refuse("submissions", when: "NEW.id = '\(first)' AND NEW.state = 'done'")
            _ = bench.start { $0.concurrency = 1 }

            #expect(try await bench.ended(second).state == .done)
            #expect(try await bench.state(first) != .done)
            try await bench.accept("submissions")
            #expect(try await bench.ended(first).state == .done)
        }
    }

    @Test func `a claim that hangs costs no lease`() async throws {
        let service = ScriptedSubmitter()
        let begun = Signal()
        let end = Signal()
        service.play { task throws(SubmissionError) in
            begun.fire()
            await end.wait()
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start { $0.heartbeat = .milliseconds(20) }
            await begun.wait()
            try await bench.withLanesLocked {
                await worker.wake()
                try await bench.untilTaking()
                try await bench.endLeases()
                try await bench.until("SELECT lease_until > now() FROM jobs")
            }
            end.fire()

            #expect(try await bench.ended(id).state == .done)
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
        service.fail(.rejected(SubmissionProblem(.other("It is too long."), detail: "NUL: \u{0}")))
        service.play { _ throws(SubmissionError) in
            Receipt(remoteID: "7", url: "https://social.test/\u{0}", text: "\u{0}")
        }
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let first = try await bench.submit(to: connection)
            let second = try await bench.submit(to: connection)
            _ = bench.start()

            #expect(try await bench.ended(first).state == .rejected)
            let done = try await bench.ended(second)
            #expect(done.remoteID == "7")
            #expect(done.remoteURL == nil)
            #expect(done.text == "\u{FFFD}")
        }
    }

    @Test func `a post whose name cannot be kept is looked for`() async throws {
        let service = ScriptedSubmitter()
        service.play { task throws(SubmissionError) in
            try await task.journal.arm()
            return Receipt(remoteID: "\u{0}7", url: nil)
        }
        service.tell(.found(Receipt(remoteID: "7", url: nil)))
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            let unnamed = try await bench.ended(id)
            try await bench.makeDue()
            await worker.wake()

            #expect(unnamed.state == .waiting)
            #expect(try await bench.ended(id, tries: 2).remoteID == "7")
            #expect(service.calls == [.submit(id), .reconcile(id)])
            #expect(try await bench.attempts(id) == ["unknown_outcome", "done"])
        }
    }

    @Test(arguments: [(false, "temporary", "none"), (true, "unknown_outcome", "armed")])
    func `a step that no database can hold is an answer that Pics does not understand`(
        isArmed: Bool, outcome: String, effect: String
    ) async throws {
        let service = ScriptedSubmitter()
        service.play { task throws(SubmissionError) in
            if isArmed { try await task.journal.arm() }
            try await task.journal.record("upload", ["id": "7\u{0}"])
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .waiting)
            #expect(submission.problem == Problem(.unreadableResponse))
            #expect(try await bench.attempts(id) == [outcome])
            let left = try await bench.value(
                """
                SELECT effect::text || (journal - '{failures_before_open,appearance}'::text[]
                                        - '{pics.failures_before_open,pics.appearance}'::text[]) FROM jobs
                """)
            #expect(left == "\(effect){}")
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

    @Test func `an error that nobody expects is Pics's own, and stands in the log`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            try await bench.sql("ALTER TABLE companions RENAME TO companions_elsewhere")
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .waiting)
            #expect(submission.problem == Problem(.internalError))
            #expect(bench.log.count(" error ", "submission failed inside") == 1)
        }
    }

    @Test func `the queue's own members of a journal, also those of 0.1.0, are apart from a service's`() async throws {
        let service = ScriptedSubmitter()
        let seen = Lock([JSONValue?]())
        service.play { task throws(SubmissionError) in
            for key in ["pics.open_outcome", "open_outcome", "step"] {
                let value = await task.journal.value(key)
                seen.withLock { $0.append(value) }
            }
            try await task.journal.record("pics.open_outcome", "newer")
            throw .temporary(Problem(.busy))
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            try await bench.sql("UPDATE jobs SET journal = '{\"open_outcome\": \"earlier\", \"step\": 1}'")
            _ = bench.start()

            _ = try await bench.ended(id)

            #expect(seen.withLock { $0 } == ["earlier", nil, 1])
            // A worker of 0.1.0 that takes the job over finds it under its own name.
            #expect(
                try await bench.value(
                    "SELECT journal ->> 'open_outcome' || (journal ->> 'pics.open_outcome') FROM jobs")
                    == "newernewer")
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
            // Both have found that there is nothing more to do.
            await bench.log.wait(for: "queue read", "jobs=0", count: 2)
            try await bench.endLeases()

            #expect(try await bench.ended(id).state == .done)
            end.fire()
        }
    }
}
