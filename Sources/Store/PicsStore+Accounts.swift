package import Domain
internal import FoundationEssentials
internal import Postgres

extension PicsStore {
    /// An account of the owner's with its sealed credentials.
    ///
    /// - Throws: `.notFound` also for a disconnected one.
    package func account(_ connection: AccountID, owner: UserID) async throws(StoreError) -> SealedAccount {
        guard let account = try await first(.account(connection, owner: owner)) else { throw .notFound }
        return account
    }

    /// An account of the owner's by its identity at its service; nil when it is not connected.
    package func account(
        _ service: String, remoteID: String, owner: UserID
    ) async throws(StoreError) -> SealedAccount? {
        try await first(.account(service, remoteID: remoteID, owner: owner))
    }

    /// One of the owner's accounts.
    package func connection(_ id: AccountID, owner: UserID) async throws(StoreError) -> AccountRecord {
        guard let record = try await connections(of: owner).first(where: { $0.connection.id == id }) else {
            throw .notFound
        }
        return record
    }

    /// Adds what the owner has chosen to an account's settings, a JSON object; null takes a choice back. Texts that wait
    /// for the account and have not begun are planned anew by `plan` in the same transaction; nil leaves them.
    package func choose(
        _ settings: String, for connection: AccountID, owner: UserID, replanning plan: TextPlanning? = nil
    ) async throws(StoreError) {
        let isThere = try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                let rows = try await transaction.run(.chooseSettings(settings, of: connection, owner: owner))
                guard let id = rows.first else { return false }
                if let plan { try await replan(id, in: transaction, plan) }
                return true
            }
        }
        if !isThere { throw .notFound }
    }

    /// Forgets an account's credentials, cancels what waits for it and asks what runs to end. Where its photos are stays
    /// known.
    ///
    /// `isRevoked` says that the service is to hear of it: then the credentials stay for that, as `claimRevocations` has them,
    /// until `endRevocation`.
    ///
    /// - Returns: How many submissions were ended.
    package func disconnect(
        _ connection: AccountID, owner: UserID, toBeRevoked isRevoked: Bool = false
    ) async throws(StoreError) -> Int {
        let count = try await mappingErrors { () async throws(PostgresError) -> Int32? in
            try await database.transaction { transaction throws(PostgresError) -> Int32? in
                if isRevoked { try await transaction.execute(.keepForRevocation(connection, owner: owner)) }
                let count = try await transaction.run(.disconnect(connection, owner: owner)).first.flatMap(\.self)
                if count != nil {
                    try await transaction.execute(
                        .audit(AuditEntry(.accountDisconnected, .init(.account, connection), of: owner)))
                }
                return count
            }
        }
        guard let count else { throw .notFound }
        return Int(count)
    }

    /// Ends work of disconnected accounts that has come back since.
    ///
    /// - Returns: How many submissions were ended.
    package func sweepDisconnected() async throws(StoreError) -> Int { Int(try await one(.sweepDisconnected()) ?? 0) }
}
