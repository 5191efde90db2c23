import Domain
import Postgres
import System

/// Takes searches in turn, so that they leave connections and cores to others: a search may read the text of every photo of an
/// owner. One at a time for each owner, and a quarter of the connections for all.
final class SearchTurns: Sendable {
    private struct Owner {
        let turn = AsyncSemaphore(count: 1)
        var callers = 0
    }

    private let owners = Lock([UserID: Owner]())
    private let everybody: AsyncSemaphore

    /// Those of one owner that are under way or wait.
    static let mostOfOwner = 8

    init(connections: Int) { everybody = AsyncSemaphore(count: connections / 4) }

    /// Runs `search` when it is its turn.
    ///
    /// - Throws: `.searchesBusy` where too many wait already; the error of `search`.
    func take<Value>(
        of owner: UserID, _ search: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let turn = owners.withLock { owners -> AsyncSemaphore? in
            let found = owners[owner, default: Owner()]
            guard found.callers < Self.mostOfOwner else { return nil }
            owners[owner] = found
            owners[owner]?.callers += 1
            return found.turn
        }
        guard let turn else { throw .searchesBusy }
        defer {
            owners.withLock { owners in
                owners[owner]?.callers -= 1
                if owners[owner]?.callers == 0 { owners[owner] = nil }
            }
        }
        await turn.wait()
        defer { turn.signal() }
        await everybody.wait()
        defer { everybody.signal() }
        return try await search()
    }

    /// The owner's searches that wait for one of theirs.
    func waiting(of owner: UserID) -> Int { owners.withLock { $0[owner]?.turn.waitingCount ?? 0 } }

    /// Searches that wait for those of others.
    var waiting: Int { everybody.waitingCount }
}

extension PicsStore {
    /// How long a search may take; PostgreSQL ends it then.
    static let longestSearch = Duration.seconds(10)

    /// The rows of a query that compares texts of the owner's photos.
    ///
    /// - Throws: `.searchesBusy`; `.searchTooLong`; others as `rows`.
    func search<Row>(
        _ query: Query<Row>, of owner: UserID, in turns: SearchTurns, limit: Duration = PicsStore.longestSearch
    ) async throws(StoreError) -> [Row] {
        try await turns.take(of: owner) { () async throws(StoreError) in
            do throws(PostgresError) {
                return try await database.transaction { transaction async throws(PostgresError) in
                    try await transaction.run(.statementLimit(limit), query).1
                }
            } catch .timeout {
                throw .searchTooLong
            } catch {
                throw StoreError(error)
            }
        }
    }
}

extension Query where Row == Void {
    /// Bounds the statements that follow in a transaction.
    static func statementLimit(_ limit: Duration) -> Self {
        Query(
            "statement_limit", "SELECT set_config('statement_timeout', $1, true)",
            [String(Int64(limit / .milliseconds(1)))])
    }
}
