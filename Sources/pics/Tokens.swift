import Crypto
import Domain
import Store

extension PicsStore {
    /// Makes a token. Only its hash is kept.
    ///
    /// - Throws: `.conflict("tokens_per_user")` when the user has `limit` tokens.
    func issueToken(
        to user: User, named name: String, scopes: [Scope], limit: Int = .max
    ) async throws -> Secret<String> {
        let token = makeToken(prefix: "pics_")
        try await keep(token, of: user, named: name, scopes: scopes, limit: limit)
        return token
    }

    /// Lets a token in from now on. Only its hash is kept.
    ///
    /// - Throws: `.conflict("tokens_per_user")` when the user has `limit` tokens.
    func keep(
        _ token: Secret<String>, of user: User, named name: String, scopes: [Scope], limit: Int = .max
    ) async throws {
        let hash = SHA256Digest(of: token.reveal()).bytes
        _ = try await addToken(of: user.id, hash: hash, name: name, scopes: scopes, limit: limit)
    }
}
