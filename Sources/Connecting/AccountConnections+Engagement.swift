package import Domain
package import Foundation
internal import Store
internal import Submitters

extension AccountConnections {
    /// How many people like a post of an account, as its service counts them.
    ///
    /// - Returns: Nil when the service does not tell; 0 when the post is gone.
    /// - Throws: `StoreError.notFound` when the account is not the owner's; `SubmissionError`; `CryptoError`.
    package func likes(
        of remoteID: String, url: String?, by connection: AccountID, owner: UserID,
        now: @escaping @Sendable () -> Date
    ) async throws -> Int? {
        let stored = try await store.account(connection, owner: owner)
        guard let submitter = registry[stored.service] as? any EngagementSubmitter else { return nil }
        let account = try await account(stored, for: submitter)
        let post = PublishedPost(remoteID: remoteID, url: url, account: account, transport: transport, now: now)
        do throws(SubmissionError) {
            return try await submitter.engagement(of: post).likes
        } catch {
            if case .gone = error { return 0 }
            throw error
        }
    }
}
