internal import Domain
internal import HTTP
internal import Jobs
internal import Submitters
internal import System
internal import TestTools
internal import Testing

/// Several workers on one database.
@Suite(.timeLimit(.minutes(5)))
struct SharedQueueTests {
    /// Counts what runs at once for each account, as the service sees it.
    private final class CallCounter: Sendable {
        private struct State {
            var inside: [String: Int] = [:]
            var most: [String: Int] = [:]
            var order: [String: [SubmissionID]] = [:]
        }

        private let state = Lock(State())

        var most: [String: Int] { state.withLock { $0.most } }

        func order(_ account: String) -> [SubmissionID] { state.withLock { $0.order[account] ?? [] } }

        func enter(_ task: SubmissionTask) {
            state.withLock { state in
                let inside = (state.inside[task.account.name] ?? 0) + 1
                state.inside[task.account.name] = inside
                state.most[task.account.name] = max(state.most[task.account.name] ?? 0, inside)
                state.order[task.account.name, default: []].append(task.submission)
            }
        }

        func leave(_ task: SubmissionTask) {
            state.withLock { $0.inside[task.account.name, default: 0] -= 1 }
        }

        /// A round trip to the database between the gates gives others time to come in.
        var step: ScriptedSubmitter.Step {
            { [self] task throws(SubmissionError) in
                enter(task)
                defer { leave(task) }
                try await task.journal.record("upload", 1)
                try await task.journal.arm()
                return ScriptedSubmitter.receipt(task.submission)
            }
        }
    }

    @Test func `each submission is published once, and no lane runs more than it may`() async throws {
        let service = ScriptedSubmitter()
        let counter = CallCounter()
        try await withBench(service) { bench in
            let narrow = try await bench.connect("narrow", maximumRunning: 1)
            let wide = try await bench.connect("wide", maximumRunning: 3)
            var (inNarrow, all): ([SubmissionID], [SubmissionID]) = ([], [])
            for _ in 0..<12 {
                service.play(counter.step)
                service.play(counter.step)
                inNarrow.append(try await bench.submit(to: narrow))
                all.append(try await bench.submit(to: wide))
            }
            all += inNarrow
            _ = bench.start("one") { $0.concurrency = 4 }
            _ = bench.start("two") { $0.concurrency = 4 }
            // A worker that has ended a job looks again; the other one is called.
            for id in all {
                try await bench.ended(id)
                await bench.wake()
            }

            #expect(service.calls.count == 24)
            #expect(try await bench.value("SELECT count(*) FROM submissions WHERE state = 'done'") == "24")
            #expect(try await bench.value("SELECT count(*) FROM attempts") == "24")
            #expect(counter.order("narrow") == inNarrow)
            #expect(counter.most["narrow"] == 1)
            #expect(counter.most["wide"].map { $0 <= 3 } == true)
        }
    }

    @Test func `a worker runs no more than it may, however much waits`() async throws {
        let service = ScriptedSubmitter(concurrency: 8)
        let full = Signal()
        let end = Signal()
        let running = Box(0)
        let step: ScriptedSubmitter.Step = { task throws(SubmissionError) in
            running.update { $0 += 1 }
            if running.value == 2 { full.fire() }
            await end.wait()
            return ScriptedSubmitter.receipt(task.submission)
        }
        for _ in 0..<4 { service.play(step) }
        try await withBench(service) { bench in
            let connection = try await bench.connect(maximumRunning: 8)
            var ids: [SubmissionID] = []
            for _ in 0..<4 { ids.append(try await bench.submit(to: connection)) }
            let worker = bench.start { $0.concurrency = 2 }
            await full.wait()
            await worker.wake()

            #expect(try await bench.value("SELECT count(*) FROM jobs WHERE state = 'running'") == "2")
            #expect(running.value == 2)

            end.fire()
            for id in ids { #expect(try await bench.ended(id).state == .done) }
        }
    }

    @Test func `a gap keeps the starts of a lane apart`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let connection = try await bench.connect(gap: .seconds(600))
            let first = try await bench.submit(to: connection)
            let second = try await bench.submit(to: connection)
            let worker = bench.start()
            try await bench.ended(first)
            await worker.wake()
            let other = try await bench.submit(to: try await bench.connect("other"))
            await worker.wake()
            try await bench.ended(other)

            #expect(service.calls == [.submit(first), .submit(other)])
            #expect(try await bench.state(second) == .waiting)
        }
    }
}
