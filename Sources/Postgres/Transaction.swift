/// An open transaction: statements run on its one connection, in the order they are called.
package struct Transaction: Queryable {
    let connection: PostgresConnection
    let number: Int

    /// Runs `steps` in one round trip. Once a statement was refused, the server refuses all others, and the transaction
    /// is rolled back also when the error is caught.
    package func perform(_ steps: [Step]) async throws(PostgresError) {
        try await connection.perform(steps, in: number)
    }
}

/// How much a transaction sees of others (PostgreSQL manual, "Transaction Isolation").
package enum TransactionIsolation: Sendable {
    /// Each statement sees what was committed before it.
    case readCommitted
    /// All statements see what was committed before the first.
    case repeatableRead
    /// As if transactions ran one after the other; ask for retries.
    case serializable

    var begin: Query<Void> {
        switch self {
        case .readCommitted: Query("begin", "BEGIN")
        case .repeatableRead: Query("begin_repeatable_read", "BEGIN ISOLATION LEVEL REPEATABLE READ")
        case .serializable: Query("begin_serializable", "BEGIN ISOLATION LEVEL SERIALIZABLE")
        }
    }
}

/// The transaction of a connection.
struct TransactionState {
    /// Counts transactions, to tell a statement that comes after its transaction's end.
    var number = 0
    var isActive = false
    /// The `BEGIN` that the first statement takes along.
    var begin: Step?
    /// The first refusal: the server will roll back.
    var failure: PostgresError?
}

extension PostgresConnection {
    /// Opens a transaction, without a round trip of its own.
    func begin(_ isolation: TransactionIsolation) -> Transaction {
        transaction = TransactionState(
            number: transaction.number + 1, isActive: true, begin: Step(isolation.begin, into: Received()))
        return Transaction(connection: self, number: transaction.number)
    }

    func perform(_ steps: [Step], in number: Int) async throws(PostgresError) {
        guard transaction.isActive, transaction.number == number else { throw .misuse("the transaction is over") }
        for step in steps { try step.validate() }
        let begin = transaction.begin.map { [$0] + opening } ?? []
        transaction.begin = nil
        do throws(PostgresError) {
            try await exchange(begin + steps)
        } catch {
            transaction.failure = transaction.failure ?? error
            throw error
        }
    }

    /// Makes the changes last.
    ///
    /// - Throws: Also what an earlier statement threw, because the server then answers `COMMIT` by rolling back.
    func commit() async throws(PostgresError) {
        transaction.isActive = false
        if let failure = transaction.failure { throw failure }
        if transaction.begin == nil {
            do throws(PostgresError) {
                try await exchange([Step(Query("commit", "COMMIT"), into: Received())], isCancellable: false)
            } catch {
                transaction.failure = error
                throw error
            }
        }
    }

    /// Undoes the changes and tells whether another transaction was in the way, so that trying again makes sense.
    func rollBack() async -> Bool {
        transaction.isActive = false
        if transaction.begin == nil, !isUsable {
            do throws(PostgresError) {
                try await exchange([Step(Query("rollback", "ROLLBACK"), into: Received())], isCancellable: false)
            } catch {
                // Then the session ends, and the transaction with it.
                close()
            }
        }
        return transaction.failure?.isSerializationFailure ?? false
    }
}
