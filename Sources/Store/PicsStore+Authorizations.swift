package import Domain
package import FoundationEssentials
internal import Postgres

extension PicsStore {
    /// Keeps a connection that was begun in a browser.
    ///
    /// - Returns: False when the user has `limit` open ones already.
    package func add(_ new: NewAuthorization, limit: Int) async throws(StoreError) -> Bool {
        try await first(.addAuthorization(new, limit: limit)) ?? false
    }

    /// Takes the one that a state belongs to, once; what its end needs is forgotten with it.
    ///
    /// - Parameters:
    ///   - stateHash: SHA-256 of the state.
    ///   - user: Whose it must be; nil: anybody's.
    /// - Returns: What it needs to end.
    /// - Throws: `.notFound` when there is none, `.gone` when it was taken before.
    package func claimAuthorization(
        stateHash: [UInt8], of user: UserID?
    ) async throws(StoreError) -> ClaimedAuthorization {
        if let taken = try await first(.claimAuthorization(stateHash: stateHash, user: user)) { return taken }
        // Nobody learns from an answer that another user's is there.
        guard user == nil, try await one(.hasAuthorization(stateHash: stateHash)) else { throw .notFound }
        throw .gone
    }

    /// Lets one that was taken wait for its app, which has to bring a code.
    package func holdAuthorization(
        _ id: AuthorizationID, claimHash: [UInt8], sealed: [UInt8]
    ) async throws(StoreError) {
        try await execute(.holdAuthorization(id, claimHash: claimHash, sealed: sealed))
    }

    /// Takes one that waits for its app, once.
    ///
    /// - Throws: `.notFound` when none of this user waits for this code.
    package func claimAuthorization(
        _ id: AuthorizationID, claimHash: [UInt8], of user: UserID
    ) async throws(StoreError) -> ClaimedAuthorization {
        guard let taken = try await first(.claimAuthorization(id, claimHash: claimHash, user: user)) else {
            throw .notFound
        }
        return taken
    }

    /// Notes what came of one that was taken.
    package func endAuthorization(
        _ id: AuthorizationID, connection: AccountID?, problem: Problem?
    ) async throws(StoreError) {
        try await execute(.endAuthorization(id, connection: connection, problem: problem))
    }

    /// How far a user's is.
    package func authorization(_ id: AuthorizationID, of user: UserID) async throws(StoreError) -> AuthorizationProgress
    {
        guard let progress = try await first(.authorization(id, user: user)) else { throw .notFound }
        return progress
    }

    /// Forgets those that have ended before `time`.
    package func pruneAuthorizations(before time: Date) async throws(StoreError) {
        try await execute(.pruneAuthorizations(before: time))
    }
}
