package import Domain
internal import Postgres

extension PicsStore {
    /// What a user's sign-in asks for beside the password; nil for nothing.
    package func secondFactor(of user: UserID) async throws(StoreError) -> SecondFactorRecord? {
        try await first(.secondFactor(of: user))
    }

    /// Turns the second factor on.
    ///
    /// - Parameters:
    ///   - user: Whose.
    ///   - sealed: The secret of the app.
    ///   - step: Of the code that has shown that the app knows it; no code of it or earlier counts again.
    ///   - codes: The SHA-256 of each recovery code.
    /// - Returns: False when it is on already, or the user is gone; then nothing is changed.
    /// - Throws: `StoreError`.
    package func addSecondFactor(
        of user: UserID, sealed: [UInt8], step: Int64, codes: [[UInt8]]
    ) async throws(StoreError) -> Bool {
        try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                guard try await transaction.execute(.insertSecondFactor(of: user, sealed: sealed, step: step)) == 1
                else {
                    return false
                }
                try await transaction.execute(.insertRecoveryCodes(Array(codes.joined()), of: user))
                try await transaction.execute(.audit(AuditEntry(.secondFactorOn, to: user)))
                return true
            }
        }
    }

    /// Lets the code of a step count, once; `sealed` is the secret that made it. False when that code or a later one has counted.
    package func accept(step: Int64, of user: UserID, sealed: [UInt8]) async throws(StoreError) -> Bool {
        try await execute(.acceptStep(step, of: user, sealed: sealed)) == 1
    }

    /// Uses a recovery code up, by its SHA-256. False when there is none.
    package func useRecoveryCode(_ hash: [UInt8], of user: UserID) async throws(StoreError) -> Bool {
        try await execute(
            .useRecoveryCode(hash, of: user), audited: AuditEntry(.recoveryCodeUsed, to: user, by: user)) == 1
    }

    /// Replaces a user's recovery codes by those with these hashes. `.notFound` when they have no second factor.
    package func replaceRecoveryCodes(of user: UserID, by codes: [[UInt8]]) async throws(StoreError) {
        let isThere = try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                guard try await transaction.execute(.lockSecondFactor(of: user)) == 1 else { return false }
                try await transaction.execute(.deleteRecoveryCodes(of: user))
                try await transaction.execute(.insertRecoveryCodes(Array(codes.joined()), of: user))
                try await transaction.execute(
                    .audit(AuditEntry(.secondFactorOn, to: user, [AuditEntry.recoveryCodes: "replaced"])))
                return true
            }
        }
        guard isThere else { throw .notFound }
    }

    /// Turns the second factor off. `.notFound` when there is none.
    package func deleteSecondFactor(of user: UserID) async throws(StoreError) {
        let action: AuditAction = Initiator.current.user == user ? .secondFactorOff : .secondFactorRemoved
        let count = try await execute(.deleteSecondFactor(of: user), audited: AuditEntry(action, to: user))
        guard count == 1 else { throw .notFound }
    }
}
