internal import Domain
internal import Foundation
internal import HTTP
internal import Jobs
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

@Suite(.timeLimit(.minutes(5)))
struct OutcomeTests {
    private static let trouble = SubmissionProblem(
        Problem(.serverError, ProblemParameters(service: "Scripted", status: 503)), status: 503, detail: "upstream")

    @Test func `a due job is done, and the submission carries what the service gave back`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .done)
            #expect(submission.remoteID == "post-\(id)")
            #expect(submission.remoteURL == "https://social.test/\(id)")
            #expect(submission.attempts == 1)
            #expect(submission.bytesSent == submission.bytesTotal)
            #expect(submission.problem == nil)
            #expect(service.calls == [.submit(id)])
            #expect(try await bench.attempts(id) == ["done"])
            #expect(try await bench.value("SELECT count(*) FROM jobs") == "0")
        }
    }

    @Test func `a submitter gets the file, the texts, the opened credentials and a key that stays the same`()
        async throws
    {
        let service = ScriptedSubmitter()
        let seen = Box<[SubmissionTask]>([])
        let files = Box<[OutgoingFile]>([])
        let isThere = Box(false)
        service.play { task throws(SubmissionError) in
            seen.update { $0.append(task) }
            throw .temporary(Self.trouble, retryAfter: nil)
        }
        service.play { task throws(SubmissionError) in
            let file = try await task.file()
            seen.update { $0.append(task) }
            files.update { $0.append(file) }
            let content = await SharedParts.content(of: file.path)
            isThere.update { $0 = content?.count == 15 }
            return try await ScriptedSubmitter.publish(task)
        }
        try await withBench(service) { bench in
            let connection = try await bench.connect(settings: #"{"limit":500}"#)
            let id = try await bench.submit(to: connection, caption: "Sunset")
            let worker = bench.start()
            try await bench.ended(id)
            try await bench.makeDue()
            await worker.wake()
            try await bench.ended(id, tries: 2)

            let task = try #require(seen.value.last)
            #expect(seen.value.map(\.outboundKey) == ["pics-\(id)", "pics-\(id)"])
            #expect(task.text == "Sunset")
            #expect(task.shortURL == "https://pics.test/\(task.photo.code)")
            #expect(task.account.credentials["token"]?.string == "secret")
            #expect(task.account.settings["limit"]?.int == 500)
            #expect(task.photo.isVideo)
            #expect(files.value.map(\.bytes) == [15])
            #expect(isThere.value)
        }
    }

    @Test func `a text that had to differ from the plan is kept`() async throws {
        let service = ScriptedSubmitter()
        service.play { _ throws(SubmissionError) in Receipt(remoteID: "1", url: nil, text: "Sun…") }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.text == "Sun…")
            #expect(submission.remoteURL == nil)
        }
    }

    @Test func `trouble that passes lets it wait for its next try`() async throws {
        let service = ScriptedSubmitter()
        service.fail(.temporary(Self.trouble, retryAfter: nil))
        service.fail(.temporary(Self.trouble, retryAfter: .seconds(7200)))
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()

            let first = try await bench.ended(id)
            try await bench.makeDue()
            await worker.wake()
            let second = try await bench.ended(id, tries: 2)

            #expect(first.state == .waiting)
            #expect(first.attempts == 1)
            #expect(first.nextAttemptAt.map { $0 > first.updatedAt } == true)
            #expect(first.problem == Self.trouble.problem)
            #expect(second.attempts == 2)
            #expect(second.nextAttemptAt.map { $0 > Date(timeIntervalSinceNow: 7000) } == true)
            #expect(try await bench.attempts(id) == ["temporary", "temporary"])
            #expect(
                try await bench.value("SELECT http_status || detail FROM attempts ORDER BY id LIMIT 1") == "503upstream"
            )
        }
    }

    @Test func `a request whose outcome nobody knows is looked at when the service says`() async throws {
        let service = ScriptedSubmitter()
        service.play { task throws(SubmissionError) in
            try await task.journal.arm()
            throw .unknownOutcome(Self.trouble, retryAfter: .seconds(7200))
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .waiting)
            #expect(submission.nextAttemptAt.map { $0 > Date(timeIntervalSinceNow: 7000) } == true)
            #expect(try await bench.attempts(id) == ["unknown_outcome"])
        }
    }

    @Test func `after the last try it is rejected, with what was wrong`() async throws {
        let service = ScriptedSubmitter()
        service.fail(.temporary(Self.trouble, retryAfter: nil))
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), maximumAttempts: 1)
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .rejected)
            #expect(submission.problem?.code == .attemptsExhausted)
            #expect(submission.problem?.parameters.cause == .serverError)
            #expect(submission.problem?.parameters.status == 503)
        }
    }

    @Test func `a used up limit holds back its own lane alone, and does not count`() async throws {
        let service = ScriptedSubmitter()
        let limit = SubmissionProblem(.other("30 photos an hour are sent."), status: 429, detail: "Slow down")
        service.fail(.limited(limit, .account, until: Date(timeIntervalSinceNow: 3600)))
        try await withBench(service) { bench in
            let limited = try await bench.connect("limited")
            let free = try await bench.connect("free")
            let first = try await bench.submit(to: limited)
            let second = try await bench.submit(to: limited)
            let worker = bench.start()
            try await bench.ended(first)
            let third = try await bench.submit(to: free)
            await worker.wake()
            try await bench.ended(third)

            let submission = try await bench.submission(first)

            #expect(submission.state == .waiting)
            #expect(submission.attempts == 0)
            #expect(try await bench.state(second) == .waiting)
            #expect(service.calls == [.submit(first), .submit(third)])
            #expect(submission.problem == .other("30 photos an hour are sent."))
            #expect(submission.nextAttemptAt.map { $0 > Date(timeIntervalSinceNow: 3500) } == true)
            #expect(try await bench.submission(second).nextAttemptAt == submission.nextAttemptAt)
            #expect(try await bench.attempts(first) == ["limited_account"])
            #expect(try await bench.value("SELECT detail FROM attempts WHERE http_status = 429") == "Slow down")
            #expect(
                try await bench.value(
                    "SELECT blocked_until > now() + interval '59 minutes' FROM lanes WHERE connection_id = '\(limited)'"
                )
                    == "true")
        }
    }

    @Test func `refused credentials park the account until it is connected again`() async throws {
        let service = ScriptedSubmitter()
        service.fail(.unauthorized(SubmissionProblem(.other("Please connect again."), status: 401)))
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let first = try await bench.submit(to: connection)
            let second = try await bench.submit(to: connection)
            let worker = bench.start()
            let parked = try await bench.ended(first)
            await worker.wake()

            #expect(parked.state == .needsLogin)
            #expect(parked.problem == .other("Please connect again."))
            #expect(parked.attempts == 0)
            #expect(try await bench.state(second) == .needsLogin)
            #expect(try await bench.store.connections(of: bench.owner.id).map(\.connection.state) == [.needsLogin])

            try await bench.connect()
            await worker.wake()
            try await bench.ended(first, tries: 2)
            try await bench.ended(second)

            #expect(service.calls == [.submit(first), .submit(first), .submit(second)])
            #expect(try await bench.state(first) == .done)
            #expect(try await bench.state(second) == .done)
        }
    }

    @Test(arguments: [
        (SubmissionError.rejected(SubmissionProblem(.other("It is too long."))), "It is too long."),
        (.gone(SubmissionProblem(.other("The account is gone."))), "The account is gone."),
    ])
    func `what the service will never take ends with its sentence`(error: SubmissionError, sentence: String)
        async throws
    {
        let service = ScriptedSubmitter()
        service.fail(error)
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start()

            let submission = try await bench.ended(id)

            #expect(submission.state == .rejected)
            #expect(submission.problem?.text == sentence)
            #expect(try await bench.value("SELECT count(*) FROM jobs") == "0")
        }
    }

    @Test func `work in progress keeps its place in a sequential lane and does not count`() async throws {
        let service = ScriptedSubmitter()
        service.fail(.notYet(checkAfter: .seconds(600)))
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let first = try await bench.submit(to: connection)
            let second = try await bench.submit(to: connection)
            let worker = bench.start()
            await bench.log.wait(for: "submission given back", first.description)
            let waiting = try await bench.submission(first)
            try await bench.makeDue()
            await worker.wake()
            let done = try await bench.ended(first)
            try await bench.ended(second)

            #expect(waiting.state == .waiting)
            #expect(waiting.attempts == 0)
            #expect(done.attempts == 1)
            #expect(service.calls == [.submit(first), .submit(first), .submit(second)])
            #expect(try await bench.attempts(first) == ["done"])
        }
    }

    @Test func `work in progress lets the others of a wide lane pass`() async throws {
        let service = ScriptedSubmitter(concurrency: 2)
        service.fail(.notYet(checkAfter: .seconds(600)))
        try await withBench(service) { bench in
            let connection = try await bench.connect(maximumRunning: 2)
            let first = try await bench.submit(to: connection)
            let worker = bench.start()
            await bench.log.wait(for: "submission given back", first.description)
            let second = try await bench.submit(to: connection)
            await worker.wake()

            let passed = try await bench.ended(second)

            #expect(passed.state == .done)
            let waiting = try await bench.submission(first)
            #expect(waiting.nextAttemptAt.map { $0 > waiting.updatedAt } == true)
        }
    }

    @Test func `a worker that nobody polls is woken by a notification`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let connection = try await bench.connect()
            let worker = bench.start()
            let listening = await bench.listen(for: worker)
            for _ in 0..<5 {
                let id = try await bench.submit(to: connection)
                #expect(try await bench.ended(id).state == .done)
            }
            await listening.stop()
        }
    }
}
