internal import Domain
internal import Submitters
internal import TestTools
internal import Testing

@testable import Jobs

/// Work that several want at the same time.
@Suite(.timeLimit(.minutes(1)))
struct SharedWorkTests {
    private final class Result: Sendable {}

    private typealias Work = SharedWork<String, Result, SubmissionError>

    private let work = Work()
    private let begun = Box(0)
    private let canEnd = Signal()

    private func value(_ key: String = "key") async throws(SubmissionError) -> Result {
        try await work.value(of: key) { [begun, canEnd] () async throws(SubmissionError) in
            begun.update { $0 += 1 }
            try await canEnd.wait(orThrow: SubmissionError.cancelled)
            return Result()
        }
    }

    /// Begins to wait; returns once `count` wait in all.
    private func wait(as count: Int) async -> Task<Result, any Error> {
        let task = Task { try await value() }
        await until { work.waiting(for: "key") == count }
        return task
    }

    @Test func `all who ask get one result, and later ones as long as somebody holds it`() async throws {
        let first = await wait(as: 1)
        let second = await wait(as: 2)
        canEnd.fire()

        let result = try await first.value
        #expect(try await second.value === result)
        #expect(try await value() === result)
        #expect(begun.value == 1)
        #expect(try await value("another") !== result)
    }

    @Test func `what nobody holds is made anew`() async throws {
        canEnd.fire()
        weak var first: Result?
        do {
            let result = try await value()
            first = result
            #expect(first != nil)
        }
        await until { first == nil }
        _ = try await value()
        #expect(begun.value == 2)
    }

    @Test func `work that fails does so for all who wait, and the next does it anew`() async throws {
        let fails = Signal()
        let failing = { @Sendable () async throws(SubmissionError) -> Result in
            await fails.wait()
            throw .rejected(.unsupportedType)
        }
        let waiting = (0..<2).map { _ in Task { try await work.value(of: "key", failing) } }
        await until { work.waiting(for: "key") == 2 }
        fails.fire()
        for task in waiting {
            await #expect(throws: SubmissionError.rejected(.unsupportedType)) { try await task.value }
        }
        canEnd.fire()
        _ = try await value()
    }

    @Test func `work goes on while one waits for it, and is cancelled with the last`() async throws {
        let first = await wait(as: 1)
        let second = await wait(as: 2)
        first.cancel()
        await until { work.waiting(for: "key") == 1 }
        second.cancel()
        for task in [first, second] { await #expect(throws: SubmissionError.cancelled) { try await task.value } }

        let third = await wait(as: 1)
        canEnd.fire()
        _ = try await third.value
        #expect(begun.value == 2, "who comes after that does not join it")
    }

    @Test func `who was cancelled gets the result that another still waits for`() async throws {
        let first = await wait(as: 1)
        let second = await wait(as: 2)
        first.cancel()
        await until { work.waiting(for: "key") == 1 }
        canEnd.fire()
        #expect(try await first.value === second.value)
    }
}
