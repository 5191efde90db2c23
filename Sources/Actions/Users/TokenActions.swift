package import Crypto
package import Domain
package import Store

/// The API tokens of users. Only their hashes are stored.
package struct TokenActions: Sendable {
    private let store: PicsStore
    /// Tokens that a user may have, counting those revoked in the last 24 hours.
    package let limit: Int

    package init(store: PicsStore, limit: Int) { (self.store, self.limit) = (store, limit) }

    /// A new token, which nothing knows until it is added.
    package static func make() -> Secret<String> { makeToken(prefix: "pics_") }

    /// Makes a token and lets it in, for its `life` where it has one.
    ///
    /// - Throws: `ActionError.tooManyTokens`; `StoreError`.
    package func issue(
        to user: UserID, named name: String, scopes: [Scope], life: Duration? = nil
    ) async throws -> Secret<String> {
        let token = Self.make()
        try await add(token, of: user, named: name, scopes: scopes, life: life)
        return token
    }

    /// Lets a token in from now on.
    ///
    /// - Throws: `ActionError.tooManyTokens`; `StoreError`.
    package func add(
        _ token: Secret<String>, of user: UserID, named name: String, scopes: [Scope], life: Duration? = nil
    ) async throws {
        do throws(StoreError) {
            _ = try await store.addToken(
                of: user, hash: SHA256Digest(of: token.reveal()).bytes, name: name, scopes: scopes,
                life: life, limit: limit)
        } catch {
            guard error.isConflict(of: "tokens_per_user") else { throw error }
            throw ActionError.tooManyTokens(limit)
        }
    }
}
