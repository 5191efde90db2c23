import Domain
import Foundation
import Postgres
import System
import TestTools
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(5)))
struct SearchTurnTests {
    /// A search that has begun goes on once the test lets it.
    private struct Search {
        let begun = Signal()
        let go = Signal()
        let running: Task<Bool, any Error>

        init(of owner: UserID, in turns: SearchTurns) {
            running = Task { [begun, go] in
                try await turns.take(of: owner) {
                    begun.fire()
                    await go.wait()
                    return true
                }
            }
        }

        func end() async throws {
            go.fire()
            #expect(try await running.value)
        }
    }

    @Test func `an owner's searches run one at a time, and do not hold up another's`() async throws {
        let turns = SearchTurns(connections: 8)
        let (owner, other) = (UserID(UUID()), UserID(UUID()))
        let first = Search(of: owner, in: turns)
        await first.begun.wait()
        let second = Search(of: owner, in: turns)
        let others = Search(of: other, in: turns)

        await others.begun.wait()
        while turns.waiting(of: owner) < 1 { await Task.yield() }
        try await first.end()
        await second.begun.wait()
        try await others.end()
        try await second.end()
    }

    @Test func `everybody's searches leave most of the connections`() async throws {
        let turns = SearchTurns(connections: 8)
        let first = [Search(of: UserID(UUID()), in: turns), Search(of: UserID(UUID()), in: turns)]
        for search in first { await search.begun.wait() }
        let third = Search(of: UserID(UUID()), in: turns)
        while turns.waiting < 1 { await Task.yield() }
        try await first[0].end()
        await third.begun.wait()

        try await first[1].end()
        try await third.end()
    }

    @Test func `more searches of an owner than may wait are refused`() async throws {
        let turns = SearchTurns(connections: 8)
        let owner = UserID(UUID())
        let searches = (0..<SearchTurns.mostOfOwner).map { _ in Search(of: owner, in: turns) }
        while turns.waiting(of: owner) < SearchTurns.mostOfOwner - 1 { await Task.yield() }

        await #expect(throws: StoreError.searchesBusy) { try await turns.take(of: owner) { () } }
        for search in searches { search.go.fire() }
        for search in searches { try await search.end() }
        #expect(try await turns.take(of: owner) { true })
    }

    @Test func `a search that takes too long is ended and says so`() async throws {
        try await withStore { bench in
            try await bench.database.transaction { transaction async throws(PostgresError) in
                _ = try await transaction.run(.statement("LOCK TABLE photos IN ACCESS EXCLUSIVE MODE", []))
                do throws(StoreError) {
                    _ = try await bench.store.search(
                        .gallery(of: bench.owner.id, tag: "boats", before: nil, limit: 1), of: bench.owner.id,
                        in: bench.store.publicSearches, limit: .milliseconds(20))
                    Issue.record("It waited for the lock.")
                } catch {
                    #expect(error == .searchTooLong)
                }
            }
        }
    }
}
