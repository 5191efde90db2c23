import Connecting
import Crypto
import Domain
import Foundation
import Store
import Submitters

/// What commands do to users and tokens.
struct Accounts {
    private let runtime: Runtime

    init(_ runtime: Runtime) { self.runtime = runtime }

    /// Adds a user, whose photos the file service archives from the start.
    func addUser(_ name: String, isAdmin: Bool, timeZone: String) async throws -> User {
        guard TimeZone(identifier: timeZone) != nil else { throw UsageError("There is no time zone \(timeZone).") }
        let user = try await runtime.store.addUser(name, isAdmin: isAdmin, timeZone: timeZone)
        try await welcome(user)
        return user
    }

    /// Connects what a new user has from the start.
    func welcome(_ user: User) async throws {
        if let file = runtime.registry["file"] {
            _ = try await runtime.connecting.connect(file, of: user, entered: [:])
        }
    }
}

extension Store {
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
