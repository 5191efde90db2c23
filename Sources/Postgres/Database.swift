package import EventLoops
package import Logging
internal import Synchronization

/// A PostgreSQL server as the program sees it: one pool of connections for each event loop.
///
/// A caller on one of the loops uses that loop's pool and never leaves the loop; others are spread over the pools, without
/// those of reserved loops.
package final class Database: Queryable {
    /// How it was set up.
    package var settings: DatabaseSettings { connector.settings }

    package let logger: Logger
    let connector: Connector
    private let pools: [PostgresPool]
    private let reserved: [PostgresPool]
    private let next = Atomic(0)

    /// Connects only when the first statement comes. There must be a loop; `close()` it in the end.
    ///
    /// The pools of `reserved` loops serve callers on these loops alone.
    package init(_ settings: DatabaseSettings, loops: [EventLoop], reserved: [EventLoop] = [], logger: Logger) {
        precondition(!loops.isEmpty, "a database needs an event loop")
        self.logger = logger
        let connector = Connector(settings, logger: logger)
        self.connector = connector
        pools = loops.map { PostgresPool(connector: connector, loop: $0) }
        self.reserved = reserved.map { PostgresPool(connector: connector, loop: $0) }
    }

    package func perform(_ steps: [Step]) async throws(PostgresError) {
        try await pool.perform(steps)
    }

    /// Runs `body` in a transaction that is committed when `body` returns and rolled back when it throws.
    ///
    /// `COMMIT` is not cancelled with the task. Statements go through the transaction, not the database, which would
    /// take a second connection.
    ///
    /// - Parameters:
    ///   - isolation: How much it sees of others.
    ///   - retries: How often `body` is run again from its start after a serialization failure or a deadlock.
    ///   - body: Gets the transaction; must not use it afterwards.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, also made from a failed begin or commit of the transaction. After
    ///   `.disconnected(sent: true, …)` of `COMMIT` nobody knows whether the changes last.
    @discardableResult
    package func transaction<Value, Failure: PostgresErrorConvertible>(
        isolation: TransactionIsolation = .readCommitted, retries: Int = 0,
        _ body: (Transaction) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        var retriesLeft = retries
        while true {
            let (pool, connection) = try await lend(as: Failure.self)
            let transaction = await connection.begin(isolation)
            do throws(Failure) {
                let value = try await body(transaction)
                try await commit(connection, as: Failure.self)
                await pool.release(connection)
                return value
            } catch {
                let wasInTheWay = await connection.rollBack()
                await pool.release(connection)
                guard wasInTheWay, retriesLeft > 0, !Task.isCancelled else { throw error }
                retriesLeft -= 1
            }
        }
    }

    /// How busy all pools are together.
    package func statistics() async -> PoolStatistics {
        var sum = PoolStatistics()
        for pool in pools + reserved {
            let part = await pool.statistics
            sum.lent += part.lent
            sum.idle += part.idle
            sum.connecting += part.connecting
            sum.waiting += part.waiting
            sum.limit += part.limit
        }
        return sum
    }

    /// Closes idle connections now and the others when their statement or transaction ends; new work gets `.closed`.
    package func close() async {
        for pool in pools + reserved { await pool.close() }
    }

    /// The connections that it opens at most; one more for each reserved loop, whose pool needs no other.
    package var mostConnections: Int { settings.connectionsPerLoop * pools.count + reserved.count }

    /// The loops it serves, without the reserved ones.
    package var loops: [EventLoop] { pools.map(\.loop) }

    /// Where work that belongs to no pool runs.
    var loop: EventLoop { pool.loop }

    /// The current loop's pool, elsewhere one after the other.
    private var pool: PostgresPool {
        if let current = EventLoop.current {
            for pool in pools where pool.loop === current { return pool }
            for pool in reserved where pool.loop === current { return pool }
        }
        let turn = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return pools[(turn & Int.max) % pools.count]
    }

    private func lend<Failure: PostgresErrorConvertible>(
        as failure: Failure.Type
    ) async throws(Failure) -> (PostgresPool, PostgresConnection) {
        let pool = pool
        do throws(PostgresError) {
            return (pool, try await pool.acquire())
        } catch {
            throw Failure(error)
        }
    }

    private func commit<Failure: PostgresErrorConvertible>(
        _ connection: PostgresConnection, as failure: Failure.Type
    ) async throws(Failure) {
        do throws(PostgresError) {
            try await connection.commit()
        } catch {
            throw Failure(error)
        }
    }
}

/// An error that the body of a transaction may throw: one that a failed `BEGIN` or `COMMIT` can become.
package protocol PostgresErrorConvertible: Error {
    init(_ error: PostgresError)
}

extension PostgresError: PostgresErrorConvertible {
    package init(_ error: PostgresError) { self = error }
}
